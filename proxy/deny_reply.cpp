#include "proxy/deny_reply.hpp"

#include "base/check.hpp"
#include "base/limits.hpp"
#include "proxy/token.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::array<std::pair<int, std::string_view>, 7> kStatusTexts = {{
    {400, "Bad Request"},
    {403, "Forbidden"},
    {408, "Request Timeout"},
    {414, "URI Too Long"},
    {431, "Request Header Fields Too Large"},
    {502, "Bad Gateway"},
    {504, "Gateway Timeout"},
}};

std::string_view status_text(int status) {
  auto const found =
      std::find_if(kStatusTexts.begin(), kStatusTexts.end(), [status](auto const& s) { return s.first == status; });
  check(found != kStatusTexts.end(), "deny_reply has a text for the status");
  return found->second;
}

std::string_view general_hint(int status) {
  if (status == 403) return "Do not retry: the answer stays the same until the user changes the policy.";
  if (status == 502 || status == 504)
    return "Do not retry at once: the policy allows this request, but the server could not be reached.";
  return "Do not retry: the request is malformed and would be refused again.";
}

/// What a client sent as a host may hold anything: one short line of ASCII is left of it.
std::string printable(std::string_view host) {
  std::string text(host.substr(0, limits::kMaxHostBytes));
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  return text;
}

/// Whether the parameters of a media range say q=0: not acceptable (RFC 9110 section 12.4.2).
bool has_zero_weight(std::string_view parameters) {
  while (!parameters.empty()) {
    auto const semicolon = std::min(parameters.find(';'), parameters.size());
    auto const parameter = trim_white_space(parameters.substr(0, semicolon));
    if (equal_no_case(parameter.substr(0, 2), "q=")) return parameter.find_first_not_of("0.", 2) == std::string_view::npos;
    parameters.remove_prefix(std::min(semicolon + 1, parameters.size()));
  }
  return false;
}

/// The most specific media range that covers application/json decides; no Accept field at all takes anything.
bool takes_json(std::string_view accept) {
  constexpr std::array<std::string_view, 3> kRanges = {"*/*", "application/*", "application/json"};
  std::array<bool, kRanges.size()> taken{};
  std::size_t most_specific = 0;
  for_each_element(accept, [&](std::string_view element) {
    auto const semicolon = std::min(element.find(';'), element.size());
    auto const range = trim_white_space(element.substr(0, semicolon));
    for (std::size_t i = 0; i < kRanges.size(); ++i) {
      if (!equal_no_case(range, kRanges[i])) continue;
      taken[i] = !has_zero_weight(element.substr(semicolon));
      most_specific = std::max(most_specific, i);
    }
  });
  return trim_white_space(accept).empty() || taken[most_specific];
}

struct Body {
  std::string_view content_type;
  std::string bytes;
};

Body json_body(policies::Verdict const& verdict, std::string_view host, std::string_view hint) {
  boost::json::object const body = {
      {"error", "egress_denied"}, {"reason", verdict.reason}, {"host", host}, {"rule", verdict.rule}, {"hint", hint}};
  return {"application/json", boost::json::serialize(body) + "\n"};
}

Body text_body(policies::Verdict const& verdict, std::string_view host, std::string_view hint) {
  std::string text = "egress_denied\n";
  text.append("reason: ").append(verdict.reason).append("\nhost: ").append(host);
  text.append("\nrule: ").append(verdict.rule).append("\nhint: ").append(hint).append("\n");
  return {"text/plain; charset=utf-8", std::move(text)};
}

}  // namespace

DenyAnswer deny_answer(int status, policies::Verdict const& verdict, std::string_view host, std::string_view accept) {
  check(is_token(verdict.reason), "a reason code is one word");
  auto const hint = verdict.hint.empty() ? general_hint(status) : std::string_view(verdict.hint);
  auto const shown_host = printable(host);
  auto body = takes_json(accept) ? json_body(verdict, shown_host, hint) : text_body(verdict, shown_host, hint);
  std::vector<Field> fields = {{"Sallyport-Reason", verdict.reason},
                               {"Content-Type", std::string(body.content_type)},
                               {"Content-Length", std::to_string(body.bytes.size())},
                               {"Cache-Control", "no-store"}};
  return {std::move(fields), std::move(body.bytes)};
}

std::string deny_reply(int status, policies::Verdict const& verdict, std::string_view host, std::string_view method,
                       std::string_view accept) {
  auto const answer = deny_answer(status, verdict, host, accept);
  std::string reply = "HTTP/1.1 " + std::to_string(status) + ' ';
  reply.append(status_text(status)).append("\r\n");
  for (auto const& field : answer.fields) reply.append(field.name).append(": ").append(field.value).append("\r\n");
  reply.append("Connection: close\r\n\r\n");
  return method == "HEAD" ? reply : reply + answer.body;
}

std::string tls_alert(TlsAlert alert) {
  constexpr char kAlertRecord = 21;
  constexpr char kFatal = 2;
  constexpr std::string_view kVersionAndLength("\x03\x03\x00\x02", 4);
  return kAlertRecord + std::string(kVersionAndLength) + kFatal + static_cast<char>(alert);
}

}  // namespace sallyport::proxy
