// Embeddings: their tables, and putting the rows of an answer in order.
#include "wire/embeddings.hpp"

#include "json/scanner.hpp"
#include "json/table.hpp"
#include "wire/documents.hpp"
#include "wire/usage_table.hpp"

#include <algorithm>
#include <utility>

namespace inferwire::inline v0_1 {

namespace json {

template <>
struct Fields<embeddings::Request> {
  using Self = embeddings::Request;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(model),
      INFERWIRE_FIELD(input, required | keep_empty),
      INFERWIRE_ALIAS(input, "inputs"),  // LMI
      INFERWIRE_FIELD(instruction),
      INFERWIRE_FIELD(dimensions),
      INFERWIRE_FIELD(encoding_format),
      INFERWIRE_FIELD(user),
      INFERWIRE_FIELD(client_request_id),
      INFERWIRE_FIELD(usage_context),
  };
};

template <>
struct Fields<embeddings::Embedding> {
  using Self = embeddings::Embedding;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(index),
      INFERWIRE_FIELD(embedding, required | keep_empty),
  };
};

template <>
struct Fields<embeddings::Response> {
  using Self = embeddings::Response;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id),    INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(model), INFERWIRE_FIELD(data, required | keep_empty | or_one),
      INFERWIRE_FIELD(usage),
  };
};

template const Type& describe<embeddings::Request>();
template const Type& describe<embeddings::Response>();
template const Type& describe<embeddings::Input>();

}  // namespace json

namespace wire {
namespace {

/// LMI's answer: the row of one input, or a list of rows.
using BareRows = std::variant<std::vector<float>, std::vector<std::vector<float>>>;

void take_rows(BareRows& rows, embeddings::Response& out) {
  out = {};
  const auto add = [&out](std::vector<float>& row) {
    const auto index = static_cast<std::int64_t>(out.data.size());
    out.data.push_back({.index = index, .embedding = std::move(row)});
  };
  if (auto* one = std::get_if<std::vector<float>>(&rows)) {
    if (!one->empty()) add(*one);  // otherwise there are no rows
    return;
  }
  for (auto& row : std::get<std::vector<std::vector<float>>>(rows)) add(row);
}

bool fail(Error& error, std::string detail) {
  error = {.kind = ErrorKind::decode, .detail = std::move(detail), .path = "data"};
  return false;
}

/// Reads an index that was sent as text.
bool read_index(embeddings::Embedding& row, Error& error) {
  const Json* const found = row.extra.find("index");
  if (found == nullptr) return true;
  const auto word = found->as_string().value_or(found->text());
  const auto index = json::integer_of(word);
  if (!index) {
    return fail(error, "the index " + word.substr(0, 32) + " is no number");
  }
  row.index = *index;
  row.extra.erase("index");
  return true;
}

/// Numbers the rows by position if they have no index, which some servers leave out.
void count_rows(std::vector<embeddings::Embedding>& rows) {
  if (std::ranges::any_of(rows, [](const auto& row) { return row.index != 0; })) return;
  for (std::int64_t place = 0; auto& row : rows) row.index = place++;
}

/// Sorts the rows by index. The indices must be those of the inputs, each once.
bool order_rows(std::vector<embeddings::Embedding>& rows, Error& error) {
  if (!std::ranges::all_of(rows, [&error](auto& row) { return read_index(row, error); })) return false;
  count_rows(rows);
  const auto by_index = [](const auto& a, const auto& b) { return a.index < b.index; };
  if (!std::is_sorted(rows.begin(), rows.end(), by_index)) std::sort(rows.begin(), rows.end(), by_index);
  if (!rows.empty() && rows.front().index < 0) {
    return fail(error, "the index " + std::to_string(rows.front().index) + " is that of no input");
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto expected = static_cast<std::int64_t>(i);
    if (rows[i].index == expected) continue;
    const auto doubled = rows[i].index < expected;
    return fail(error, doubled ? "the index " + std::to_string(rows[i].index) + " comes twice"
                               : "the index " + std::to_string(expected) + " is missing");
  }
  return true;
}

}  // namespace

bool decode_embeddings(json::Decoder& decoder, std::string_view padded_text, embeddings::Response& out,
                       Error& error) {
  if (json::trim(padded_text).starts_with('[')) {
    BareRows rows;
    if (!decoder.decode_any(padded_text, &rows, json::type_of<BareRows>, json::Reading::tolerant, error)) {
      return false;
    }
    take_rows(rows, out);
    return true;
  }
  return decoder.decode(padded_text, out, json::Reading::tolerant, error) && order_rows(out.data, error);
}

bool check_rows(const embeddings::Response& answer, std::size_t inputs, Error& error) {
  if (answer.data.size() == inputs) return true;
  return answer.data.size() < inputs
             ? fail(error, "the index " + std::to_string(answer.data.size()) + " is missing")
             : fail(error, "the index " + std::to_string(inputs) + " is that of no input");
}

}  // namespace wire

namespace embeddings {

std::size_t Request::inputs() const noexcept {
  if (const auto* texts = std::get_if<std::vector<std::string>>(&input)) return texts->size();
  if (const auto* tokens = std::get_if<std::vector<std::vector<std::int64_t>>>(&input)) return tokens->size();
  return 1;
}

Result<Json> to_json(const Request& request) { return wire::encoded(request); }
Result<Json> to_json(const Response& response) { return wire::encoded(response); }

bool operator==(const Request&, const Request&) = default;
bool operator==(const Embedding&, const Embedding&) = default;
bool operator==(const Response&, const Response&) = default;

}  // namespace embeddings

INFERWIRE_FROM_JSON(embeddings::Request, strict)

template <>
Result<embeddings::Response> from_json(const Json& document) {
  std::string padded = document.text();
  padded.append(json::padding, ' ');
  const auto text = std::string_view(padded).substr(0, document.text().size());
  embeddings::Response answer;
  Error error;
  if (!wire::decode_embeddings(json::thread_decoder(), text, answer, error)) return error;
  return answer;
}

}  // namespace inferwire::inline v0_1
