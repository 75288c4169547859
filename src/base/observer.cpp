#include "inferwire/observer.hpp"

namespace inferwire::inline v0_1 {

Observer::~Observer() = default;

CallObserver::~CallObserver() = default;
void CallObserver::on_attempt(const AttemptStart&, std::vector<Header>&) noexcept {}
void CallObserver::on_answer(const AnswerStart&) noexcept {}
void CallObserver::on_retry(const RetryPlan&) noexcept {}
void CallObserver::on_element(const ElementSeen&) noexcept {}
void CallObserver::on_finish(const CallEnd&) noexcept {}

}  // namespace inferwire::inline v0_1
