/// \file
/// Numbers as the texts of a batch of embeddings, and a service that answers each with its number.
#pragma once

#include "inferwire/batch.hpp"
#include "inferwire/nlohmann.hpp"
#include "inferwire/testing/mock_server.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace inferwire_test {

/// What is asked for every text.
inline const inferwire::embeddings::Request model{.model = "m"};

/// "0", "1" and so on.
inline std::vector<std::string> numbers(std::size_t count) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back(std::to_string(i));
  return texts;
}

inline std::vector<std::string> inputs_of(const inferwire::HttpRequest& request) {
  return nlohmann::json::parse(request.body).at("input").get<std::vector<std::string>>();
}

/// Returns a row for each text that contains the text's number.
inline inferwire::testing::Reply rows_for(const inferwire::HttpRequest& request) {
  auto data = nlohmann::json::array();
  for (const auto& text : inputs_of(request)) {
    data.push_back({{"index", data.size()}, {"embedding", {std::stof(text), 0.5F}}});
  }
  const auto tokens = data.size();
  return inferwire::testing::Reply::json(
      nlohmann::json{{"object", "list"},
                     {"model", "m-1"},
                     {"data", data},
                     {"usage", {{"prompt_tokens", tokens}, {"total_tokens", tokens}}}}
          .dump());
}

/// The first text of each request, in order: shows how the texts were cut into requests.
inline std::vector<std::string> first_inputs(const inferwire::testing::MockServer& server) {
  std::vector<std::string> firsts;
  for (const auto& request : server.requests()) firsts.push_back(inputs_of(request).front());
  return firsts;
}

inline void check_rows(const inferwire::embeddings::Rows& rows, std::size_t count) {
  REQUIRE(rows.failures.empty());
  REQUIRE(rows.dimensions == 2);
  REQUIRE(rows.values.size() == 2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(rows.row(i)[0] == static_cast<float>(i));
    CHECK(rows.row(i)[1] == 0.5F);
  }
}

}  // namespace inferwire_test
