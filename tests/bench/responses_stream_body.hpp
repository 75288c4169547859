/// \file
/// The body of a Responses stream.
#pragma once

#include <string>
#include <string_view>

namespace inferwire_bench {

inline constexpr int response_deltas = 10'000;

/// A stream of text deltas, with all events around them.
inline const std::string& responses_stream() {
  static const std::string text = [] {
    constexpr std::string_view words[] = {" the",   " tide",   " of",      " basalt",
                                          " forms", ",",       " when",    " lava",
                                          " cools", "\\n",     " quickly", " gr\xC3\xBC\xC3\x9F",
                                          " and",   " slowly."};
    const std::string id = "msg_67ccd2bf17f0819081ff3bb2cf6508e60bb6a6b452d3795b";
    const std::string response =
        R"({"id":"resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b","object":"response","created_at":1741476542,)"
        R"("status":"in_progress","error":null,"model":"gpt-5.2","output":[%],"parallel_tool_calls":true,"store":true,)"
        R"("temperature":1.0,"text":{"format":{"type":"text"}},"tool_choice":"auto","tools":[],"top_p":1.0,"metadata":{}})";
    const auto with = [&](const std::string& output) {
      return std::string(response).replace(response.find('%'), 1, output);
    };
    std::string out;
    int number = 0;
    const auto event = [&](const std::string& type, const std::string& members) {
      out += "event: " + type + "\ndata: {\"type\":\"" + type +
             "\",\"sequence_number\":" + std::to_string(number++) + "," + members + "}\n\n";
    };
    const std::string place = "\"item_id\":\"" + id + "\",\"output_index\":0,\"content_index\":0,";
    event("response.created", "\"response\":" + with(""));
    event("response.in_progress", "\"response\":" + with(""));
    const std::string item = R"({"id":")" + id + R"(","type":"message","role":"assistant","content":[%]})";
    const auto message = [&](const std::string& part) {
      return std::string(item).replace(item.find('%'), 1, part);
    };
    event("response.output_item.added", "\"output_index\":0,\"item\":" + message(""));
    event("response.content_part.added",
          place + R"("part":{"type":"output_text","text":"","annotations":[]})");
    std::string whole;
    for (int i = 0; i < response_deltas; ++i) {
      const std::string word(words[static_cast<std::size_t>(i) % std::size(words)]);
      event("response.output_text.delta",
            place + "\"delta\":\"" + word + R"(","logprobs":[],"obfuscation":"aBcDeF")");
      whole += word;
    }
    const std::string part = R"({"type":"output_text","text":")" + whole + R"(","annotations":[]})";
    event("response.output_text.done", place + "\"text\":\"" + whole + "\"");
    event("response.content_part.done", place + "\"part\":" + part);
    event("response.output_item.done", "\"output_index\":0,\"item\":" + message(part));
    event("response.completed", "\"response\":" + with(message(part)));
    return out;
  }();
  return text;
}

}  // namespace inferwire_bench
