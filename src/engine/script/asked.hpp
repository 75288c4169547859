/// \file
/// A request as seen by the rules of a script.
#pragma once

#include "engine/document.hpp"
#include "inferwire/engine/script.hpp"
#include "inferwire/transport.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferwire::inline v0_1::engine {

/// Read once for all rules. The request must outlive it.
class Asked {
 public:
  /// `name`: the model named in the path; empty: the body names it.
  Asked(const HttpRequest& request, std::string name);

  /// A description of the first condition of `matcher` that does not hold: "model is not 'slow-*'";
  /// std::nullopt if all do.
  std::optional<std::string> misses(const Matcher& matcher) const;

 private:
  struct Said {
    std::string role;
    std::string text;
    std::string call_id;
  };
  void read_messages(const Document& messages);
  bool said(std::string_view part, std::string_view role = {}) const;
  const Said* last_user() const;
  bool offers(std::string_view tool) const;
  std::string_view format() const;

  const HttpRequest& request_;
  Document body_;  ///< null if it is not an object
  std::string model_;
  std::vector<Said> said_;
};

}  // namespace inferwire::inline v0_1::engine
