#include "proxy/body_kind.hpp"

#include "proxy/field_lines.hpp"
#include "proxy/token.hpp"

#include <charconv>
#include <limits>

namespace sallyport::proxy {
namespace {

/// What the framing fields say, before method and status are looked at. UntilClose stands for "they say nothing".
Result<BodyKind> declared_body(std::vector<Field> const& fields, int minor_version) {
  auto const lengths = count_fields(fields, "content-length");
  auto const codings = count_fields(fields, "transfer-encoding");
  if (lengths > 1) return Error::invalid("more than one Content-Length");
  if (codings > 1) return Error::invalid("more than one Transfer-Encoding");
  if (lengths == 1 && codings == 1) return Error::invalid("Content-Length and Transfer-Encoding in one head");
  if (codings == 1) {
    if (minor_version == 0) return Error::invalid("Transfer-Encoding in HTTP/1.0");
    if (!equal_no_case(*find_field(fields, "transfer-encoding"), "chunked"))
      return Error::invalid("transfer coding is not exactly chunked");
    return BodyKind{Chunked{}};
  }
  if (lengths == 0) return BodyKind{UntilClose{}};
  auto const length = parse_content_length(*find_field(fields, "content-length"));
  if (!length) return length.error();
  return BodyKind{ContentLength{*length}};
}

bool never_has_body(std::string_view request_method, int status) {
  if (status < 200 || status == 204 || status == 304) return true;
  if (request_method == "CONNECT" && status < 300) return true;
  return request_method == "HEAD";
}

}  // namespace

Result<std::uint64_t> parse_content_length(std::string_view value) {
  std::uint64_t bytes = 0;
  auto const [end, error] = std::from_chars(value.data(), value.data() + value.size(), bytes);
  bool const whole = !value.empty() && error == std::errc{} && end == value.data() + value.size();
  if (!whole || bytes > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    return Error::invalid("Content-Length is not a number of bytes");
  }
  return bytes;
}

Result<BodyKind> request_body_kind(std::vector<Field> const& fields, BodyContext const& context) {
  auto declared = declared_body(fields, context.minor_version);
  if (!declared) return declared.error();
  if (std::holds_alternative<UntilClose>(*declared)) return BodyKind{NoBody{}};
  if (context.request_method != "CONNECT") return declared;
  if (*declared == BodyKind{ContentLength{0}}) return BodyKind{NoBody{}};
  return Error::invalid("CONNECT request with a body");
}

Result<BodyKind> response_body_kind(std::vector<Field> const& fields, BodyContext const& context, int status) {
  auto declared = declared_body(fields, context.minor_version);
  if (!declared) return declared.error();
  if (never_has_body(context.request_method, status)) return BodyKind{NoBody{}};
  return declared;
}

}  // namespace sallyport::proxy
