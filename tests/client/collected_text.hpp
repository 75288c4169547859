/// \file
/// What a collected stream of a chat has come to, as one string.
#pragma once

#include "inferwire/chat.hpp"
#include "inferwire/stream.hpp"

#include <string>

namespace inferwire_test {

/// The text of an answer, followed by the kind of its error: "one /connection".
inline std::string text_and_error(const inferwire::Collected<inferwire::chat::Response>& answer) {
  return answer.response.text() + (answer.error ? "/" + std::string(name(answer.error->kind)) : "");
}

}  // namespace inferwire_test
