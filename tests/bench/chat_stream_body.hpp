/// \file
/// The body of a chat stream.
#pragma once

#include <string>
#include <string_view>

namespace inferwire_bench {

inline constexpr int chat_events = 10'000;

/// A stream as servers send it: words of text, every fourteenth with something to escape, some not ASCII.
inline const std::string& chat_stream() {
  static const std::string text = [] {
    constexpr std::string_view words[] = {" the",   " tide",   " of",      " basalt",
                                          " forms", ",",       " when",    " lava",
                                          " cools", "\\n",     " quickly", " gr\xC3\xBC\xC3\x9F",
                                          " and",   " slowly."};
    std::string out;
    for (int i = 0; i < chat_events; ++i) {
      out +=
          R"(data: {"id":"chatcmpl_2c653de2-afd4-4075-bc8d-8200562a191b","object":"chat.completion.chunk",)"
          R"("created":1758326497,"model":"meta-llama-3.3-70b-instruct-121024","choices":[{"index":0,"delta":{)";
      if (i == 0) out += R"("role":"assistant",)";
      out += R"("content":")";
      out += words[static_cast<std::size_t>(i) % std::size(words)];
      out += R"("},"finish_reason":)";
      out += i + 1 == chat_events ? "\"stop\"" : "null";
      out += R"(,"logprobs":null}],"usage":null})"
             "\n\n";
    }
    out += "data: [DONE]\n\n";
    return out;
  }();
  return text;
}

}  // namespace inferwire_bench
