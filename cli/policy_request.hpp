#pragma once
// METHOD URL, as `policy explain` takes it -> the request the engine decides. Pure; any thread.

#include "base/result.hpp"
#include "policies/request.hpp"

#include <string_view>

namespace sallyport::cli {

/// "GET http://host[:port]/path" is one HTTP request, "GET https://…" the same inside TLS (policies/answer.hpp knows whether anybody
/// sees it); with ws:// and wss:// it asks to become a WebSocket; "CONNECT host:port" is a tunnel before its first byte.
Result<policies::Request> parse_request(std::string_view method, std::string_view url);

}  // namespace sallyport::cli
