#include "proxy/request_writer.hpp"

#include "proxy/field_lines.hpp"
#include "proxy/proxy_authorization.hpp"
#include "proxy/token.hpp"

#include <algorithm>
#include <array>

namespace sallyport::proxy {
namespace {

constexpr std::string_view kProxyPrefix = "proxy-";
// Fields about one connection only (RFC 9110 section 7.6.1), and those that are written anew.
constexpr std::array<std::string_view, 9> kHopByHop = {
    "connection", "keep-alive", "te", "upgrade", "transfer-encoding", "content-length", "host", "expect", "http2-settings"};

void append_field(std::string& out, std::string_view name, std::string_view value) {
  out.append(name).append(": ").append(value).append("\r\n");
}

void append_framing(std::string& out, BodyKind const& body) {
  if (auto const* length = std::get_if<ContentLength>(&body)) {
    append_field(out, "Content-Length", std::to_string(length->bytes));
  }
  if (std::holds_alternative<Chunked>(body)) append_field(out, "Transfer-Encoding", "chunked");
}

/// `Kind`: UpstreamConnection or ClientConnection.
template <class Kind>
void append_connection(std::string& out, Kind connection) {
  if (connection == Kind::websocket) {
    append_field(out, "Upgrade", "websocket");
    append_field(out, "Connection", "Upgrade");
  } else {
    append_field(out, "Connection", connection == Kind::close ? "close" : "keep-alive");
  }
}

std::string authority_of(HttpTarget const& target) {
  auto const host = target.host.authority();
  return target.port == standard_port(target.scheme) ? host : host + ':' + std::to_string(target.port);
}

std::string_view version(int minor_version) { return minor_version == 0 ? "HTTP/1.0" : "HTTP/1.1"; }

/// `request_target` and `authorization` are what the forms differ in; the latter may be empty.
std::string head_with(RequestHead const& head, HttpTarget const& target, UpstreamConnection connection, std::string_view request_target,
                      std::string_view authorization) {
  std::string out = head.method + ' ';
  out.append(request_target).append(" ").append(version(head.minor_version)).append("\r\n");
  append_field(out, "Host", authority_of(target));
  for (auto const& field : head.fields) {
    if (!is_hop_by_hop(field, head.fields)) append_field(out, field.name, field.value);
  }
  if (!authorization.empty()) append_field(out, "Proxy-Authorization", authorization);
  if (head.expect_continue) append_field(out, "Expect", "100-continue");
  append_framing(out, head.body);
  append_connection(out, connection);
  return out + "\r\n";
}

}  // namespace

bool is_hop_by_hop(Field const& field, std::vector<Field> const& fields) {
  bool const listed = std::any_of(kHopByHop.begin(), kHopByHop.end(),
                                  [&](std::string_view name) { return equal_no_case(field.name, name); });
  auto const prefix = std::string_view(field.name).substr(0, kProxyPrefix.size());
  return listed || equal_no_case(prefix, kProxyPrefix) || has_connection_option(fields, field.name);
}

bool may_announce_length(int status) { return status >= 200 && status != 204; }

std::string write_request_head(RequestHead const& head, HttpTarget const& target, UpstreamConnection connection) {
  return head_with(head, target, connection, target.path.str(), {});
}

std::string write_forwarded_head(RequestHead const& head, HttpTarget const& target, UpstreamConnection connection,
                                 policies::UpstreamProxy const& forwarder) {
  return head_with(head, target, connection, "http://" + authority_of(target) + target.path.str(), basic_authorization(forwarder));
}

std::string write_response_head(ResponseHead const& head, ClientConnection connection) {
  std::string out = "HTTP/1.1 " + std::to_string(head.status) + ' ' + head.reason_phrase + "\r\n";
  for (auto const& field : head.fields) {
    bool const ours = equal_no_case(field.name, "sallyport-reason");
    if (!is_hop_by_hop(field, head.fields) && !ours) append_field(out, field.name, field.value);
  }
  append_framing(out, head.body);
  auto const announced = head.field("content-length");
  if (std::holds_alternative<NoBody>(head.body) && announced && may_announce_length(head.status)) {
    append_field(out, "Content-Length", *announced);
  }
  append_connection(out, connection);
  return out + "\r\n";
}

}  // namespace sallyport::proxy
