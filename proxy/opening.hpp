#pragma once
// The first bytes of a connection, read within their deadlines and told apart. Thread: its worker's.

#include "policies/verdict.hpp"
#include "proxy/activity.hpp"
#include "proxy/client_hello.hpp"
#include "proxy/refusal.hpp"
#include "proxy/request_head.hpp"
#include "proxy/stream.hpp"

#include <chrono>
#include <variant>

namespace sallyport::proxy {

/// Waits for the first unused byte. Code::closed when the client ends before it, Code::limit after `wait`.
awaitable<Result<void>> wait_first_byte(Stream& stream, std::chrono::milliseconds wait);
/// The same, Code::denied as soon as `activity` is revoked. Lifetime: both outlive the await.
awaitable<Result<void>> wait_first_byte(Stream& stream, Activity& activity, std::chrono::milliseconds wait);

/// Reads one request head, in `wait`, and consumes it. 400, 414 or 431 when it cannot be read.
/// REQUIRES: wait_first_byte() succeeded.
awaitable<Attempt<RequestHead>> read_request_head(Stream& stream, std::chrono::milliseconds wait);

struct HttpOpening {};
/// The client went away before its first byte.
struct NothingSent {};
/// What a tunnel carries. A ClientHello is only looked at: its bytes stay in the stream's buffer.
using Opening = std::variant<ClientHello, HttpOpening, NothingSent, Refusal>;
/// In `wait` from its first byte on. Refusal: not_tls, bad_request for a broken ClientHello, or timeout.
awaitable<Opening> read_opening(Stream& stream, std::chrono::milliseconds wait);

}  // namespace sallyport::proxy
