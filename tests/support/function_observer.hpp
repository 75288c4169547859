/// \file
/// An observer made of functions.
#pragma once

#include "inferwire/observer.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace inferwire_test {

/// Calls its functions, if they are set, for every call.
class FunctionObserver final : public inferwire::Observer {
 public:
  std::function<void(std::vector<inferwire::Header>& add)> at_attempt;
  std::function<void(const inferwire::AnswerStart&)> at_answer;
  std::function<void()> at_retry;
  std::function<void(const inferwire::ElementSeen&)> at_element;
  std::function<void(const inferwire::CallEnd&)> at_finish;

  std::unique_ptr<inferwire::CallObserver> begin(const inferwire::CallStart&) noexcept override {
    return std::make_unique<Call>(*this);
  }

 private:
  struct Call final : inferwire::CallObserver {
    explicit Call(const FunctionObserver& made_of) : all(made_of) {}

    void on_attempt(const inferwire::AttemptStart&, std::vector<inferwire::Header>& add) noexcept override {
      if (all.at_attempt) all.at_attempt(add);
    }
    void on_answer(const inferwire::AnswerStart& answer) noexcept override {
      if (all.at_answer) all.at_answer(answer);
    }
    void on_retry(const inferwire::RetryPlan&) noexcept override {
      if (all.at_retry) all.at_retry();
    }
    void on_element(const inferwire::ElementSeen& element) noexcept override {
      if (all.at_element) all.at_element(element);
    }
    void on_finish(const inferwire::CallEnd& end) noexcept override {
      if (all.at_finish) all.at_finish(end);
    }

    const FunctionObserver& all;
  };
};

}  // namespace inferwire_test
