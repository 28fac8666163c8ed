#include "tests/audit/sample_log.hpp"

#include "audit/file_sink.hpp"
#include "tests/support/temp_dir.hpp"

#include <sstream>

namespace sallyport::audit {

SessionStart sample_start() {
  SessionStart start;
  start.version = "0.1.0";
  start.policy = "npm";
  start.enforced = {"network", "seccomp"};
  start.argv = {"npm", "install", "express"};
  return start;
}

EgressRequest sample_request(std::string_view verdict) {
  EgressRequest request;
  request.id = 7;
  request.method = "GET";
  request.host = "a.example";
  request.port = 443;
  request.path = "/x?y=1";
  request.verdict = verdict;
  request.rule = "rule-1";
  request.reason = verdict == "allow" ? "allowed" : "no_rule";
  request.process = Process{42, "/usr/bin/node", {"node", "app.js"}, {2, 3}};
  return request;
}

std::vector<Event> full_gateway_events() {
  Flow const flow{"tcp", "127.0.0.1", 40000, "198.18.0.7", 443};
  auto request = sample_request("deny");
  request.leg = Leg::socks5;
  request.detail = "no rule names it";
  request.sni = "a.example";
  request.alpn = {"h2", "http/1.1"};
  request.addresses = {"192.0.2.7", "2001:db8::7"};
  request.status = 403;
  request.flow = flow;
  request.cut = true;
  return {
      DnsQuery{"a.example", "AAAA", "allow", "rule-1", "allowed", "NOERROR", "198.18.0.7", flow, request.process, true},
      request,
      EgressDone{7, "192.0.2.7", 200, 1, 18446744073709551615U, 3, 5, 300, 4000, "upstream_untrusted", "reset", true},
      EgressTunnel{EgressTunnel::Phase::close, 7, "192.0.2.7", 1, 2, 300, 4000, "idle", true},
      DlpFinding{7, "a.example", "github-pat", "critical", "verified", "block", "body", 12, 40, {"base64"}, "00ff", "TOKEN", true},
      CredentialUse{7, "API_KEY", "a.example", "head", true},
      LimitHit{"connections", "more than 64", true},
  };
}

std::filesystem::path make_log(std::filesystem::path const& dir, int requests, std::string_view session) {
  FakeClock clock;
  auto const path = dir / (std::string(session) + ".jsonl");
  auto const sink = FileSink::open({path, dir / "key", std::string(session)}, clock).value();
  sink->append(sample_start()).value();
  for (int i = 0; i < requests; ++i) {
    clock.advance(std::chrono::milliseconds(1));
    sink->append(sample_request(i == 1 ? "deny" : "allow")).value();
  }
  SessionEnd end;
  end.cause = "exited";
  end.exit_code = 0;
  sink->append(end).value();
  sink->commit().value();
  return path;
}

std::vector<std::string> lines_of(std::filesystem::path const& log) {
  std::istringstream content(test::read_file(log));
  std::vector<std::string> lines;
  for (std::string line; std::getline(content, line);) lines.push_back(line);
  return lines;
}

void write_lines(std::filesystem::path const& log, std::vector<std::string> const& lines) {
  std::string content;
  for (auto const& line : lines) content += line + "\n";
  test::write_file(log, content);
}

}  // namespace sallyport::audit
