/// \file
/// The accepted connections of a listening port, which cpp-httplib keeps to itself.
#pragma once

namespace inferwire::inline v0_1::server {

/// Lets more clients wait for being accepted than cpp-httplib's 5: beyond them a connect takes a second.
void widen_backlog(int listening_socket) noexcept;

/// Shuts down every connection of this process that was accepted on `port`, so that threads which read from
/// or write to one return at once. cpp-httplib 0.11 would let an idle keep-alive connection hold its thread,
/// and a reader that has stopped reading hold it as well, until a timeout.
void shut_down_accepted(int port) noexcept;

}  // namespace inferwire::inline v0_1::server
