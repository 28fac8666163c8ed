#pragma once
// HTTP/1.1 request and response heads. No I/O; one parser per head, any thread. Hardened against hostile bytes.
// Sources: RFC 9112 (message syntax), RFC 9110 (fields), RFC 6455 section 1.8 for the upgrade token.

#include "base/limits.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sallyport::proxy {

struct Field {
  std::string name;   // as received; compared without case
  std::string value;  // without leading and trailing white space
  bool operator==(Field const&) const = default;
};

/// How the body of a message is delimited (RFC 9112 section 6.3).
struct NoBody { bool operator==(NoBody const&) const = default; };
struct ContentLength { std::uint64_t bytes = 0; bool operator==(ContentLength const&) const = default; };
struct Chunked { bool operator==(Chunked const&) const = default; };
struct UntilClose { bool operator==(UntilClose const&) const = default; };  // responses only
using BodyKind = std::variant<NoBody, ContentLength, Chunked, UntilClose>;

struct RequestHead {
  std::string method;
  std::string target;           // as received: authority-, absolute-, origin- or asterisk-form
  int minor_version = 1;        // HTTP/1.0 or HTTP/1.1
  std::vector<Field> fields;    // in order
  BodyKind body;
  bool keep_alive = true;       // what the client asked for
  bool expect_continue = false;
  bool websocket = false;       // asks to become one: what HTTP/2 says by :protocol, and websocket_request() to the server

  /// Value of the first field with this name (no case); nothing if there is none. Duplicates that matter are parse errors.
  std::optional<std::string_view> field(std::string_view name) const;
};

struct ResponseHead {
  int status = 0;
  std::string reason_phrase;
  int minor_version = 1;
  std::vector<Field> fields;
  BodyKind body;
  bool keep_alive = true;
  std::optional<std::string_view> field(std::string_view name) const;
};

struct NeedMore {};
/// A complete head; the bytes behind it belong to the body or to the next request.
template <class Head>
struct Parsed {
  Head head;
  std::size_t head_bytes = 0;  // of everything fed so far
};
template <class Head>
using HeadStep = std::variant<NeedMore, Parsed<Head>, Error>;  // Error::limit -> 431 or 414, Error::invalid -> 400

/// Parses one head. `buffer` is everything received since the start of the head, and grows from call to call.
/// Never blocks, throws, or reads past the empty line. Errors: bare CR or LF, obs-fold, space before the colon, NUL or
/// control bytes, no or two Host fields (RFC 9112 section 3.2; HTTP/1.0 may leave it out), Content-Length with
/// Transfer-Encoding, two or malformed Content-Length, a transfer coding other than exactly one "chunked", versions other
/// than 1.0 and 1.1, two Content-Type or Authorization fields, an Expect other than 100-continue, a field that asks for
/// another method (X-HTTP-Method-Override and its kin). A few leading empty lines are skipped (RFC 9112 section 2.2).
HeadStep<RequestHead> parse_request_head(std::string_view buffer);
/// `request_method` decides whether a body follows (HEAD, CONNECT). A 1xx head is returned like any other.
HeadStep<ResponseHead> parse_response_head(std::string_view buffer, std::string_view request_method);

/// What holds for the fields of every version of HTTP: one of each that must be single, no other method by a field, no unknown
/// Expect. Of HTTP/1.1 a Host field is required.
Result<void> check_request_fields(RequestHead const& head);

}  // namespace sallyport::proxy
