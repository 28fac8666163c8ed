#include "policies/rule_fit.hpp"

#include "tests/policies/load_text.hpp"

#include <gtest/gtest.h>

namespace sallyport::policies {
namespace {

/// How the one rule, in flow YAML, meets the request.
Fit met(std::string const& rule, Request const& request) {
  RuleIndex const index(policy_of({rule})->rules);
  auto const matches = index.match(request.host);
  return matches.empty() ? Fit::wrong_port : fit(*matches.front().rule, request);
}

Request get(std::string_view target, std::vector<HeaderField> headers = {}) {
  Request request{host_of("a.example"), 443, Scheme::https, "GET", CanonicalPath::from(target).value()};
  request.headers = std::move(headers);
  return request;
}

Request post(std::string_view target) {
  auto request = get(target);
  request.method = "POST";
  return request;
}

TEST(Fit, TheFirstThingThatDiffersNamesIt) {
  std::string const rule = "{hosts: [a.example], methods: [GET], paths: [/a], query: {q: '1'}, headers: {x: y}}";
  EXPECT_EQ(met(rule, get("/a?q=1", {{"X", "y"}})), Fit::whole);
  EXPECT_EQ(met(rule, get("/a?q=1", {{"X", "z"}})), Fit::wrong_header);
  EXPECT_EQ(met(rule, get("/a?q=2", {{"X", "y"}})), Fit::wrong_query);
  EXPECT_EQ(met(rule, get("/b?q=1", {{"X", "y"}})), Fit::wrong_path);
  EXPECT_EQ(met(rule, post("/a?q=1")), Fit::wrong_method);
  auto other_port = get("/a?q=1");
  other_port.port = 8443;
  EXPECT_EQ(met(rule, other_port), Fit::wrong_port);
}

TEST(Fit, WhatOnlyARequestShowsIsUnseenInClosedBytes) {
  for (auto scheme : {Scheme::tunnel, Scheme::tls, Scheme::raw}) {
    Request const closed{host_of("a.example"), 443, scheme, "", std::nullopt};
    for (auto limit : {"methods: [GET]", "paths: [/a]", "query: {a: b}", "headers: {a: b}", "git: {repos: [a/b]}"})
      EXPECT_EQ(met("{hosts: [a.example], " + std::string(limit) + "}", closed), Fit::unseen) << limit;
    EXPECT_EQ(met("{hosts: [a.example]}", closed), Fit::whole);
  }
}

TEST(Fit, GitReadsButDoesNotPush) {
  std::string const read = "{hosts: [a.example], git: {repos: ['team/*']}}";
  EXPECT_EQ(met(read, get("/team/x.git/info/refs?service=git-upload-pack")), Fit::whole);
  EXPECT_EQ(met(read, post("/team/x/git-upload-pack")), Fit::whole);
  EXPECT_EQ(met(read, get("/team/x.git/info/refs?service=git-receive-pack")), Fit::wrong_access);
  EXPECT_EQ(met(read, post("/team/x.git/git-receive-pack")), Fit::wrong_access);
  EXPECT_EQ(met(read, post("/other/x.git/git-upload-pack")), Fit::wrong_repo);
  EXPECT_EQ(met(read, post("/team/sub/x.git/git-upload-pack")), Fit::wrong_repo);
  EXPECT_EQ(met(read, get("/team/x")), Fit::wrong_path);
  std::string const write = "{hosts: [a.example], git: {repos: ['team/**'], access: write}}";
  EXPECT_EQ(met(write, post("/team/sub/x.git/git-receive-pack")), Fit::whole);
  EXPECT_EQ(met(write, post("/team/sub/x.git/git-upload-pack")), Fit::whole);
}

TEST(Fit, AnUnknownProcessIsNoneThatIsAllowedAndAnyThatIsDenied) {
  Rule rule;
  rule.name = "r";
  rule.hosts = {"a.example"};
  rule.processes = {"/usr/bin/pip*"};
  auto const fit_of = [&](Action action, std::string process) {
    rule.action = action;
    RuleIndex const index({std::make_shared<Rule const>(rule)});
    auto request = get("/");
    request.process = std::move(process);
    return fit(*index.match(request.host).front().rule, request);
  };
  for (auto action : {Action::allow, Action::deny}) {
    EXPECT_EQ(fit_of(action, "/usr/bin/pip3"), Fit::whole);
    EXPECT_EQ(fit_of(action, "/usr/bin/curl"), Fit::wrong_process);
  }
  EXPECT_EQ(fit_of(Action::allow, ""), Fit::wrong_process);
  EXPECT_EQ(fit_of(Action::deny, ""), Fit::whole);
}

TEST(Fit, AScriptIsKnownByItsInterpreterAndByItself) {
  Rule rule;
  rule.name = "r";
  rule.hosts = {"a.example"};
  rule.action = Action::allow;
  auto const fit_of = [&](std::string glob) {
    rule.processes = {std::move(glob)};
    RuleIndex const index({std::make_shared<Rule const>(rule)});
    auto request = get("/");
    request.process = "/usr/bin/python3.11";
    request.script = "/usr/bin/pip";
    return fit(*index.match(request.host).front().rule, request);
  };
  EXPECT_EQ(fit_of("/usr/bin/pip*"), Fit::whole);
  EXPECT_EQ(fit_of("/usr/bin/python3*"), Fit::whole);
  EXPECT_EQ(fit_of("/usr/bin/curl"), Fit::wrong_process);
}

TEST(Fit, AWebSocketIsMoreThanItsGet) {
  auto socket = get("/a");
  socket.upgrade = Upgrade::websocket;
  EXPECT_EQ(met("{hosts: [a.example]}", socket), Fit::whole);
  EXPECT_EQ(met("{hosts: [a.example], paths: [/a]}", socket), Fit::whole);
  EXPECT_EQ(met("{hosts: [a.example], methods: [GET, HEAD]}", socket), Fit::wrong_upgrade);
  EXPECT_EQ(met("{hosts: [a.example], methods: [GET], websocket: true}", socket), Fit::whole);
  EXPECT_EQ(met("{hosts: [a.example], methods: [POST], websocket: true}", socket), Fit::wrong_method);
  EXPECT_EQ(met("{hosts: [a.example], websocket: false}", socket), Fit::wrong_upgrade);
  EXPECT_EQ(met("{hosts: [a.example], websocket: false}", get("/a")), Fit::whole);
  auto fetch = get("/r.git/info/refs?service=git-upload-pack");
  fetch.upgrade = Upgrade::websocket;
  EXPECT_EQ(met("{hosts: [a.example], git: {repos: [r]}}", fetch), Fit::wrong_upgrade);
}

TEST(Fit, RulesThatRefuseMeanAWebSocketToo) {
  auto socket = get("/a");
  socket.upgrade = Upgrade::websocket;
  for (auto action : {"deny", "ask"})
    EXPECT_EQ(met("{hosts: [a.example], methods: [GET], action: " + std::string(action) + "}", socket), Fit::whole);
}

TEST(CoversPort, OnlyWhatNobodyGetsPast) {
  Rule rule;
  EXPECT_TRUE(covers_port(rule, 443)) << "no ports are all ports";
  rule.ports = {80};
  EXPECT_TRUE(covers_port(rule, 80));
  EXPECT_FALSE(covers_port(rule, 443));
  rule.processes = {"/x"};
  EXPECT_FALSE(covers_port(rule, 80));
  rule.processes.clear();
  rule.headers = {{"a", {"b"}}};
  EXPECT_FALSE(covers_port(rule, 80));
}

}  // namespace
}  // namespace sallyport::policies
