/// \file
/// A log and an observer that record what they receive.
#pragma once

#include "inferwire/log.hpp"
#include "inferwire/observer.hpp"

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire_test {

/// A list of texts. Any thread may use it.
class Texts {
 public:
  void add(std::string text) {
    const std::lock_guard lock(mutex_);
    texts_.push_back(std::move(text));
  }
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return texts_;
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> texts_;
};

class Lines final : public inferwire::Log {
 public:
  explicit Lines(inferwire::LogLevel least) : least_(least) {}

  void write(inferwire::LogLevel, std::string_view text) noexcept override { texts_.add(std::string(text)); }
  inferwire::LogLevel level() const noexcept override { return least_; }
  std::vector<std::string> lines() const { return texts_.all(); }
  /// All lines in one text.
  std::string text() const {
    std::string all;
    for (const auto& line : lines()) all += line + '\n';
    return all;
  }

 private:
  inferwire::LogLevel least_;
  Texts texts_;
};

/// Records everything that observers receive, as "attempt 1 POST http://...", "header: value", ... Sizes,
/// texts and ids stand like headers: "body-bytes: 12". A call's context has to be a std::string.
class Transcript final : public inferwire::Observer {
 public:
  std::unique_ptr<inferwire::CallObserver> begin(const inferwire::CallStart& call) noexcept override {
    texts_->add("begin " + std::string(call.operation) + (call.stream ? " stream " : " ") +
                std::string(call.provider) + " " + std::string(call.model) + " " + std::string(call.host) +
                ":" + std::to_string(call.port));
    if (!call.label.empty()) texts_->add("label " + std::string(call.label));
    if (call.context) texts_->add("context " + *static_cast<const std::string*>(call.context.get()));
    for (const auto& [name, value] : call.settings) {
      texts_->add("setting " + std::string(name) + "=" + std::string(value));
    }
    return std::make_unique<One>(texts_);
  }

  std::vector<std::string> texts() const { return texts_->all(); }

 private:
  class One final : public inferwire::CallObserver {
   public:
    explicit One(std::shared_ptr<Texts> texts) : texts_(std::move(texts)) {}

    void on_attempt(const inferwire::AttemptStart& attempt,
                    std::vector<inferwire::Header>& add) noexcept override {
      texts_->add("attempt " + std::to_string(attempt.number) + " " + std::string(attempt.method) + " " +
                  std::string(attempt.url));
      tell("body-bytes", std::to_string(attempt.body_bytes));
      tell(attempt.headers);
      if (!attempt.body.empty()) texts_->add("body " + std::string(attempt.body));
      add.push_back({"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"});
    }
    void on_answer(const inferwire::AnswerStart& answer) noexcept override {
      texts_->add("answer " + std::to_string(answer.attempt) + " " + std::to_string(answer.status) + " " +
                  std::string(answer.request_id));
      tell("http-version", answer.http_version);
      tell(answer.headers);
    }
    void on_retry(const inferwire::RetryPlan& plan) noexcept override {
      texts_->add("retry " + std::to_string(plan.attempt) + " " + plan.error.message() + " " +
                  plan.error.body);
    }
    void on_element(const inferwire::ElementSeen& element) noexcept override {
      texts_->add("element " + std::to_string(element.number));
      tell("element-bytes", std::to_string(element.bytes));
      if (!element.text.empty()) tell("element-text", element.text);
    }
    void on_finish(const inferwire::CallEnd& end) noexcept override {
      tell("finish-request-id", end.request_id);
      std::string text = "finish " + std::to_string(end.status) + " " + std::to_string(end.attempts);
      if (end.error != nullptr) text += " " + end.error->message() + " " + end.error->body;
      text += " " + end.answer.id + " " + end.answer.model;
      for (const auto& reason : end.answer.finish_reasons) text += " " + reason;
      if (end.answer.input_tokens) text += " in " + std::to_string(*end.answer.input_tokens);
      if (end.answer.output_tokens) text += " out " + std::to_string(*end.answer.output_tokens);
      texts_->add(text);
      if (!end.body.empty()) texts_->add("body " + std::string(end.body));
    }

   private:
    void tell(std::string_view name, std::string_view value) {
      texts_->add(std::string(name) + ": " + std::string(value));
    }
    void tell(std::span<const inferwire::Header> headers) {
      for (const auto& [name, value] : headers) tell(name, value);
    }

    std::shared_ptr<Texts> texts_;
  };

  std::shared_ptr<Texts> texts_ = std::make_shared<Texts>();
};

}  // namespace inferwire_test
