#include "wire/responses_table.hpp"

#include "wire/documents.hpp"
#include "wire/stream_options_table.hpp"

namespace inferwire::inline v0_1::json {

template <>
struct Fields<responses::Request> {
  using Self = responses::Request;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(model),
      INFERWIRE_FIELD(input),
      INFERWIRE_FIELD(instructions),
      INFERWIRE_FIELD(max_output_tokens),
      INFERWIRE_FIELD(temperature),
      INFERWIRE_FIELD(top_p),
      INFERWIRE_FIELD(stream),
      INFERWIRE_FIELD(stream_options),
      INFERWIRE_FIELD(text),
      INFERWIRE_FIELD(reasoning),
      INFERWIRE_FIELD(tools),
      INFERWIRE_FIELD(tool_choice),
      INFERWIRE_FIELD(parallel_tool_calls),
      INFERWIRE_FIELD(max_tool_calls),
      INFERWIRE_FIELD(metadata),
      INFERWIRE_FIELD(include),
      INFERWIRE_FIELD(truncation),
      INFERWIRE_FIELD(top_logprobs),
      INFERWIRE_FIELD(prompt_cache_key),
      INFERWIRE_FIELD(prompt_cache_options),
      INFERWIRE_FIELD(prompt_cache_retention),
      INFERWIRE_FIELD(safety_identifier),
      INFERWIRE_FIELD(prompt),
      INFERWIRE_FIELD(user),
      INFERWIRE_FIELD(background),
      INFERWIRE_FIELD(store),
      INFERWIRE_FIELD(conversation),
      INFERWIRE_FIELD(service_tier),
      INFERWIRE_FIELD(previous_response_id),
      INFERWIRE_FIELD(custom_inputs),
      INFERWIRE_FIELD(context),
      INFERWIRE_FIELD(databricks_options),
  };
};

template <>
struct Fields<responses::List> {
  using Self = responses::List;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(object),   INFERWIRE_FIELD(data, required | keep_empty),
      INFERWIRE_FIELD(first_id), INFERWIRE_FIELD(last_id),
      INFERWIRE_FIELD(has_more),
  };
};

template <>
struct Fields<responses::Deletion> {
  using Self = responses::Deletion;
  static constexpr Entry list[] = {
      INFERWIRE_FIELD(id, required),
      INFERWIRE_FIELD(object),
      INFERWIRE_FIELD(deleted),
  };
};

template const Type& describe<responses::Item>();
template const Type& describe<std::vector<responses::Item>>();
template const Type& describe<responses::Request>();
template const Type& describe<responses::Response>();
template const Type& describe<responses::List>();
template const Type& describe<responses::Deletion>();

}  // namespace inferwire::inline v0_1::json
