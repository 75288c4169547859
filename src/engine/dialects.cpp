#include "engine/dialects.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

namespace inferwire::inline v0_1::engine {
namespace {

/// The dialect of a mount without any options.
const Dialect& usual_dialect(Mount mount) noexcept {
  switch (mount) {
    case Mount::databricks: return databricks_dialect;
    case Mount::databricks_responses: return databricks_responses_dialect;
    case Mount::databricks_open_responses: return databricks_open_responses_dialect;
    case Mount::openai: return openai_dialect;
    case Mount::ai21: return ai21_dialect;
    case Mount::lmi: return lmi_dialect;
    case Mount::sagemaker: break;
  }
  return sagemaker_dialect;
}

/// Databricks' newest documentation, taken literally, and the preview's limit of one prompt.
Dialect literal(Dialect dialect) {
  dialect.streams.by_default = true;
  dialect.streams.one_prompt = true;
  dialect.chat.object = "chat.completions";
  return dialect;
}

Dialect like_lmi_0_29(Dialect dialect) {
  dialect.choices.always_one = true;
  dialect.chat.lmi_0_29_logprobs = true;
  return dialect;
}

}  // namespace

Dialects::Dialects(const EngineOptions& options) {
  for (std::size_t mount = 0; mount < std::size(rows_); ++mount) {
    rows_[mount] = usual_dialect(static_cast<Mount>(mount));
  }
  const auto row = [this](Mount mount) -> Dialect& { return rows_[static_cast<std::size_t>(mount)]; };
  if (options.literal_defaults) row(Mount::databricks) = literal(databricks_dialect);
  if (options.ai21_422) row(Mount::ai21).errors = ErrorForm::fastapi;
  if (options.lmi_0_29) {
    row(Mount::lmi) = like_lmi_0_29(lmi_dialect);
    row(Mount::sagemaker) = like_lmi_0_29(sagemaker_dialect);
  }
  if (!options.max_request_bytes) return;
  for (auto& dialect : rows_) dialect.body_bytes = *options.max_request_bytes;
}

const Dialect& Dialects::of(Api api) const noexcept {
  switch (api) {
    case Api::openai: return at(Mount::openai);
    case Api::ai21: return at(Mount::ai21);
    case Api::lmi: break;
  }
  return at(Mount::lmi);
}

std::uint64_t Dialects::most_body_bytes() const noexcept {
  return std::ranges::max_element(rows_, {}, &Dialect::body_bytes)->body_bytes;
}

}  // namespace inferwire::inline v0_1::engine
