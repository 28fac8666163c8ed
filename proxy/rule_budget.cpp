#include "proxy/rule_budget.hpp"

#include "policies/byte_size.hpp"

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;
using policies::Rule;
using policies::Verdict;

Verdict refused(std::string_view reason, Rule const& rule, std::string const& why) {
  Verdict verdict{policies::Action::deny, rule.name, std::string(reason), {}, rule.place.file, rule.place.line};
  verdict.hint = "rule " + rule.name + " allows " + why + ".";
  return verdict;
}

Verdict body_refused(Rule const& rule) {
  return refused(reason::kRequestBody, rule, "bodies of at most " + policies::byte_size_text(*rule.limits.request_body) + " in a request");
}

Verdict upload_refused(Rule const& rule) {
  return refused(reason::kUpload, rule, policies::byte_size_text(*rule.limits.upload) + " of uploads in a session, and they are used up");
}

bool exceeds(std::optional<std::uint64_t> limit, std::uint64_t used, std::uint64_t more) {
  return limit && (used > *limit || more > *limit - used);
}

}  // namespace

bool RateWindow::admit(std::uint32_t limit, time_point now) {
  using std::chrono::milliseconds;
  constexpr milliseconds kMinute{60'000};
  auto const passed = now - start_;
  if (passed >= 2 * kMinute) {
    previous_ = current_ = 0;
    start_ = now;
  } else if (passed >= kMinute) {
    previous_ = std::exchange(current_, 0);
    start_ += kMinute;
  }
  auto const into = std::chrono::duration_cast<milliseconds>(now - start_);
  auto const weighted = std::uint64_t{previous_} * static_cast<std::uint64_t>((kMinute - into).count()) / 60'000;
  if (current_ + weighted >= limit) return false;
  ++current_;
  return true;
}

RuleBudget::Refused RuleBudget::start_request(Rule const& rule, std::optional<std::uint64_t> declared, time_point now) {
  if (rule.limits == policies::RuleLimits{}) return std::nullopt;
  std::lock_guard const lock(mutex_);
  auto& usage = usage_[rule.name];
  if (exceeds(rule.limits.request_body, 0, declared.value_or(0))) return body_refused(rule);
  if (exceeds(rule.limits.upload, usage.uploaded, declared.value_or(0))) return upload_refused(rule);
  auto const rate = rule.limits.requests_per_minute;
  if (!rate || usage.requests.admit(*rate, now)) return std::nullopt;
  return refused(reason::kRate, rule, std::to_string(*rate) + " requests a minute; wait for a minute before the next one");
}

RuleBudget::Refused RuleBudget::upload(Rule const& rule, std::uint64_t before, std::uint64_t bytes) {
  if (!rule.limits.request_body && !rule.limits.upload) return std::nullopt;
  std::lock_guard const lock(mutex_);
  auto& usage = usage_[rule.name];
  if (exceeds(rule.limits.request_body, before, bytes)) return body_refused(rule);
  if (exceeds(rule.limits.upload, usage.uploaded, bytes)) return upload_refused(rule);
  usage.uploaded += bytes;
  return std::nullopt;
}

boost::system::result<RuleBudget::Connection, Verdict> RuleBudget::open_connection(Rule const& rule) {
  if (!rule.limits.connections) return Connection();
  std::lock_guard const lock(mutex_);
  auto& usage = usage_[rule.name];
  if (*usage.open < *rule.limits.connections) return Connection(usage.open);
  return refused(reason::kConnections, rule, std::to_string(*rule.limits.connections) + " connections at a time; close one first");
}

}  // namespace sallyport::proxy
