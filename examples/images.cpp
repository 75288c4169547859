// Asks a question about an image. Images are sent in the request as data URIs, or as URLs that the service
// fetches.
//
//     images picture.png "What is this?" --base-url http://localhost:11434/v1 --model gemma3
//
// Prints the size of the image in the request, then the answer, or why the model refused to look at the
// image.
#include "example.hpp"

#include <fstream>
#include <iterator>

namespace chat = inferwire::chat;

namespace {

/// A red dot of 8 by 8 pixels, used if no image is given.
constexpr const char* red_dot =
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/"
    "wc53yE8AAAAASUVORK5CYII=";

std::string image_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const bool jpeg = path.ends_with(".jpg") || path.ends_with(".jpeg");
  return inferwire::data_uri(jpeg ? "image/jpeg" : "image/png", bytes);
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = example::read(argc, argv, "images [picture.png] [question]", "inferwire-toy");
  const auto& words = arguments.words;
  const std::string image = words.empty() ? red_dot : image_in(words[0]);
  const std::string question = words.size() > 1 ? words[1] : "What is in this picture?";
  const inferwire::Client client(example::options(arguments));

  std::cout << "an image of " << image.size() << " characters: " << question << '\n';
  const auto reply = client.chat.create(
      {.model = arguments.model,
       .messages = {chat::user({chat::TextPart{.text = question},
                                chat::ImagePart{.image_url = {.url = image, .detail = "low"}}})},
       .max_tokens = 64});
  if (reply) {
    std::cout << reply->text() << '\n';
    return 0;
  }
  const auto kind = reply.error().kind;
  if (kind != inferwire::ErrorKind::invalid_request) return example::fail(reply.error());
  std::cout << arguments.model << " does not look at it: " << reply.error().detail << '\n';
}
