/// \file
/// JSON objects whose keys the caller chooses.
#pragma once

#include <string>
#include <vector>

namespace inferwire::inline v0_1 {

/// A named value of a JSON object that serves as a dictionary.
template <class T>
struct Named {
  std::string name{};
  T value{};

  friend bool operator==(const Named&, const Named&) = default;
};

/// A JSON object with keys of the caller's choice, in order: `{{"2435", -100}, {"640", -100}}`.
template <class T>
using Dictionary = std::vector<Named<T>>;

}  // namespace inferwire::inline v0_1
