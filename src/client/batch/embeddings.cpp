// Rows for many texts, grouped into as few requests as the provider allows.
#include "wire/embeddings.hpp"

#include "base/little_endian.hpp"
#include "client/batch/checkpoint.hpp"
#include "client/batch/client_access.hpp"
#include "client/batch/inputs.hpp"
#include "client/batch/kept_errors.hpp"
#include "client/batch/run.hpp"
#include "client/batch/sendable_texts.hpp"
#include "client/counted.hpp"
#include "client/token_sums.hpp"
#include "client/unsent.hpp"
#include "inferwire/batch.hpp"
#include "json/base64.hpp"
#include "wire/documents.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace inferwire::inline v0_1 {

namespace client {
namespace {

using embeddings::Rows;

/// The limits of a request.
struct Limits {
  std::size_t inputs{};
  std::size_t bytes{};
};

/// The maximum length of a row, far beyond that of any model: the first answer decides how much memory the
/// rows of all texts take.
constexpr std::size_t most_dimensions = std::size_t{1} << 16U;

Limits limits_of(const Client& client, const BatchOptions& options) {
  const auto& core = detail::ClientAccess::core(client);
  const auto row = core ? core->provider().batch : BatchRow{};
  return {std::max<std::size_t>(options.max_request_inputs.value_or(row.embedding_inputs), 1),
          options.max_request_bytes.value_or(row.embedding_bytes)};
}

/// The checkpoint's text of an answer, in the wire format: rows as base64 of their floats, little-endian.
Result<std::string> text_of(const embeddings::Response& answer, std::size_t count) {
  std::string out = R"({"model":)" + Json::string(answer.model).text() + R"(,"data":[)";
  std::string bytes;
  for (std::size_t i = 0; i < count; ++i) {
    bytes.clear();
    append_little_endian(bytes, answer.data[i].embedding);
    out += (i == 0 ? R"({"index":)" : R"(,{"index":)") + std::to_string(i) + R"(,"embedding":")";
    json::append_base64(out, bytes);
    out += "\"}";
  }
  out += "]";
  if (answer.usage) {
    auto usage = json::encode(*answer.usage);
    if (!usage) return usage;
    out += R"(,"usage":)" + *usage;
  }
  return out += "}";
}

std::optional<embeddings::Response> answer_of(const Json& document, std::size_t count) {
  auto answer = from_json<embeddings::Response>(document);
  Error error;
  if (!answer || !wire::check_rows(*answer, count, error)) return {};
  return *std::move(answer);
}

class RowsWork final : public BatchWorkOf<embeddings::Response> {
  using Response = embeddings::Response;

 public:
  /// `client`, `texts` and `options` must outlive it.
  RowsWork(const Client& client, std::span<const std::string_view> texts, embeddings::Request request,
           const BatchOptions& options)
      : client_(client),
        options_(options),
        sendable_(texts),
        texts_(sendable_.texts()),
        request_(std::move(request)),
        limits_(limits_of(client, options)),
        inputs_(texts_.size()) {
    rows_.inputs = texts.size();
    for (const auto place : sendable_.left_out())
      rows_.failures.push_back({place, 1, unsendable(texts[place])});
  }

  Result<void> resume(const std::string& path, const WhyStopped& why_stopped) override {
    auto opened = inputs_.open(path, job(), why_stopped, [this](const Slice& slice, const Json& document) {
      const auto answer = answer_of(document, slice.count);
      if (no_room_ || !answer || problem_with(*answer, slice.count)) return false;
      make_room(answer->data.front().embedding.size());
      if (no_room_) return false;
      take(slice, *answer);
      return true;
    });
    if (opened && no_room_) return *no_room_;
    return opened;
  }

  BatchFacts facts() const override {
    return {.inputs = rows_.inputs,
            .done = inputs_.done_count(),
            .failed = sendable_.left_out().size(),
            .done_before = inputs_.first_done(),
            .alike = true,
            .sampled = true};
  }
  std::optional<Slice> next() override {
    constexpr std::size_t quotes_and_comma = 3;
    std::size_t bytes = 0;
    return inputs_.next([&](const Slice& slice) {
      bytes += texts_[slice.first + slice.count - 1].size() + quotes_and_comma;
      return slice.count <= limits_.inputs && bytes <= limits_.bytes;
    });
  }

  const Error* why_over() const noexcept override { return no_room_ ? &*no_room_ : inputs_.unrecorded(); }
  void fail(const Slice& slice, const Error& error) override {
    add_failure(slice, errors_.keep(error), true);
  }
  void give_up(const Slice& slice, const Error& error) override {
    add_failure(slice, errors_.keep(error), false);
  }
  void give_up(const Error& error) override {
    limits_ = {texts_.size(), std::string::npos};  // in as few slices as possible
    while (const auto slice = next()) give_up(*slice, error);
  }

  Rows take_rows() {
    std::sort(rows_.failures.begin(), rows_.failures.end(),
              [](const BatchFailure& a, const BatchFailure& b) { return a.first < b.first; });
    return std::move(rows_);
  }

 private:
  Pending<Response> ask(const Slice& slice, const CallOptions& options) override {
    const auto begin = texts_.begin() + static_cast<std::ptrdiff_t>(slice.first);
    request_.input = std::vector<std::string>(begin, begin + static_cast<std::ptrdiff_t>(slice.count));
    return client_.embeddings.start(request_, options);
  }
  std::optional<Error> keep(const Slice& slice, Response answer) override {
    if (auto problem = problem_with(answer, slice.count)) return problem;
    make_room(answer.data.front().embedding.size());
    if (no_room_) return no_room_;
    if (auto problem = inputs_.record(slice, [&] { return text_of(answer, slice.count); })) return problem;
    take(slice, answer);
    return std::nullopt;
  }
  void count(const Response& answer) override {
    if (!answer.usage) return;
    add_tokens(rows_.usage.prompt_tokens, answer.usage->prompt());
    add_tokens(rows_.usage.total_tokens, answer.usage->total());
  }

  /// The job of the texts that are sent: a checkpoint numbers these.
  JobHash job() {
    JobHash hash;
    hash.add("embeddings");
    request_.input = std::string();
    add_request(hash, request_);
    add_edits(hash, options_.call);
    for (const auto& text : texts_) hash.add(text);
    return hash;
  }

  /// The error of a text that cannot be sent, as of a call with it alone.
  Error unsendable(std::string_view text) {
    request_.input = std::vector<std::string>{std::string(text)};
    return unsent(detail::ClientAccess::core(client_), json::encode(request_).error());
  }

  void add_failure(Slice slice, const Error& error, bool own_error) {
    while (slice.count > 0) {
      const auto part = sendable_.side_by_side(slice);
      rows_.failures.push_back({sendable_.place(part.first), part.count, error, own_error});
      slice = {slice.first + part.count, slice.count - part.count};
    }
  }

  /// Checks the lengths of the rows: as many numbers as requested, or else the same number in all rows.
  std::optional<Error> problem_with(const Response& answer, std::size_t count) const {
    const auto requested = request_.dimensions.value_or(0);
    const bool is_requested = requested > 0;
    const auto others = rows_.dimensions != 0 ? rows_.dimensions : answer.data.front().embedding.size();
    const auto expected = is_requested ? static_cast<std::uint64_t>(requested) : others;
    for (std::size_t i = 0; i < count; ++i) {
      const auto length = answer.data[i].embedding.size();
      if (length == expected && length != 0 && length <= most_dimensions) continue;
      const auto numbers = "a row has " + counted(length, "number");
      return Error{.kind = ErrorKind::decode,
                   .detail = length == 0          ? "a row is empty"
                             : length == expected ? numbers + ", more than " + std::to_string(most_dimensions)
                             : is_requested
                                 ? numbers + " instead of the " + std::to_string(expected) + " requested"
                                 : numbers + ", others have " + std::to_string(expected),
                   .path = "data[" + std::to_string(i) + "].embedding"};
    }
    return std::nullopt;
  }

  /// Makes room for all rows when the first answer says how long they are, or sets `no_room_`.
  void make_room(std::size_t dimensions) {
    if (rows_.dimensions != 0) return;
    bool fits = dimensions <= rows_.values.max_size() / rows_.inputs;
    try {
      if (fits) rows_.values.resize(rows_.inputs * dimensions);
    } catch (const std::bad_alloc&) {
      fits = false;
    }
    if (fits) {
      rows_.dimensions = dimensions;
    } else {
      no_room_ = Error{.kind = ErrorKind::too_large,
                       .detail = "the rows of " + counted(rows_.inputs, "text") + ", with " +
                                 counted(dimensions, "number") + " each, do not fit into memory"};
    }
  }

  void take(const Slice& slice, const Response& answer) {
    add_model(answer.model);
    for (std::size_t i = 0; i < slice.count; ++i) {
      auto* const to = rows_.values.data() + sendable_.place(slice.first + i) * rows_.dimensions;
      std::copy_n(answer.data[i].embedding.data(), rows_.dimensions, to);
    }
    count(answer);
  }

  void add_model(const std::string& name) {
    constexpr std::size_t most = 16;
    auto& others = rows_.other_models;
    if (name.empty() || name == rows_.model) return;
    if (rows_.model.empty()) {
      rows_.model = name;
    } else if (others.size() < most && std::ranges::find(others, name) == others.end()) {
      others.push_back(name);
    }
  }

  const Client& client_;
  const BatchOptions& options_;
  SendableTexts sendable_;
  std::span<const std::string_view> texts_;  ///< those of `sendable_`, which slices number
  embeddings::Request request_;
  Limits limits_;
  BatchInputs inputs_;
  Rows rows_;
  std::optional<Error> no_room_;  ///< the rows do not fit into memory
  KeptErrors errors_;
};

}  // namespace
}  // namespace client

namespace embeddings {

std::span<const float> Rows::row(std::size_t index) const& noexcept {
  if (index >= inputs || dimensions == 0) return {};
  const auto behind =
      std::upper_bound(failures.begin(), failures.end(), index,
                       [](std::size_t i, const BatchFailure& failure) { return i < failure.first; });
  if (behind != failures.begin()) {
    const auto& before = *std::prev(behind);
    if (index - before.first < before.count) return {};
  }
  return {values.data() + index * dimensions, dimensions};
}

Rows create_all(const Client& client, const std::vector<std::string>& texts, Request request,
                const BatchOptions& options) {
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  return detail::create_all(client, views, std::move(request), options);
}

Rows detail::create_all(const Client& client, std::span<const std::string_view> texts, Request request,
                        const BatchOptions& options) {
  client::RowsWork work(client, texts, std::move(request), options);
  static_cast<void>(client::run_batch(client, options, work));  // the error is in the rows
  return work.take_rows();
}

}  // namespace embeddings

}  // namespace inferwire::inline v0_1
