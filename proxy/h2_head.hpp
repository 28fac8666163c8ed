#pragma once
// HTTP/2 header blocks <-> the heads that the rest of the proxy knows. No I/O; any thread. Hardened against hostile fields.
// Sources: RFC 9113 sections 8.1 to 8.3, 8.5; RFC 8441 (extended CONNECT). Names that are no lower-case tokens, control bytes in values,
// connection-specific fields, and missing, unknown or late pseudo-header fields were refused before, by nghttp2.

#include "proxy/request_head.hpp"
#include "proxy/request_target.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// Whether this is the last of a message.
enum class EndStream : bool { no, yes };

struct H2Request {
  RequestHead head;      // target is :path, of a plain CONNECT :authority; the Host field, in front, is :authority
  std::string scheme;    // empty for a plain CONNECT
  std::string protocol;  // of an extended CONNECT, as "websocket"; otherwise empty
};

/// `block` is what a HEADERS frame carried, pseudo-header fields in front. Errors (Code::invalid): no :authority, a Host field that differs
/// from it, and what check_request_fields and request_body_kind say. A body of unknown length is Chunked; cookie fields become one.
Result<H2Request> h2_request_of(std::vector<Field> const& block, EndStream end);
/// `request_method` decides whether a body follows. A body of unknown length is Chunked.
Result<ResponseHead> h2_response_of(std::vector<Field> const& block, std::string_view request_method, EndStream end);

/// The header block of a request, in canonical form like write_request_head(): end-to-end fields, `te: trailers` if it was there, framing
/// and Expect written anew. With a `protocol` it is an extended CONNECT, whatever head.method is. Knows no plain CONNECT.
std::vector<Field> h2_request_fields(RequestHead const& head, HttpTarget const& target, std::string_view protocol);
/// The fields of a response from a server, without :status, like write_response_head(): any Sallyport-Reason is dropped.
std::vector<Field> h2_response_fields(ResponseHead const& head);
/// Fields that may stand behind a body: those that are about one connection, frame the message or route it are dropped.
std::vector<Field> h2_trailer_fields(std::vector<Field> const& trailers);

}  // namespace sallyport::proxy
