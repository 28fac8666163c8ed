#include "proxy/request_head.hpp"

#include "proxy/body_kind.hpp"
#include "proxy/field_lines.hpp"
#include "proxy/token.hpp"

#include <algorithm>
#include <array>

namespace sallyport::proxy {
namespace {

// Fields that have one meaning only if there is one of them. Framing fields are looked at in body_kind.
constexpr std::array<std::string_view, 5> kSingletons = {"host", "content-type", "authorization", "proxy-authorization",
                                                         "expect"};
// Fields by which servers let a request stand for another method than the one that was decided on.
constexpr std::array<std::string_view, 3> kMethodOverrides = {"x-http-method-override", "x-http-method",
                                                              "x-method-override"};

/// "HTTP/1.0" or "HTTP/1.1", and its last digit.
Result<int> parse_version(std::string_view version) {
  if (version == "HTTP/1.1") return 1;
  if (version == "HTTP/1.0") return 0;
  return Error::invalid("version is not HTTP/1.0 or HTTP/1.1");
}

/// request-line = method SP request-target SP HTTP-version
Result<RequestHead> parse_request_line(std::string_view line) {
  auto const first_space = line.find(' ');
  auto const last_space = line.rfind(' ');
  if (first_space == last_space) return Error::invalid("request line is not method, target and version");
  RequestHead head;
  head.method = line.substr(0, first_space);
  head.target = line.substr(first_space + 1, last_space - first_space - 1);
  if (head.target.size() > limits::kMaxTargetBytes) return Error{Code::limit, 0, "request target is longer than the limit"};
  if (!is_token(head.method)) return Error::invalid("method is not a token");
  if (!is_visible_ascii(head.target)) return Error::invalid("request target has a space, a control byte or a byte outside ASCII");
  auto const version = parse_version(line.substr(last_space + 1));
  if (!version) return version.error();
  head.minor_version = *version;
  return head;
}

/// status-line = HTTP-version SP 3DIGIT [SP reason-phrase]
Result<ResponseHead> parse_status_line(std::string_view line) {
  constexpr std::size_t kVersionBytes = 8;
  constexpr std::size_t kStatusEnd = kVersionBytes + 4;
  auto const version = parse_version(line.substr(0, kVersionBytes));
  if (!version) return version.error();
  auto const digits = line.size() < kStatusEnd ? std::string_view{} : line.substr(kVersionBytes + 1, 3);
  bool const number =
      digits.size() == 3 && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!number || line[kVersionBytes] != ' ' || digits[0] == '0') return Error::invalid("status is not a number from 100 to 999");
  if (line.size() > kStatusEnd && line[kStatusEnd] != ' ') return Error::invalid("status is longer than three digits");
  ResponseHead head;
  head.minor_version = *version;
  head.status = (digits[0] - '0') * 100 + (digits[1] - '0') * 10 + (digits[2] - '0');
  if (line.size() > kStatusEnd) head.reason_phrase = line.substr(kStatusEnd + 1);
  if (!is_field_content(head.reason_phrase)) return Error::invalid("reason phrase has a control byte");
  return head;
}

Result<RequestHead> parse_request(HeadBytes const& bytes) {
  auto head = parse_request_line(bytes.start_line);
  if (!head) return head.error();
  auto fields = parse_field_lines(bytes.field_lines);
  if (!fields) return fields.error();
  head->fields = std::move(*fields);
  if (auto const checked = check_request_fields(*head); !checked) return checked.error();
  auto const body = request_body_kind(head->fields, {head->method, head->minor_version});
  if (!body) return body.error();
  head->body = *body;
  head->keep_alive = wants_keep_alive(head->fields, head->minor_version);
  head->expect_continue = head->minor_version == 1 && head->field("expect").has_value();
  return head;
}

Result<ResponseHead> parse_response(HeadBytes const& bytes, std::string_view request_method) {
  auto head = parse_status_line(bytes.start_line);
  if (!head) return head.error();
  auto fields = parse_field_lines(bytes.field_lines);
  if (!fields) return fields.error();
  head->fields = std::move(*fields);
  auto const body = response_body_kind(head->fields, {request_method, head->minor_version}, head->status);
  if (!body) return body.error();
  head->body = *body;
  head->keep_alive = wants_keep_alive(head->fields, head->minor_version) && !std::holds_alternative<UntilClose>(head->body);
  return head;
}

/// Finds a head in `buffer` and hands it to `parse`.
template <class Head, class Parse>
HeadStep<Head> parse_head(std::string_view buffer, HeadKind kind, Parse parse) {
  auto const search = find_head(buffer, kind);
  if (std::holds_alternative<NeedMore>(search)) return NeedMore{};
  if (auto const* error = std::get_if<Error>(&search)) return *error;
  auto const& bytes = std::get<HeadBytes>(search);
  Result<Head> head = parse(bytes);
  if (!head) return head.error();
  return Parsed<Head>{std::move(*head), bytes.wire_bytes};
}

}  // namespace

Result<void> check_request_fields(RequestHead const& head) {
  for (auto const name : kSingletons) {
    if (count_fields(head.fields, name) > 1) return Error::invalid("more than one " + std::string(name) + " field");
  }
  if (head.minor_version == 1 && !head.field("host")) return Error::invalid("no Host field");
  for (auto const name : kMethodOverrides) {
    bool const other = std::any_of(head.fields.begin(), head.fields.end(),
                                   [&](Field const& f) { return equal_no_case(f.name, name) && f.value != head.method; });
    if (other) return Error::invalid(std::string(name) + " asks for another method than the request line");
  }
  auto const expect = head.field("expect");
  if (expect && !equal_no_case(*expect, "100-continue")) return Error::invalid("an Expect other than 100-continue");
  return {};
}

std::optional<std::string_view> RequestHead::field(std::string_view name) const { return find_field(fields, name); }
std::optional<std::string_view> ResponseHead::field(std::string_view name) const { return find_field(fields, name); }

HeadStep<RequestHead> parse_request_head(std::string_view buffer) {
  return parse_head<RequestHead>(buffer, HeadKind::request, parse_request);
}

HeadStep<ResponseHead> parse_response_head(std::string_view buffer, std::string_view request_method) {
  return parse_head<ResponseHead>(buffer, HeadKind::response, [request_method](HeadBytes const& bytes) {
    return parse_response(bytes, request_method);
  });
}

}  // namespace sallyport::proxy
