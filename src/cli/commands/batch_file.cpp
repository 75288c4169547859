#include "cli/commands/batch_file.hpp"

#include "base/previous_response.hpp"
#include "cli/answer.hpp"
#include "inferwire/json.hpp"

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

namespace inferwire::inline v0_1::cli {
namespace {

/// Whether `line` may be the beginning of the first answer of a run that was interrupted while writing it.
bool begins_answer(std::string_view line) {
  return line.starts_with(answer_begins) || answer_begins.starts_with(line);
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\r") == line.npos; }

/// The document of an answer: an object, or the list in which a container returns rows. A page or an error is
/// not a document, whatever its status.
Result<Json> document_of(const RawResponse& answer) {
  auto document = answer.document();
  if (!document || document->is_object() || document->is_array()) return document;
  return Error{.kind = ErrorKind::decode,
               .detail = "the answer is neither an object nor a list",
               .status = answer.info.head.status};
}

/// Whether the body, of which only the beginning may be kept, is JSON, as errors of services are, and not the
/// page or text of another server.
bool is_json(std::string_view body) {
  const auto begin = body.find_first_not_of("\xEF\xBB\xBF \t\r\n");
  return begin != body.npos && (body[begin] == '{' || body[begin] == '[');
}

/// Whether the same request may succeed in another run. Only an error about the request itself is final,
/// not that a server is down, or that the address or the key was wrong.
bool may_pass(const Error& error) noexcept {
  if (error.retryable || error.param == "model") return true;
  if (is_previous_response_gone(error)) return false;
  switch (error.kind) {
    case ErrorKind::invalid_request:
      return error.status != 0 && (error.status != 400 || !is_json(error.body));
    case ErrorKind::too_large:
    case ErrorKind::unprocessable:
    case ErrorKind::context_length:
    case ErrorKind::content_filter: return false;
    default: return true;
  }
}

}  // namespace

std::optional<BatchAnswers> answered_in(const std::string& path) {
  BatchAnswers answers;
  std::ifstream file(path, std::ios::binary);
  std::error_code failure;
  if (!file && !std::filesystem::exists(path, failure) && !failure) return answers;
  std::uintmax_t whole = 0;
  std::string line;
  for (; std::getline(file, line) && !file.eof(); whole += line.size() + 1) {
    auto [id, is_answer, answer] = read_batch_answer(line);
    if (id.empty() || !is_answer) {
      complain(path + " is no file of answers: it has a line without " +
               (id.empty() ? "custom_id" : "response"));
      return std::nullopt;
    }
    answers.insert_or_assign(std::move(id), answer);
  }
  if (!file.is_open() || file.bad()) {
    not_read(path);
    return std::nullopt;
  }
  file.close();
  auto last = read_batch_answer(line);
  const bool only_end_is_missing = !last.custom_id.empty() && last.is_answer;
  if (whole == 0 && !only_end_is_missing && !begins_answer(line)) {
    complain(path + " is no file of answers: it has no whole line");
    return std::nullopt;
  }
  bool ended = true;
  if (only_end_is_missing) {
    answers.insert_or_assign(std::move(last.custom_id), last.answer);
    ended = static_cast<bool>(std::ofstream(path, std::ios::binary | std::ios::app) << '\n' << std::flush);
  } else if (!line.empty()) {
    std::filesystem::resize_file(path, whole, failure);
  }
  if (!ended) {
    not_written(path);
    return std::nullopt;
  }
  if (failure) {
    complain("cannot write " + path + ": " + failure.message());
    return std::nullopt;
  }
  return answers;
}

std::size_t requests_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::size_t count = 0;
  for (std::string line; std::getline(file, line);) count += is_blank(line) ? 0 : 1;
  return count;
}

bool BatchFile::next(RawRequest& request) {
  for (std::string text; std::getline(in_, text);) {
    ++line_;
    if (is_blank(text)) continue;
    ++requests_;
    auto id = custom_id_of(text);
    const auto hash = request_hash(text);
    if (const auto answered = answered_.extract(id)) {
      skip(answered.mapped(), hash);
      seen_.insert(std::move(id));
      continue;
    }
    auto read = read_batch_line(text, provider_);
    if (read && !seen_.insert(id).second) {
      read = Error{.kind = ErrorKind::invalid_request, .detail = "its custom_id came before"};
    }
    if (!read) {
      refuse(read.error());
      continue;
    }
    open_.emplace(count_++, Open{line_, hash, std::move(id)});
    request = *std::move(read);
    return true;
  }
  if (in_.bad() && unread_.empty()) unread_ = reason_in_errno();
  return false;
}

void BatchFile::skip(const EarlierAnswer& answer, std::uint64_t hash) {
  ++before_.count;
  if (answer.is_error) ++before_.errors;
  if (answer.request.value_or(hash) == hash) return;
  if (before_.changed++ == 0) before_.first_changed = line_;
}

void BatchFile::on_answer(std::size_t number, Result<RawResponse> answer) {
  const auto ended = open_.extract(number);
  const auto& [line, hash, id] = ended.mapped();
  if (!out_) return;  // the batch was stopped: this says nothing about the request
  const auto text = batch_answer(line, hash, id, answer);
  const bool can_be_read_again = Json::parse(text).has_value();
  auto read = answer.and_then(&document_of);
  if (read && !can_be_read_again) {
    read = Error{.kind = ErrorKind::decode, .detail = "the answer is nested too deeply for a line of a file"};
  }
  // A result that is not an answer to the request is left for the next run.
  if (!read && (!can_be_read_again || may_pass(read.error()))) {
    tell(line, "is left for another run: " + in_our_words(read.error()));
  } else if (!(out_ << text << std::flush)) {
    unwritten_ = reason_in_errno();
    stop_.cancel();
    return;  // neither completed nor failed: it has no answer
  }
  ++(read ? completed_ : failed_);
  if (!read) no_answer_ &= exit_code(read.error()) == transport_error;
  show_progress();
}

void BatchFile::refuse(const Error& error) {
  ++failed_;
  no_answer_ = false;
  tell(line_, "is left out: " + error.detail);
  show_progress();
}

void BatchFile::tell(std::size_t line, const std::string& what) {
  progress_.clear();
  complain("line " + std::to_string(line) + " " + what);
}

void BatchFile::show_progress() { progress_.show(before_.count + completed_ + failed_, failed_); }

}  // namespace inferwire::inline v0_1::cli
