/// \file
/// A chat request of 205 KB.
#pragma once

#include "inferwire/chat.hpp"

#include <string>
#include <utility>

namespace inferwire_bench {

/// 200 messages of about 1 KB of prose with quotes and line ends.
inline const inferwire::chat::Request& long_request() {
  namespace chat = inferwire::chat;
  static const chat::Request built = [] {
    chat::Request out{
        .model = "databricks-meta-llama-3-3-70b-instruct", .max_tokens = 128, .temperature = 0.7};
    out.stream = true;
    const std::string sentence =
        "The harbour master wrote: \"high water at 18:42\", and nobody in the little town of Kinsale doubted "
        "it.\n";
    for (int i = 0; i < 200; ++i) {
      std::string text;
      while (text.size() < 960) text += sentence;
      out.messages.push_back(i % 2 == 0 ? chat::user(std::move(text)) : chat::assistant(std::move(text)));
    }
    return out;
  }();
  return built;
}

}  // namespace inferwire_bench
