#include "cli/commands/batch_lines.hpp"

#include "base/decimal.hpp"
#include "base/fnv1a.hpp"
#include "base/percent.hpp"
#include "cli/our_words.hpp"
#include "cli/terminal/output.hpp"
#include "json/text.hpp"
#include "json/text_at.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace inferwire::inline v0_1::cli {
namespace {

constexpr std::pair<std::string_view, Route Provider::*> resources[] = {
    {"/v1/chat/completions", &Provider::chat},
    {"/v1/completions", &Provider::completions},
    {"/v1/embeddings", &Provider::embeddings},
    {"/v1/responses", &Provider::responses},
};

Error refused(std::string detail) {
  return Error{.kind = ErrorKind::invalid_request, .detail = std::move(detail)};
}

constexpr std::string_view input = "input";

/// The object with its `input` renamed, and without its `model` unless that is kept.
Json adapted(const Json& body, const std::string& input_name, bool keeps_model) {
  std::string out = "{";
  for (const auto& [name, value] : body.members()) {
    if (name == "model" && !keeps_model) continue;
    json::append_name(out, name == input ? input_name : name);
    out += value.text();
  }
  return Json::raw(out += "}");
}

Result<RawRequest> request_at(const Route& route, const Provider& provider, Json body) {
  if (route.path.empty()) return refused("the provider has no such endpoint");
  constexpr std::string_view place = "{model}";
  auto path = route.path;
  if (const auto at = path.find(place); at != std::string::npos) {
    const auto model = json::text_at(body, "/model");
    if (model.empty()) return refused("the body names no model");
    path.replace(at, place.size(), percent_encode_segment(model));
  }
  const auto input_name = &route == &provider.embeddings ? provider.embeddings_input : std::string(input);
  if (!route.model_in_body || input_name != input) body = adapted(body, input_name, route.model_in_body);
  return RawRequest{.path = std::move(path), .body = std::move(body)};
}

/// A body on one line; what is not JSON as a string.
std::string line_of(const std::string& body) {
  const auto json = Json::parse(body);
  return json ? json->one_line() : Json::string(body).text();
}

std::string response_of(int status, const std::string& request_id, const std::string& body) {
  return R"({"status_code":)" + std::to_string(status) + R"(,"request_id":)" +
         Json::string(request_id).text() + R"(,"body":)" + line_of(body) + R"(},"error":null})";
}

/// The hash in an id, "batch_req_NUMBER_HASH".
std::optional<std::uint64_t> hash_in(std::string_view id) {
  constexpr auto begin = answer_begins.substr(answer_begins.rfind('"') + 1);
  if (!id.starts_with(begin)) return std::nullopt;
  id.remove_prefix(begin.size());
  const auto digits = id.substr(id.find('_') + 1);
  if (digits.size() == id.size()) return std::nullopt;
  return parse_integer<std::uint64_t>(digits);
}

}  // namespace

std::string custom_id_of(std::string_view line) {
  const auto document = Json::parse(line);
  return document ? json::text_at(*document, "/custom_id") : std::string();
}

Result<RawRequest> read_batch_line(std::string_view line, const Provider& provider) {
  const auto document = Json::parse(line);
  if (!document) return refused("it is not JSON: " + document.error().detail);
  if (json::text_at(*document, "/custom_id").empty()) {
    const bool is_there = document->find("/custom_id").has_value();
    return refused(is_there ? "its custom_id is not a string, or is empty" : "it has no custom_id");
  }
  if (json::text_at(*document, "/method") != "POST") return refused("its method is not POST");
  auto body = document->find("/body");
  if (!body || !body->is_object()) return refused("its body is not an object");
  const auto stream = body->find("/stream");
  if (stream && stream->as_bool() == true) return refused("its body asks for a stream");
  const auto url = json::text_at(*document, "/url");
  for (const auto& [path, route] : resources) {
    if (url == path) return request_at(provider.*route, provider, *std::move(body));
  }
  return refused(
      "its url is not one of /v1/chat/completions, /v1/completions, /v1/embeddings, /v1/responses");
}

std::uint64_t request_hash(std::string_view line) noexcept {
  Fnv1a hash;
  hash.add(line.substr(0, line.find_last_not_of(" \t\r\n") + 1));
  return hash.value();
}

AnswerLine read_batch_answer(std::string_view line) {
  const auto document = Json::parse(line);
  if (!document) return {};
  const auto has = [&document](std::string_view pointer) {
    const auto value = document->find(pointer);
    return value && !value->is_null();
  };
  const auto status = document->find("/response/status_code");
  const bool is_refusal = status && status->as_int().value_or(0) >= 300;
  const bool has_response = status || has("/response");
  return {.custom_id = json::text_at(*document, "/custom_id"),
          .is_answer = has_response || document->find("/response") || document->find("/error"),
          .answer = {.is_error = is_refusal || !has_response || has("/response/body/error"),
                     .request = hash_in(json::text_at(*document, "/id"))}};
}

std::string batch_answer(std::size_t number, std::uint64_t hash, const std::string& custom_id,
                         const Result<RawResponse>& answer) {
  auto line = std::string(answer_begins) + std::to_string(number) + '_' + std::to_string(hash) +
              R"(","custom_id":)" + Json::string(custom_id).text() + R"(,"response":)";
  if (answer) {
    line += response_of(answer->info.head.status, answer->info.request_id, answer->body);
  } else if (const auto& error = answer.error(); error.status >= 300) {
    line += response_of(error.status, error.request_id, error.body);
  } else {
    line += R"(null,"error":{"code":")" + std::string(name(error.kind)) + R"(","message":)" +
            Json::string(in_our_words(error)).text() + "}}";
  }
  return line += '\n';
}

}  // namespace inferwire::inline v0_1::cli
