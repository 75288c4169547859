#include "inferwire/engine/engine.hpp"

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/answer/deadline.hpp"
#include "engine/answer/guarded.hpp"
#include "engine/answer/sagemaker.hpp"
#include "engine/ask_endpoint.hpp"
#include "engine/auth.hpp"
#include "engine/continuation.hpp"
#include "engine/endpoints.hpp"
#include "engine/handlers/kept_responses.hpp"
#include "engine/handlers/models.hpp"
#include "engine/model/random.hpp"
#include "engine/plan/provisioning.hpp"
#include "engine/router.hpp"
#include "engine/script/director.hpp"
#include "engine/script/journal_writer.hpp"
#include "engine/script/scripted.hpp"
#include "engine/signature.hpp"
#include "protocol/framing/media_type.hpp"

#include <atomic>
#include <chrono>
#include <exception>
#include <utility>

namespace inferwire::inline v0_1::engine {
namespace {

bool is_chat_at_v1(const Match& match) {
  return match.mount == Mount::openai && match.route != nullptr && match.route->task == Task::chat;
}

/// The answers that need no key and that no script changes: that the engine is healthy, and the description
/// of a workspace without logins, which clients request without a key. nullptr: a different request.
const char* answer_to_all(const Match& match) {
  if (match.route == nullptr) return nullptr;
  switch (match.route->task) {
    case Task::health: return R"({"status":"healthy"})";
    case Task::describe_workspace: return R"({"oidc_endpoint":"","workspace_id":"1"})";
    default: return nullptr;
  }
}

std::string hex(std::uint64_t value) {
  std::string out(16, '0');
  for (auto digit = out.rbegin(); value != 0; value >>= 4) *digit++ = "0123456789abcdef"[value & 15];
  return out;
}

/// Formats 128 bits as a UUID, the form of request ids.
std::string uuid(std::uint64_t high, std::uint64_t low) {
  auto digits = hex(high) + hex(low);
  for (const std::size_t at : {8U, 13U, 18U, 23U}) digits.insert(at, "-");
  return digits;
}

std::int64_t unix_time() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

/// The models that answer on a container's mounts if the request names none.
constexpr const char* container_model = "inferwire-toy";
constexpr const char* container_embedding_model = "inferwire-embed";

Answer json_or_refusal(OrRefusal<std::string> body, const CallFrame& frame) {
  if (!body) return std::move(body).refusal();
  return json_answer(*std::move(body), frame.request_id);
}

std::unique_ptr<Generation> to_generation(Answer answer, const CallFrame& frame) {
  if (!answer) return refusal_answer(frame.dialect, answer.refusal(), frame.request_id);
  return *std::move(answer);
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

}  // namespace

/// The state that all requests share. Only the endpoints, the kept responses and the request counter change.
struct INFERWIRE_PRIVATE Engine::State {
  explicit State(EngineOptions the_options)
      : options(std::move(the_options)),
        dialects(options),
        director(options.script, options.seed),
        journal(options.journal_entries),
        kept_responses(std::make_shared<KeptResponses>(options.kept_responses)),
        endpoints(options.endpoints) {}

  const EngineOptions options;
  const Dialects dialects;
  Director director;
  const Journal journal;
  const std::shared_ptr<KeptResponses> kept_responses;  ///< shared with answers, which may outlive the engine
  Endpoints endpoints;
  std::atomic<std::uint64_t> requests{0};

  CallFrame next_frame(Mount mount, TimePoint now) {
    const auto number = requests.fetch_add(1, std::memory_order_relaxed);
    const auto drawn = mix(options.seed, number);
    return {.request_id = uuid(drawn, mix(drawn, number)),
            .id_suffix = hex(drawn),
            .request_number = number,
            .created = options.created.value_or(unix_time()),
            .start = now,
            .pacing = options.pacing,
            .jitter_seed = mix(drawn, number),
            .dialect = dialects.at(mount)};
  }

  /// Checks whether the request is allowed at all. The script never sees one that is not.
  std::optional<Refusal> check(const HttpRequest& request, const Match& match, const CallFrame& frame) const;
  /// Answers as the script directs unless there is an offence, and records the request in the journal.
  std::unique_ptr<Generation> answer_as_directed(const HttpRequest& request, const Match& match,
                                                 CallFrame& frame, std::optional<Refusal> offence);
  /// Answers, with the scripted fault if any, or refuses because of the offence.
  std::unique_ptr<Generation> answer(const HttpRequest& request, const Match& match, CallFrame& frame,
                                     std::optional<Refusal> offence);
  /// Passes a request to the part of the engine that answers it.
  Answer route(const HttpRequest& request, const Match& match, CallFrame& frame);
  std::optional<Refusal> check_access(const HttpRequest& request, const Match& match,
                                      const CallFrame& frame) const;
  Answer create_endpoint(const HttpRequest& request, const CallFrame& frame);
  Answer delete_endpoint(const std::string& name, const CallFrame& frame);
  /// Asks a model, through SageMaker if the request came that way.
  Answer ask_model(const HttpRequest& request, const Match& match, CallFrame& frame) const;
  /// Asks `endpoint`, or the one that the body names if it is null.
  Answer ask(EndpointRef endpoint, const HttpRequest& request, const Match& match, CallFrame& frame) const;
  OrRefusal<EndpointRef> endpoint_of(const Document& document, const Match& match,
                                     const Dialect& dialect) const;
  /// Guards an answer against a model that throws, and ends it at the deadline at the latest.
  Answer in_time(Answer answer, const CallFrame& frame) const;
};

Engine::Engine(EngineOptions options) : state_(std::make_shared<State>(std::move(options))) {}
Engine::~Engine() = default;

std::unique_ptr<Generation> Engine::start(const HttpRequest& request, TimePoint now) {
  const auto match = match_route(request.method, request.url);
  auto frame = state_->next_frame(match.mount, now);
  if (state_->options.v1 && is_chat_at_v1(match)) frame.dialect = state_->dialects.of(*state_->options.v1);
  frame.numbers_events = match.route != nullptr && streams_response(match.route->task);
  try {
    if (const auto* const text = answer_to_all(match)) {
      return to_generation(json_answer(text, frame.request_id), frame);
    }
    auto offence = state_->check(request, match, frame);
    const bool directed = !state_->director.is_idle() || JournalWriter::is_on(state_->journal);
    return directed ? state_->answer_as_directed(request, match, frame, std::move(offence))
                    : state_->answer(request, match, frame, std::move(offence));
  } catch (const std::exception&) {  // out of memory, or a program's own model throws
    return refusal_answer(frame.dialect, refuse::thrown(), std::move(frame.request_id));
  }
}

std::optional<Refusal> Engine::State::check(const HttpRequest& request, const Match& match,
                                            const CallFrame& frame) const {
  if (match.allow.empty()) return std::nullopt;  // a script may answer on an unknown path
  if (match.route == nullptr) return refuse::wrong_method(request.method, match.allow);
  return check_access(request, match, frame);
}

std::unique_ptr<Generation> Engine::State::answer_as_directed(const HttpRequest& request, const Match& match,
                                                              CallFrame& frame,
                                                              std::optional<Refusal> offence) {
  auto entry =
      JournalWriter::is_on(journal) ? JournalWriter::entry_of(request, frame.request_number) : JournalEntry();
  if (!offence) {
    const auto direction =
        std::make_shared<const Direction>(director.direct(request, match.name, frame.request_number));
    frame.direction = direction;
    if (direction->pacing) frame.pacing = *direction->pacing;
    entry.rule = direction->rule;
    entry.chaos = direction->chaos;
    entry.near_misses = direction->near_misses;
  }
  std::unique_ptr<Generation> answered;
  try {
    answered = answer(request, match, frame, std::move(offence));
  } catch (const std::exception&) {  // a counted request is recorded, however it ended
    answered = refusal_answer(frame.dialect, refuse::thrown(), frame.request_id);
  }
  return JournalWriter::follow(journal, std::move(entry), std::move(answered));
}

std::unique_ptr<Generation> Engine::State::answer(const HttpRequest& request, const Match& match,
                                                  CallFrame& frame, std::optional<Refusal> offence) {
  auto answer = to_generation(offence ? *std::move(offence) : route(request, match, frame), frame);
  return frame.faults_inside ? with_scripted_delay(std::move(answer), frame)
                             : with_scripted_fault(std::move(answer), frame);
}

Answer Engine::State::route(const HttpRequest& request, const Match& match, CallFrame& frame) {
  if (auto scripted = answer_without_model(frame)) return *std::move(scripted);
  if (match.allow.empty()) return refuse::no_route(request.method, path_of(request.url));
  const auto one = [&](auto describe, auto refuse_missing) -> Answer {
    const auto endpoint = endpoints.find(match.name);
    if (!endpoint) return refuse_missing(match.name);
    return json_answer(describe(*endpoint, frame.created), frame.request_id);
  };
  switch (match.route->task) {
    case Task::list_models: return json_answer(list_models(endpoints, frame.created), frame.request_id);
    case Task::get_model: return one(&describe_model, &refuse::no_endpoint);
    case Task::list_endpoints: return json_answer(list_endpoints(endpoints, frame.created), frame.request_id);
    case Task::get_endpoint: return one(&describe_endpoint, &refuse::endpoint_not_found);
    case Task::create_endpoint: return create_endpoint(request, frame);
    case Task::delete_endpoint: return delete_endpoint(match.name, frame);
    case Task::get_response:
      return in_time(retrieve_response(*kept_responses, match.id, request.url, frame.request_id), frame);
    case Task::cancel_response: return json_or_refusal(cancel_response(*kept_responses, match.id), frame);
    case Task::delete_response: return json_or_refusal(delete_response(*kept_responses, match.id), frame);
    case Task::list_input_items:
      return json_or_refusal(list_input_items(*kept_responses, match.id, request.url), frame);
    case Task::compact: return refuse::no_route(request.method, path_of(request.url));
    default: return ask_model(request, match, frame);
  }
}

std::optional<Refusal> Engine::State::check_access(const HttpRequest& request, const Match& match,
                                                   const CallFrame& frame) const {
  if (match.mount == Mount::sagemaker) {
    // SageMaker's limit comes first: signatures cover the whole body, and containers take longer ones.
    if (auto refusal = check_size(request, frame.dialect)) return refusal;
    if (options.aws_keys) return check_signature(request, *options.aws_keys);
  }
  return check_key(request.headers, options.api_key, frame.dialect.wants_bearer);
}

Answer Engine::State::create_endpoint(const HttpRequest& request, const CallFrame& frame) {
  auto parsed = read_body(request, frame.dialect);
  if (!parsed) return std::move(parsed).refusal();
  auto planned = plan_endpoint(*parsed, endpoints);
  if (!planned) return std::move(planned).refusal();
  auto description = describe_endpoint(*planned, frame.created);
  const auto name = planned->name;
  if (!endpoints.add(*std::move(planned))) return refuse::endpoint_exists(name);
  return json_answer(std::move(description), frame.request_id);
}

Answer Engine::State::delete_endpoint(const std::string& name, const CallFrame& frame) {
  if (!endpoints.remove(name)) return refuse::endpoint_not_found(name);
  return json_answer("{}", frame.request_id);
}

Answer Engine::State::ask_model(const HttpRequest& request, const Match& match, CallFrame& frame) const {
  const auto endpoint = match.name.empty() ? EndpointRef() : endpoints.find(match.name);
  if (!match.name.empty() && !endpoint) return refuse::no_endpoint(match.name);
  if (match.mount != Mount::sagemaker) return ask(endpoint, request, match, frame);

  frame.dialect = dialects.at(Mount::lmi);
  Answer answer = refuse::thrown();
  try {
    answer = ask(endpoint, request, match, frame);
  } catch (const std::exception&) {
    // SageMaker reports it below, like every error of a container.
  }
  auto container = with_scripted_fault(to_generation(std::move(answer), frame), frame);
  frame.faults_inside = true;
  return behind_sagemaker(std::move(container), match.route->task == Task::container_stream,
                          frame.request_id);
}

Answer Engine::State::ask(EndpointRef endpoint, const HttpRequest& request, const Match& match,
                          CallFrame& frame) const {
  auto parsed = read_body(request, frame.dialect);
  if (!parsed) return std::move(parsed).refusal();
  const auto& document = *parsed;

  if (!endpoint) {
    auto found = endpoint_of(document, match, frame.dialect);
    if (!found) return std::move(found).refusal();
    endpoint = *std::move(found);
  }
  if (is_chat_at_v1(match) && !options.v1) frame.dialect = dialects.of(endpoint->api);
  endpoint = draw_served_model(endpoint, mix(options.seed, frame.request_number));

  const Task task = match.route->task;
  if (options.deadline && may_truncate(task, document, *endpoint))
    frame.cut_at = frame.start + *options.deadline;
  if (auto earlier = unfinished_earlier(task, document, frame.dialect, *kept_responses)) {
    return in_time(answer_continuation({.earlier = std::move(earlier),
                                        .task = task,
                                        .document = *std::move(parsed),
                                        .body = request.body,
                                        .endpoint = std::move(endpoint),
                                        .seed = options.seed,
                                        .prompts = options.prompts,
                                        .keeper = kept_responses,
                                        .frame = frame}),
                   frame);
  }
  return in_time(ask_endpoint(task, {document, request.body, *endpoint, frame.dialect, options.seed},
                              {options.prompts, kept_responses}, frame),
                 frame);
}

/// Returns the endpoint that the body names.
OrRefusal<EndpointRef> Engine::State::endpoint_of(const Document& document, const Match& match,
                                                  const Dialect& dialect) const {
  const auto* name = member(document, "model");
  if (dialect.one_model) {
    auto named = name != nullptr && name->is_string() ? endpoints.find(name->get_ref<const std::string&>())
                                                      : EndpointRef();
    if (named) return named;
    const auto own = endpoints.find(
        member(document, dialect.embeddings.input) == nullptr ? container_model : container_embedding_model);
    return own ? OrRefusal<EndpointRef>(own) : refuse::no_endpoint(container_model);
  }
  if (name == nullptr) return refuse::missing("model");
  if (!name->is_string()) return refuse::wrong_type("model", "a string", kind_of(*name));
  auto endpoint = endpoints.find(name->get_ref<const std::string&>());
  const bool elsewhere = match.mount == Mount::ai21 && endpoint && endpoint->api != Api::ai21;
  if (!endpoint || elsewhere) return refuse::no_endpoint(name->get_ref<const std::string&>());
  return endpoint;
}

Answer Engine::State::in_time(Answer answer, const CallFrame& frame) const {
  if (!answer) return answer;
  *answer = guarded(*std::move(answer), frame);
  const bool has_its_end = frame.cut_at != TimePoint::max();
  if (has_its_end || !options.deadline) return answer;
  return until(frame.start + *options.deadline, *std::move(answer), frame);
}

std::uint64_t Engine::max_request_bytes() const { return state_->dialects.most_body_bytes(); }

Journal Engine::journal() const { return state_->journal; }

std::vector<std::string> Engine::endpoint_names() const {
  std::vector<std::string> names;
  for (const auto& endpoint : state_->endpoints.all()) names.push_back(endpoint->name);
  return names;
}

}  // namespace inferwire::inline v0_1::engine
