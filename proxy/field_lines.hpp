#pragma once
// The part that request and response heads share: where a head ends, and its field lines. No I/O; any thread.
// Hardened against hostile bytes. Source: RFC 9112 sections 2.2, 5.

#include "base/result.hpp"
#include "proxy/request_head.hpp"

#include <optional>
#include <string_view>
#include <variant>
#include <vector>

namespace sallyport::proxy {

enum class HeadKind { request, response };

/// A complete head as it stands in the buffer.
struct HeadBytes {
  std::string_view start_line;   // without CRLF
  std::string_view field_lines;  // each with its CRLF, without the empty line
  std::size_t wire_bytes = 0;    // from the start of the buffer to behind the empty line
};
using HeadSearch = std::variant<NeedMore, HeadBytes, Error>;

/// Looks for the empty line that ends a head, without looking at more than is needed for that. Cheap to repeat on a
/// growing buffer. Refuses as early as possible: a bare LF, a start line that cannot be HTTP/1.x, too many bytes or lines.
HeadSearch find_head(std::string_view buffer, HeadKind kind);

/// field-line = field-name ":" OWS field-value OWS. `line` is without CRLF.
Result<Field> parse_field_line(std::string_view line);
/// `lines`: as in HeadBytes. Connection fields must be lists of tokens, with not more of them than there may be fields.
Result<std::vector<Field>> parse_field_lines(std::string_view lines);

/// The first field with this name (no case).
std::optional<std::string_view> find_field(std::vector<Field> const& fields, std::string_view name);
std::size_t count_fields(std::vector<Field> const& fields, std::string_view name);
/// Whether a Connection field lists `option` (no case).
bool has_connection_option(std::vector<Field> const& fields, std::string_view option);
/// Whether the sender keeps the connection open behind this message (RFC 9112 section 9.3).
bool wants_keep_alive(std::vector<Field> const& fields, int minor_version);

}  // namespace sallyport::proxy
