/// \file
/// The bundled model with changes, for tests of models that fail or have smaller windows.
#pragma once

#include "inferwire/engine/language_model.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferwire_test {

class WrappedModel : public inferwire::engine::LanguageModel {
 public:
  using Token = inferwire::engine::Token;

  std::string_view id() const override { return "wrapped"; }
  int vocabulary_size() const override { return toy_->vocabulary_size(); }
  int context_window() const override { return toy_->context_window(); }
  std::vector<Token> tokenize(std::string_view utf8, bool parse_special) const override {
    return toy_->tokenize(utf8, parse_special);
  }
  std::string_view token_bytes(Token token) const override { return toy_->token_bytes(token); }
  bool is_end(Token token) const override { return toy_->is_end(token); }
  std::string render(std::span<const inferwire::engine::ChatTurn> turns) const override {
    return toy_->render(turns);
  }
  std::unique_ptr<State> start(std::span<const Token> prompt) const override { return toy_->start(prompt); }
  void advance(State& state, Token token) const override { toy_->advance(state, token); }
  void log_probs(const State& state, std::span<float> out) const override { toy_->log_probs(state, out); }

 private:
  std::shared_ptr<const inferwire::engine::LanguageModel> toy_{inferwire::engine::toy_model()};
};

class NarrowModel final : public WrappedModel {
 public:
  explicit NarrowModel(int window) : window_(window) {}
  int context_window() const override { return window_; }

 private:
  int window_;
};

/// Throws when it is to read beyond its window, as llama.cpp does.
class BoundedModel final : public WrappedModel {
 public:
  explicit BoundedModel(int window) : window_(window) {}
  int context_window() const override { return window_; }
  std::unique_ptr<State> start(std::span<const Token> prompt) const override {
    return std::make_unique<Counted>(WrappedModel::start(prompt), static_cast<int>(prompt.size()));
  }
  void advance(State& state, Token token) const override {
    auto& counted = static_cast<Counted&>(state);
    if (++counted.tokens > window_) throw std::runtime_error("beyond the window");
    WrappedModel::advance(*counted.toy, token);
  }
  void log_probs(const State& state, std::span<float> out) const override {
    WrappedModel::log_probs(*static_cast<const Counted&>(state).toy, out);
  }

 private:
  struct Counted final : State {
    Counted(std::unique_ptr<State> the_toy, int the_tokens) : toy(std::move(the_toy)), tokens(the_tokens) {}
    std::unique_ptr<State> clone() const override { return std::make_unique<Counted>(toy->clone(), tokens); }

    std::unique_ptr<State> toy;
    int tokens;
  };

  int window_;
};

/// What a model throws: a std::exception, whose message must not be exposed, or something else.
enum class Thrown : std::uint8_t { exception, number };

[[noreturn]] inline void complain(Thrown what) {
  if (what == Thrown::number) throw 42;
  throw std::runtime_error("the prompt was: hunter2");
}

/// Throws in place of a token.
class ThrowingModel final : public WrappedModel {
 public:
  explicit ThrowingModel(Thrown what) : what_(what) {}
  void log_probs(const State&, std::span<float>) const override { complain(what_); }

 private:
  Thrown what_;
};

/// Throws before there is any answer.
class UnreadyModel final : public WrappedModel {
 public:
  explicit UnreadyModel(Thrown what) : what_(what) {}
  std::vector<Token> tokenize(std::string_view, bool) const override { complain(what_); }

 private:
  Thrown what_;
};

}  // namespace inferwire_test
