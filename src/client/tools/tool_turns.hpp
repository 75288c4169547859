/// \file
/// The differences of a tool loop between chat completions and the Responses API.
#pragma once

#include "inferwire/client.hpp"
#include "inferwire/tools.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace inferwire::inline v0_1::client {

/// Adds the tools' definitions to a request, in place of its definitions of the same names.
void add_tools(chat::Request& request, const Toolbox& tools);
void add_tools(responses::Request& request, const Toolbox& tools);

/// The elements of the conversation in a request.
std::vector<chat::Message>& conversation(chat::Request& request) noexcept;
std::vector<responses::Item>& conversation(responses::Request& request);

/// A request with nothing but the end of the conversation in `request`: its last element, and the id of the
/// response that it continues.
chat::Request end_of(const chat::Request& request);
responses::Request end_of(responses::Request& request);

/// Removes from a request that an answer has seen the items that the server stores.
void drop_stored(chat::Request& request) noexcept;
void drop_stored(responses::Request& request);

/// The place in the conversation for an answer that has seen `seen` elements, the last of which `end` holds:
/// behind that one, although the program may have put others before it or removed some. If the program has
/// removed that one too, a place at which no call is apart from its result.
std::size_t place_of_turn(chat::Request& request, chat::Request end, std::size_t seen);
std::size_t place_of_turn(responses::Request& request, responses::Request end, std::size_t seen);

Result<chat::Response> ask(const Client& client, const chat::Request& request, const CallOptions& options);
Result<responses::Response> ask(const Client& client, const responses::Request& request,
                                const CallOptions& options);

/// Replaces ids that the library generated for calls if the conversation already has them.
void make_ids_unique(const chat::Request& request, chat::Response& response);
void make_ids_unique(const responses::Request& request, const responses::Response& response);

/// The error that an answer contains in place of content, or of the calls that it announces.
std::optional<Error> failure_of(const chat::Response& response);
std::optional<Error> failure_of(const responses::Response& response);

bool has_calls(const chat::Response& response) noexcept;
bool has_calls(const responses::Response& response);

/// The types of the items in an answer that require an action of the program, since no function performs it.
std::string awaited(const chat::Response& response);
std::string awaited(const responses::Response& response);

/// Whether an answer is complete: calls of a cut-off answer are not run.
bool is_whole(const chat::Response& response) noexcept;
bool is_whole(const responses::Response& response);

/// Whether the stream of an answer ended inside one of its calls.
bool has_cut_calls(const chat::Response& response);
bool has_cut_calls(const responses::Response& response);

/// The calls of an answer, to be run.
std::vector<CalledTool> calls_of(const chat::Response& response);
std::vector<CalledTool> calls_of(const responses::Response& response);

/// Inserts an answer and the results of `calls`, which are all of its calls or none, after the first `seen`
/// items, which the answer has seen; more may have been added since.
void add_turn(chat::Request& request, std::size_t seen, const chat::Response& response,
              std::span<const CalledTool> calls);
void add_turn(responses::Request& request, std::size_t seen, const responses::Response& response,
              std::span<const CalledTool> calls);

}  // namespace inferwire::inline v0_1::client
