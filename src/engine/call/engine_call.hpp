/// \file
/// One request to the engine, from its arrival to the beginning of its answer.
#pragma once

#include "engine/answer/answer.hpp"
#include "engine/answer/call_frame.hpp"
#include "engine/call/engine_state.hpp"
#include "engine/document.hpp"
#include "engine/endpoints.hpp"
#include "engine/router.hpp"
#include "inferwire/engine/service.hpp"

#include <memory>
#include <optional>
#include <string>

namespace inferwire::inline v0_1::engine {

/// Borrows the state and the request. Its answer may outlive all three, and has copies of what it needs.
class EngineCall {
 public:
  /// The request arrives at `now`.
  EngineCall(EngineState& state, const HttpRequest& request, TimePoint now);

  /// Begins the answer; called once. An exception becomes an error 500.
  std::unique_ptr<Generation> answer();

 private:
  /// Whether this is a chat whose dialect the options or, without them, its endpoint determines.
  bool is_chat_at_v1() const;
  /// Checks whether the request is allowed at all. The script never sees one that is not.
  std::optional<Refusal> check() const;
  std::optional<Refusal> check_access() const;

  /// Answers as the script directs unless there is an offence, and records the request in the journal.
  std::unique_ptr<Generation> answer_as_directed(std::optional<Refusal> offence);
  /// Answers, with the scripted fault if any, or refuses because of the offence.
  std::unique_ptr<Generation> answer_or_refuse(std::optional<Refusal> offence);
  /// Passes the request to the part of the engine that answers it.
  Answer route();
  Answer create_endpoint();
  Answer delete_endpoint();
  /// Asks the model that the path names, or the one that the body names.
  Answer ask_model();
  /// Asks a model in the container behind SageMaker.
  std::unique_ptr<Generation> ask_container(EndpointRef endpoint);
  /// Asks `endpoint`, or the one that the body names if it is null.
  Answer ask(EndpointRef endpoint);
  /// The endpoint that the body names.
  OrRefusal<EndpointRef> endpoint_of(const Document& document) const;

  Answer answer_json(OrRefusal<std::string> body) const;
  /// Guards an answer against a model that throws, and ends it at the deadline at the latest.
  Answer in_time(Answer answer) const;
  /// The answer, or the error that says why there is none.
  std::unique_ptr<Generation> to_generation(Answer answer) const;

  EngineState& state_;
  const HttpRequest& request_;
  const Match match_;
  CallFrame frame_;
  bool faults_inside_{};  // the scripted fault was applied to the container behind SageMaker
};

}  // namespace inferwire::inline v0_1::engine
