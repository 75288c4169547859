// A user's header that only passes our types around needs no more than fwd.hpp, and means the same with all
// headers.
#include <inferwire/fwd.hpp>

using namespace inferwire;

void pass(Client&, const ClientOptions&, const CallOptions&, ResponseInfo&, const Header&, Headers&,
          RawResponse&, const BodyEdit&, const Visibility&, LogLevel, Toolbox&, const BatchOptions&,
          InfoPlace&, Finish);
void pass(const responses::Message&, const responses::FunctionCall&, const responses::FunctionCallOutput&,
          const responses::Reasoning&, const responses::ItemReference&);
using ChatLoop = ToolLoopOf<chat::Request, chat::Response>;

#include <inferwire/batch.hpp>
#include <inferwire/clock.hpp>
#include <inferwire/engine/engine.hpp>
#include <inferwire/engine/service.hpp>
#include <inferwire/inferwire.hpp>
#include <inferwire/tools.hpp>

#include <type_traits>

static_assert(std::is_same_v<ChatLoop, chat::ToolLoop>);

// Users often have this name, for one of Boost's namespaces.
namespace user::http {
struct Request {};
}  // namespace user::http
namespace http = user::http;
http::Request about_http();
