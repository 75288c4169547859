#include "wire/chat_chunk.hpp"

#include "json/text.hpp"
#include "wire/documents.hpp"

#include <string>

namespace inferwire::inline v0_1::wire {
namespace {

/// Rewrites the agent's chunk in the usual form.
std::string with_choice(std::string_view text, const Json& delta, const Json* finish_reason) {
  std::string out = R"({"choices":[{"index":0,"delta":)" + delta.text();
  if (finish_reason != nullptr) out += R"(,"finish_reason":)" + finish_reason->text();
  out += "}]";
  for (const Member& member : Json::raw(std::string(text)).members()) {
    if (member.name == "choices" || member.name == "delta" || member.name == "finish_reason") continue;
    out += ',';
    json::append_string(out, member.name);
    (out += ':') += member.value.text();
  }
  return out + '}';
}

}  // namespace

bool decode_chunk(json::Decoder& decoder, std::string_view padded_text, chat::Chunk& out, Error& error) {
  if (!decoder.decode(padded_text, out, json::Reading::tolerant, error)) return false;
  const Json* const delta = out.choices.empty() ? out.extra.find("delta") : nullptr;
  if (delta == nullptr || !delta->is_object()) return true;
  auto rewritten = with_choice(padded_text, *delta, out.extra.find("finish_reason"));
  const auto size = rewritten.size();
  rewritten.append(json::padding, '\0');
  return decoder.decode(std::string_view(rewritten.data(), size), out, json::Reading::tolerant, error);
}

}  // namespace inferwire::inline v0_1::wire
