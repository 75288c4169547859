#include "engine/json_text.hpp"

namespace inferwire::inline v0_1::engine {
namespace {

template <class Json>
std::string printed(const Json& document) {
  return document.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Document parse_json(std::string_view text) { return Document::parse(text.begin(), text.end()); }
OrderedJson parse_ordered_json(std::string_view text) { return OrderedJson::parse(text.begin(), text.end()); }

Document json_of(std::string_view text) { return Document::parse(text.begin(), text.end(), nullptr, false); }
OrderedJson ordered_json_of(std::string_view text) {
  return OrderedJson::parse(text.begin(), text.end(), nullptr, false);
}

bool is_json(std::string_view text) { return Document::accept(text.begin(), text.end()); }

std::string print(const OrderedJson& document) { return printed(document); }
std::string print_sorted(const Document& document) { return printed(document); }

}  // namespace inferwire::inline v0_1::engine
