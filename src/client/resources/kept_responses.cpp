// Requests about responses that the service stores, by their id.
#include "base/percent.hpp"
#include "client/resources/launch.hpp"
#include "client/resources/open.hpp"
#include "client/resources/resource.hpp"
#include "inferwire/client.hpp"
#include "inferwire/response_events.hpp"
#include "wire/documents.hpp"

#include <type_traits>
#include <utility>

namespace inferwire::inline v0_1 {

namespace client {

namespace {

constexpr Subject about_responses{RequestTraits<responses::Request>::name, {}};

/// The path of a stored response, or of `below` under it.
Result<std::string> kept_path(const detail::Core& core, const std::string& id, std::string_view below) {
  auto path =
      path_of(core.provider(), "kept responses", core.provider().kept_responses, {}, AnswerForm::whole);
  if (path && id.empty()) {
    return Error{.kind = ErrorKind::invalid_request,
                 .detail = "the response has no id, and the path needs one",
                 .param = "id",
                 .provider = core.provider().name};
  }
  if (path) ((*path += '/') += percent_encode_segment(id)) += below;
  return path;
}

/// The reader of a whole response, or of a document about one.
template <class Document>
auto kept_reader(const detail::Core& core) {
  if constexpr (std::is_same_v<Document, responses::Response>) {
    return AnswerReader<responses::Event>{1, core.provider().stream};
  } else {
    return document_reader<Document>();
  }
}

/// The verb of a request about response `id`, or about what is `below` it.
template <class Document>
auto kept_verb(const char* method, const std::string& id, const char* below = "") {
  return [=, &id](detail::Core& core, const CallOptions& options) {
    auto http = kept_path(core, id, below).and_then([&](std::string path) {
      return core.request({.method = method, .path = std::move(path)}, options);
    });
    return Verb{about_responses, std::move(http), kept_reader<Document>(core)};
  };
}

auto retrieval(const std::string& id) { return kept_verb<responses::Response>("GET", id); }
auto cancellation(const std::string& id) { return kept_verb<responses::Response>("POST", id, "/cancel"); }
auto removal(const std::string& id) { return kept_verb<responses::Deletion>("DELETE", id); }
auto listing(const std::string& id) { return kept_verb<responses::List>("GET", id, "/input_items"); }

/// The request of `resume` and `reopen`.
Result<StreamPlan> resumption(const std::shared_ptr<detail::Core>& client, const std::string& id,
                              const Optional<std::int64_t>& starting_after, const CallOptions& options) {
  if (!client) return moved_from();
  auto path = kept_path(*client, id, {});
  if (!path) return std::move(path).error();
  auto changed = options;
  changed.query.push_back({"stream", "true"});
  if (starting_after) changed.query.push_back({"starting_after", std::to_string(*starting_after)});
  auto http = client->request({.path = *std::move(path), .form = AnswerForm::stream}, changed);
  if (!http) return std::move(http).error();
  return StreamPlan{about_responses.operation, {}, *std::move(http), 1, options};
}

}  // namespace

}  // namespace client

namespace responses {

Result<Response> Resource::retrieve(const std::string& id, const CallOptions& options) const {
  return client::ask(core_, options, client::retrieval(id));
}

Result<Response> Resource::cancel(const std::string& id, const CallOptions& options) const {
  return client::ask(core_, options, client::cancellation(id));
}

Result<Deletion> Resource::remove(const std::string& id, const CallOptions& options) const {
  return client::ask(core_, options, client::removal(id));
}

Result<List> Resource::list_input_items(const std::string& id, const CallOptions& options) const {
  return client::ask(core_, options, client::listing(id));
}

Stream<Event> Resource::resume(const std::string& id, Optional<std::int64_t> starting_after,
                               const CallOptions& options) const {
  return client::stream_of<Event>(core_, client::resumption(core_, id, starting_after, options));
}

Pending<Response> Resource::start_retrieve(const std::string& id, const CallOptions& options) const {
  return client::launch(core_, options, client::retrieval(id));
}

Pending<Response> Resource::start_cancel(const std::string& id, const CallOptions& options) const {
  return client::launch(core_, options, client::cancellation(id));
}

Pending<Deletion> Resource::start_remove(const std::string& id, const CallOptions& options) const {
  return client::launch(core_, options, client::removal(id));
}

Pending<List> Resource::start_list_input_items(const std::string& id, const CallOptions& options) const {
  return client::launch(core_, options, client::listing(id));
}

AsyncStream<Event> Resource::reopen(const std::string& id, Optional<std::int64_t> starting_after,
                                    const CallOptions& options) const {
  return client::open_of<Event>(core_, client::resumption(core_, id, starting_after, options), options);
}

}  // namespace responses

}  // namespace inferwire::inline v0_1
