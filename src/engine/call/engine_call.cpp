#include "engine/call/engine_call.hpp"

#include "base/saturating_time.hpp"
#include "engine/answer/guarded.hpp"
#include "engine/answer/sagemaker.hpp"
#include "engine/auth.hpp"
#include "engine/call/ask_endpoint.hpp"
#include "engine/handlers/kept_responses.hpp"
#include "engine/handlers/models.hpp"
#include "engine/model/random.hpp"
#include "engine/plan/provisioning.hpp"
#include "engine/script/faulty.hpp"
#include "engine/script/journal_writer.hpp"
#include "engine/script/scripted.hpp"
#include "engine/signature.hpp"
#include "protocol/framing/media_type.hpp"

#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

/// The models that answer on a container's mounts if the request names none.
constexpr const char* container_model = "inferwire-toy";
constexpr const char* container_embedding_model = "inferwire-embed";

/// The answers that need no key and that no script changes: that the engine is healthy, and the description
/// of a workspace without logins, which clients request without a key. nullptr: a different request.
const char* answer_to_all(std::optional<Task> task) {
  if (task == Task::health) return R"({"status":"healthy"})";
  if (task == Task::describe_workspace) return R"({"oidc_endpoint":"","workspace_id":"1"})";
  return nullptr;
}

std::optional<Refusal> check_size(const HttpRequest& request, const Dialect& dialect) {
  if (request.body.size() <= dialect.body_bytes) return std::nullopt;
  return refuse::too_large(dialect.body_bytes);
}

OrRefusal<Document> read_body(const HttpRequest& request, const Dialect& dialect) {
  const auto media = protocol::media_kind(find_header(request.headers, "content-type"));
  if (media != protocol::MediaKind::json && media != protocol::MediaKind::none)
    return refuse::wrong_media_type();
  if (auto refusal = check_size(request, dialect)) return *std::move(refusal);
  return parse_document(request.body);
}

/// The response that a request continues if it is made in the background and has not ended; nullptr for other
/// requests.
std::shared_ptr<BackgroundResponse> unfinished_earlier(const ModelRequest& request, const Dialect& dialect,
                                                       const KeptResponses& keeper) {
  if (!describes_response(request.task) || !dialect.responses.keeps) return nullptr;
  const auto earlier = keeper.find(text(member(request.document, "previous_response_id")));
  return earlier && earlier->background && !earlier->background->ended() ? earlier->background : nullptr;
}

}  // namespace

EngineCall::EngineCall(EngineState& state, const HttpRequest& request, TimePoint now)
    : state_(state),
      request_(request),
      match_(match_route(request.method, request.url)),
      frame_(state.next_frame(match_.mount, now)) {
  if (state_.options.v1 && is_chat_at_v1()) frame_.dialect = state_.dialects.of(*state_.options.v1);
  frame_.numbers_events = match_.task && streams_response(*match_.task);
}

std::unique_ptr<Generation> EngineCall::answer() {
  try {
    if (const auto* const text = answer_to_all(match_.task)) return to_generation(answer_json(text));
    auto offence = check();
    const bool directed = !state_.director.is_idle() || JournalWriter::is_on(state_.journal);
    return directed ? answer_as_directed(std::move(offence)) : answer_or_refuse(std::move(offence));
  } catch (...) {  // out of memory, or a program's own model throws
    return to_generation(refuse::thrown());
  }
}

bool EngineCall::is_chat_at_v1() const { return match_.mount == Mount::openai && match_.task == Task::chat; }

std::optional<Refusal> EngineCall::check() const {
  if (match_.allow.empty()) return std::nullopt;  // a script may answer on an unknown path
  if (!match_.task) return refuse::wrong_method(request_.method, match_.allow);
  return check_access();
}

std::optional<Refusal> EngineCall::check_access() const {
  const auto& options = state_.options;
  if (match_.mount == Mount::sagemaker) {
    // SageMaker's limit comes first: signatures cover the whole body, and containers take longer ones.
    if (auto refusal = check_size(request_, frame_.dialect)) return refusal;
    if (options.aws_keys) return check_signature(request_, *options.aws_keys);
  }
  return check_key(request_.headers, options.api_key, frame_.dialect.wants_bearer);
}

std::unique_ptr<Generation> EngineCall::answer_as_directed(std::optional<Refusal> offence) {
  const auto number = frame_.request_number;
  auto entry =
      JournalWriter::is_on(state_.journal) ? JournalWriter::entry_of(request_, number) : JournalEntry();
  if (!offence) {
    const auto direction =
        std::make_shared<const Direction>(state_.director.direct(request_, match_.name, number));
    frame_.direction = direction;
    if (direction->pacing) frame_.pacing = *direction->pacing;
    entry.rule = direction->rule;
    entry.chaos = direction->chaos;
    entry.near_misses = direction->near_misses;
  }
  std::unique_ptr<Generation> answered;
  try {
    answered = answer_or_refuse(std::move(offence));
  } catch (...) {  // a counted request is recorded, however it ended
    answered = to_generation(refuse::thrown());
  }
  return JournalWriter::follow(state_.journal, std::move(entry), std::move(answered));
}

std::unique_ptr<Generation> EngineCall::answer_or_refuse(std::optional<Refusal> offence) {
  auto answer = to_generation(offence ? *std::move(offence) : route());
  return faults_inside_ ? with_scripted_delay(std::move(answer), frame_)
                        : with_scripted_fault(std::move(answer), frame_);
}

Answer EngineCall::route() {
  if (auto scripted = answer_without_model(frame_)) return *std::move(scripted);
  if (match_.allow.empty()) return refuse::no_route(request_.method, path_of(request_.url));
  const auto& endpoints = state_.endpoints;
  const auto one = [&](auto describe, auto refuse_missing) -> Answer {
    const auto endpoint = endpoints.find(match_.name);
    if (!endpoint) return refuse_missing(match_.name);
    return answer_json(describe(*endpoint, frame_.created));
  };
  auto& kept = *state_.memory.keeper;
  const auto task = *match_.task;
  const bool about_responses = describes_response(task) || !match_.id.empty();
  if (about_responses && frame_.dialect.responses.keeps) kept.make_room();
  switch (task) {
    case Task::list_models: return answer_json(list_models(endpoints, frame_.created));
    case Task::get_model: return one(&describe_model, &refuse::no_endpoint);
    case Task::list_endpoints: return answer_json(list_endpoints(endpoints, frame_.created));
    case Task::get_endpoint: return one(&describe_endpoint, &refuse::endpoint_not_found);
    case Task::create_endpoint: return create_endpoint();
    case Task::delete_endpoint: return delete_endpoint();
    case Task::get_response: return in_time(retrieve_response(kept, match_.id, request_.url, frame_));
    case Task::cancel_response: return answer_json(cancel_response(kept, match_.id));
    case Task::delete_response: return answer_json(delete_response(kept, match_.id));
    case Task::list_input_items: return answer_json(list_input_items(kept, match_.id, request_.url));
    case Task::compact: return refuse::no_route(request_.method, path_of(request_.url));
    default: return ask_model();
  }
}

Answer EngineCall::create_endpoint() {
  auto parsed = read_body(request_, frame_.dialect);
  if (!parsed) return std::move(parsed).refusal();
  auto planned = plan_endpoint(*parsed, state_.endpoints);
  if (!planned) return std::move(planned).refusal();
  auto description = describe_endpoint(*planned, frame_.created);
  const auto name = planned->name;
  if (!state_.endpoints.add(*std::move(planned))) return refuse::endpoint_exists(name);
  return answer_json(std::move(description));
}

Answer EngineCall::delete_endpoint() {
  if (!state_.endpoints.remove(match_.name)) return refuse::endpoint_not_found(match_.name);
  return answer_json("{}");
}

Answer EngineCall::ask_model() {
  const auto& name = match_.name;
  auto endpoint = name.empty() ? EndpointRef() : state_.endpoints.find(name);
  if (!name.empty() && !endpoint) return refuse::no_endpoint(name);
  if (match_.mount == Mount::sagemaker) return ask_container(std::move(endpoint));
  return ask(std::move(endpoint));
}

std::unique_ptr<Generation> EngineCall::ask_container(EndpointRef endpoint) {
  frame_.dialect = state_.dialects.at(Mount::lmi);
  Answer answer = refuse::thrown();
  try {
    answer = ask(std::move(endpoint));
  } catch (...) {
    // SageMaker reports it below, like every error of a container.
  }
  auto container = with_scripted_fault(to_generation(std::move(answer)), frame_);
  faults_inside_ = true;
  return behind_sagemaker(std::move(container), match_.task == Task::container_stream, frame_.request_id);
}

Answer EngineCall::ask(EndpointRef endpoint) {
  auto parsed = read_body(request_, frame_.dialect);
  if (!parsed) return std::move(parsed).refusal();
  if (!endpoint) {
    auto found = endpoint_of(*parsed);
    if (!found) return std::move(found).refusal();
    endpoint = *std::move(found);
  }
  const auto& options = state_.options;
  if (is_chat_at_v1() && !options.v1) frame_.dialect = state_.dialects.of(endpoint->api);

  ModelRequest asked{.task = *match_.task,
                     .document = *std::move(parsed),
                     .body = request_.body,
                     .endpoint = draw_served_model(endpoint, mix(options.seed, frame_.request_number)),
                     .seed = options.seed};
  if (options.deadline && may_truncate(asked)) frame_.cut_at = after(frame_.start, *options.deadline);
  if (auto earlier = unfinished_earlier(asked, frame_.dialect, *state_.memory.keeper)) {
    auto begin = [asked = std::move(asked), memory = state_.memory](const CallFrame& frame) {
      return ask_endpoint(asked, memory, frame);
    };
    return in_time(after_work(std::move(earlier), std::move(begin), frame_));
  }
  return in_time(ask_endpoint(asked, state_.memory, frame_));
}

OrRefusal<EndpointRef> EngineCall::endpoint_of(const Document& document) const {
  const auto& endpoints = state_.endpoints;
  const auto& dialect = frame_.dialect;
  const auto* name = member(document, "model");
  const auto named = endpoints.find(text(name));
  if (dialect.one_model) {
    if (named) return named;
    const auto own = endpoints.find(
        member(document, dialect.embeddings.input) == nullptr ? container_model : container_embedding_model);
    return own ? OrRefusal<EndpointRef>(own) : refuse::no_endpoint(container_model);
  }
  if (name == nullptr) return refuse::missing("model");
  if (!name->is_string()) return refuse::wrong_type("model", "a string", kind_of(*name));
  const bool elsewhere = match_.mount == Mount::ai21 && named && named->api != Api::ai21;
  if (!named || elsewhere) return refuse::no_endpoint(text(name));
  return named;
}

Answer EngineCall::answer_json(OrRefusal<std::string> body) const {
  if (!body) return std::move(body).refusal();
  return json_answer(*std::move(body), frame_.request_id);
}

Answer EngineCall::in_time(Answer answer) const {
  if (!answer) return answer;
  const auto& deadline = state_.options.deadline;
  const bool has_its_end = frame_.cut_at != TimePoint::max();
  const auto end = deadline && !has_its_end ? after(frame_.start, *deadline) : TimePoint::max();
  return guarded(*std::move(answer), end, frame_);
}

std::unique_ptr<Generation> EngineCall::to_generation(Answer answer) const {
  if (!answer) return refusal_answer(frame_.dialect, answer.refusal(), frame_.request_id);
  return *std::move(answer);
}

}  // namespace inferwire::inline v0_1::engine
