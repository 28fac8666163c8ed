#include "proxy/h2_head.hpp"

#include "proxy/body_kind.hpp"
#include "proxy/field_lines.hpp"
#include "proxy/request_writer.hpp"
#include "proxy/token.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace sallyport::proxy {
namespace {

constexpr int kMinorVersion = 1;  // what HTTP/2 can say, HTTP/1.1 can say

bool is_pseudo(Field const& field) { return field.name.starts_with(':'); }

std::string pseudo(std::vector<Field> const& block, std::string_view name) {
  return std::string(find_field(block, name).value_or(std::string_view()));
}

/// Cookies may come in pieces that HTTP/1.1 does not know (RFC 9113 section 8.2.3).
void add_field(std::vector<Field>& fields, Field const& field) {
  auto const first = std::find_if(fields.begin(), fields.end(), [](Field const& f) { return f.name == "cookie"; });
  if (field.name == "cookie" && first != fields.end()) {
    first->value.append("; ").append(field.value);
  } else {
    fields.push_back(field);
  }
}

std::vector<Field> request_fields(std::vector<Field> const& block, std::string const& authority) {
  std::vector<Field> fields{{"host", authority}};
  for (auto const& field : block) {
    if (!is_pseudo(field) && field.name != "host") add_field(fields, field);
  }
  return fields;
}

Result<void> check_authority(std::vector<Field> const& block, std::string const& authority) {
  if (authority.empty()) return Error::invalid("no :authority");
  for (auto const& field : block) {
    bool const other = field.name == "host" && !equal_no_case(field.value, authority);
    if (other) return Error::invalid("Host is not what :authority is");
  }
  return {};
}

Result<void> check_request_line(RequestHead const& head) {
  if (!is_token(head.method)) return Error::invalid("method is not a token");
  if (head.target.size() > limits::kMaxTargetBytes) return Error{Code::limit, 0, "request target is longer than the limit"};
  if (!is_visible_ascii(head.target)) return Error::invalid(":path has a space, a control byte or a byte outside ASCII");
  return {};
}

/// The framing fields say it, or END_STREAM does. nghttp2 holds a body to the length that was announced.
Result<BodyKind> request_body(H2Request const& request, EndStream end) {
  bool const tunnel = request.head.method == "CONNECT";
  auto const declared = request_body_kind(request.head.fields, {request.head.method, kMinorVersion});
  if (!declared || tunnel || end == EndStream::yes || !std::holds_alternative<NoBody>(*declared)) return declared;
  return BodyKind{Chunked{}};
}

/// `end` in front of a body that no field announced: it is empty, and HTTP/1.1 has to be told.
Result<BodyKind> response_body(ResponseHead const& head, std::string_view request_method, EndStream end) {
  auto const declared = response_body_kind(head.fields, {request_method, kMinorVersion}, head.status);
  if (!declared || !std::holds_alternative<UntilClose>(*declared)) return declared;
  if (end == EndStream::yes) return BodyKind{ContentLength{0}};
  return BodyKind{Chunked{}};
}

/// 3DIGIT: nghttp2 saw to it.
int status_number(std::string const& digits) {
  int status = 0;
  for (char const digit : digits) status = status * 10 + (digit - '0');
  return status;
}

void append_end_to_end(std::vector<Field>& out, std::vector<Field> const& fields) {
  for (auto const& field : fields) {
    if (!is_pseudo(field) && !is_hop_by_hop(field, fields)) out.push_back(field);
  }
}

bool accepts_trailers(RequestHead const& head) {
  bool accepts = false;
  for_each_element(head.field("te").value_or(std::string_view()),
                   [&](std::string_view coding) { accepts = accepts || equal_no_case(coding, "trailers"); });
  return accepts;
}

void append_length(std::vector<Field>& out, BodyKind const& body) {
  if (auto const* length = std::get_if<ContentLength>(&body)) out.push_back({"content-length", std::to_string(length->bytes)});
}

}  // namespace

Result<H2Request> h2_request_of(std::vector<Field> const& block, EndStream end) {
  H2Request request;
  auto& head = request.head;
  auto const authority = pseudo(block, ":authority");
  if (auto const checked = check_authority(block, authority); !checked) return checked.error();
  head.method = pseudo(block, ":method");
  request.scheme = pseudo(block, ":scheme");
  request.protocol = pseudo(block, ":protocol");
  bool const plain_connect = head.method == "CONNECT" && request.protocol.empty();
  head.target = plain_connect ? authority : pseudo(block, ":path");
  if (auto const checked = check_request_line(head); !checked) return checked.error();
  head.fields = request_fields(block, authority);
  if (auto const checked = check_request_fields(head); !checked) return checked.error();
  auto const body = request_body(request, end);
  if (!body) return body.error();
  head.body = *body;
  head.expect_continue = head.field("expect").has_value();
  return request;
}

Result<ResponseHead> h2_response_of(std::vector<Field> const& block, std::string_view request_method, EndStream end) {
  ResponseHead head;
  head.status = status_number(pseudo(block, ":status"));
  std::copy_if(block.begin(), block.end(), std::back_inserter(head.fields), [](Field const& field) { return !is_pseudo(field); });
  auto const body = response_body(head, request_method, end);
  if (!body) return body.error();
  head.body = *body;
  return head;
}

std::vector<Field> h2_request_fields(RequestHead const& head, HttpTarget const& target, std::string_view protocol) {
  auto const host = target.host.authority();
  bool const standard = target.port == standard_port(target.scheme);
  std::vector<Field> out{{":method", protocol.empty() ? head.method : "CONNECT"},
                         {":scheme", target.scheme == UrlScheme::https ? "https" : "http"},
                         {":authority", standard ? host : host + ':' + std::to_string(target.port)},
                         {":path", target.path.str()}};
  if (!protocol.empty()) out.push_back({":protocol", std::string(protocol)});
  append_end_to_end(out, head.fields);
  if (accepts_trailers(head)) out.push_back({"te", "trailers"});
  if (head.expect_continue) out.push_back({"expect", "100-continue"});
  append_length(out, head.body);
  return out;
}

std::vector<Field> h2_response_fields(ResponseHead const& head) {
  std::vector<Field> out;
  append_end_to_end(out, head.fields);
  std::erase_if(out, [](Field const& field) { return equal_no_case(field.name, "sallyport-reason"); });
  append_length(out, head.body);
  auto const announced = head.field("content-length");
  if (std::holds_alternative<NoBody>(head.body) && announced && may_announce_length(head.status)) {
    out.push_back({"content-length", std::string(*announced)});
  }
  return out;
}

std::vector<Field> h2_trailer_fields(std::vector<Field> const& trailers) {
  std::vector<Field> out;
  append_end_to_end(out, trailers);
  return out;
}

}  // namespace sallyport::proxy
