#include "engine/constraint/vocabulary.hpp"

#include "support/catch.hpp"
#include "support/rendezvous.hpp"
#include "wrapped_model.hpp"

#include <future>
#include <memory>

using namespace inferwire::engine;
using namespace inferwire_test;

TEST_CASE("vocabulary_of calls a model without a lock") {
  struct Asking final : WrappedModel {
    bool is_end(Token token) const override {
      if (token == 0) static_cast<void>(vocabulary_of(toy_model()));
      return WrappedModel::is_end(token);
    }
  };
  const auto model = std::make_shared<const Asking>();
  CHECK(vocabulary_of(model)->size() == vocabulary_of(toy_model())->size());
}

TEST_CASE("threads that ask for a vocabulary at the same time get the same one") {
  struct Meeting final : WrappedModel {
    bool is_end(Token token) const override {
      if (token == 0) both.arrive_and_wait();
      return WrappedModel::is_end(token);
    }
    mutable Rendezvous both{2};
  };
  const auto model = std::make_shared<const Meeting>();
  auto other = std::async(std::launch::async, [&] { return vocabulary_of(model); });
  const auto vocabulary = vocabulary_of(model);
  CHECK(other.get() == vocabulary);
  CHECK(vocabulary_of(model) == vocabulary);
}

TEST_CASE("models with one owner have their own vocabularies") {
  struct Two {
    NarrowModel first{1};
    NarrowModel second{2};
  };
  const auto owner = std::make_shared<const Two>();
  const std::shared_ptr<const LanguageModel> first(owner, &owner->first), second(owner, &owner->second);
  const auto vocabulary = vocabulary_of(first);
  CHECK(vocabulary_of(second) != vocabulary);
  CHECK(vocabulary_of(first) == vocabulary);
}
