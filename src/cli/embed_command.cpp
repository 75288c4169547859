#include "cli/embed_command.hpp"

#include "cli/answer.hpp"
#include "cli/npy.hpp"
#include "cli/terminal.hpp"
#include "inferwire/embeddings.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iostream>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

/// The lines of a stream, without their ends.
std::vector<std::string> lines_of(std::istream& in) {
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    if (line.ends_with('\r')) line.pop_back();
    lines.push_back(std::move(line));
  }
  return lines;
}

/// The texts to embed, in order; nothing, and a complaint, when the file cannot be read.
std::optional<std::vector<std::string>> texts_of(const EmbedArguments& arguments) {
  auto texts = arguments.texts;
  if (arguments.file.empty()) return texts;
  std::ifstream file;
  if (arguments.file != "-") {
    file.open(arguments.file);
    if (!file) {
      complain("cannot read " + arguments.file);
      return std::nullopt;
    }
  }
  for (auto& line : lines_of(arguments.file == "-" ? std::cin : file)) texts.push_back(std::move(line));
  return texts;
}

std::string row_as_json(const std::vector<float>& row) {
  std::string out = "[";
  char digits[24];
  for (const float number : row) {
    if (out.size() > 1) out += ',';
    out.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  }
  return out += "]\n";
}

/// How far it is, on a line of standard error that is written over; only where somebody looks, and where it
/// takes longer than one request.
class ProgressBar {
 public:
  ProgressBar(std::size_t all, std::size_t batch) : all_(all), shown_(all > batch && errors_are_seen()) {}
  ~ProgressBar() {
    if (shown_) std::cerr << "\r\x1b[K" << std::flush;
  }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(std::size_t done) const {
    if (!shown_) return;
    constexpr std::size_t width = 30;
    const std::string bar(done * width / all_, '#');
    std::cerr << "\r[" << bar << std::string(width - bar.size(), ' ') << "] " << done << " of " << all_
              << std::flush;
  }

 private:
  std::size_t all_;
  bool shown_;
};

ExitCode write_npy(const std::vector<std::vector<float>>& rows, const std::string& path) {
  const auto array = npy_file(rows);
  if (!array) {
    complain("the rows differ in length");
    return transport_error;
  }
  if (path == "-") return print(*array) ? success : reader_left;
  std::ofstream file(path, std::ios::binary);
  if (!file.write(array->data(), static_cast<std::streamsize>(array->size())) || !file.flush()) {
    complain("cannot write " + path);
    return usage_error;
  }
  return success;
}

}  // namespace

CLI::App* EmbedArguments::declare(CLI::App& program) {
  auto* command = program.add_subcommand("embed", "Print a row of numbers for every text, in their order");
  connection.declare(*command);
  connection.declare_model(*command);
  command->add_option("--file", file, "Texts, one a line; - reads standard input");
  command->add_option("--instruction", instruction, "Databricks: what the model puts before each text");
  command->add_option("--dimensions", dimensions, "Numbers a row, where the provider lets one choose");
  command->add_option("--batch", batch, "Texts a request")
      ->check(CLI::Range(std::size_t{1}, std::size_t{2048}))
      ->capture_default_str();
  auto* array = command->add_option("--npy", npy, "Write a NumPy array (float32) to this file; - prints it");
  command->add_flag("--json", json, "Print the answers' JSON, one a line")->excludes(array);
  command->add_option("text", texts, "The texts");
  return command;
}

ExitCode run(const EmbedArguments& arguments) {
  auto model = arguments.connection.model_for(Room::embeddings);
  if (!model) return usage_error;
  auto texts = texts_of(arguments);
  if (!texts) return usage_error;
  if (texts->empty()) {
    complain("there is nothing to embed: give texts, or --file");
    return usage_error;
  }

  const auto client = arguments.connection.client();
  embeddings::Request request{
      .model = *std::move(model), .instruction = arguments.instruction, .dimensions = arguments.dimensions};
  std::vector<std::vector<float>> rows;
  const ProgressBar progress(texts->size(), arguments.batch);
  for (std::size_t first = 0; first < texts->size(); first += arguments.batch) {
    const auto begin = texts->begin() + static_cast<std::ptrdiff_t>(first);
    const auto count = std::min(arguments.batch, texts->size() - first);
    progress.show(first);
    request.input = std::vector<std::string>(begin, begin + static_cast<std::ptrdiff_t>(count));
    auto response = client.embeddings.create(request);
    if (!response) return fail(response.error());
    if (arguments.json) {
      if (const auto printed = print_json(*response); printed != success) return printed;
      continue;
    }
    response->data.resize(count);  // a service that sends more rows than texts
    for (auto& item : response->data) {
      if (!arguments.npy.empty()) {
        rows.push_back(std::move(item.embedding));
      } else if (!print(row_as_json(item.embedding))) {
        return reader_left;
      }
    }
  }
  return arguments.npy.empty() ? success : write_npy(rows, arguments.npy);
}

}  // namespace inferwire::inline v0_1::cli
