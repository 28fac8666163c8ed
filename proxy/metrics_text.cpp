#include "proxy/metrics_text.hpp"

#include <cstdio>
#include <string_view>

namespace sallyport::proxy {
namespace {

/// Backslash, quotation mark and line feed are escaped in a label's value.
std::string escaped(std::string_view value) {
  std::string out;
  for (char const c : value) {
    if (c == '\n') {
      out += "\\n";
      continue;
    }
    if (c == '\\' || c == '"') out += '\\';
    out += c;
  }
  return out;
}

std::string label(std::string_view name, std::string_view value) {
  return std::string(name) + "=\"" + escaped(value) + "\"";
}

std::string seconds(std::uint64_t microseconds) {
  char text[40];
  std::snprintf(text, sizeof text, "%g", static_cast<double>(microseconds) / 1e6);
  return text;
}

class Page {
 public:
  void family(std::string_view name, std::string_view type, std::string_view help) {
    name_ = "sallyport_" + std::string(name);
    out_ += "# HELP " + name_ + " " + std::string(help) + "\n# TYPE " + name_ + " " + std::string(type) + "\n";
  }
  void sample(std::string const& labels, std::string const& value, std::string_view suffix = {}) {
    out_ += name_ + std::string(suffix) + (labels.empty() ? "" : "{" + labels + "}") + " " + value + "\n";
  }
  void sample(std::string const& labels, std::uint64_t value) { sample(labels, std::to_string(value)); }

  void single(std::string_view name, std::string_view type, std::string_view help, std::uint64_t value) {
    family(name, type, help);
    sample("", value);
  }
  void histogram(std::string_view name, std::string_view help, Histogram const& histogram) {
    family(name, "histogram", help);
    for (std::size_t i = 0; i < Histogram::kBoundsMicroseconds.size(); ++i)
      sample(label("le", seconds(Histogram::kBoundsMicroseconds.at(i))), std::to_string(histogram.up_to(i)), "_bucket");
    sample(label("le", "+Inf"), std::to_string(histogram.count()), "_bucket");
    sample("", seconds(histogram.sum_microseconds()), "_sum");
    sample("", std::to_string(histogram.count()), "_count");
  }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  std::string name_;
};

void add_verdicts(Page& page, Metrics::Numbers const& numbers) {
  page.family("verdicts_total", "counter", "Requests decided, by how they came, verdict, rule and reason.");
  for (auto const& [key, count] : numbers.verdicts) {
    auto const tenant = key.tenant.empty() ? std::string() : label("tenant", key.tenant) + ",";
    page.sample(tenant + label("leg", key.leg) + "," + label("verdict", key.verdict) + "," + label("rule", key.rule) + "," +
                    label("reason", key.reason),
                count);
  }
}

void add_connections(Page& page, ClientGate::Counts const& clients) {
  page.single("connections_total", "counter", "Client connections accepted.", clients.admitted);
  page.single("connections", "gauge", "Client connections open now.", clients.open);
  page.family("connections_turned_away_total", "counter", "Client connections closed before a byte was read, by limit.");
  for (auto const why : {TurnedAway::client, TurnedAway::total, TurnedAway::per_client, TurnedAway::no_header})
    page.sample(label("limit", word_of(why)), clients.turned_away.at(static_cast<std::size_t>(why)));
}

std::string_view word_of(Lookup how) {
  if (how == Lookup::kept) return "kept";
  return how == Lookup::answered ? "answered" : "failed";
}

void add_lookups(Page& page, Metrics::Numbers const& numbers) {
  page.family("name_lookups_total", "counter", "Names looked up for allowed requests: kept from before, answered by a name server, failed.");
  for (auto const how : kLookups) page.sample(label("result", word_of(how)), numbers.lookups.at(static_cast<std::size_t>(how)));
}

}  // namespace

std::string metrics_text(Metrics::Numbers const& numbers, ClientGate::Counts const& clients) {
  Page page;
  add_connections(page, clients);
  add_verdicts(page, numbers);
  add_lookups(page, numbers);
  page.family("bytes_total", "counter", "Bytes relayed; of HTTP, bodies only.");
  page.sample(label("direction", "up"), numbers.bytes_up);
  page.sample(label("direction", "down"), numbers.bytes_down);
  page.single("failures_total", "counter", "Allowed requests and tunnels that ended early.", numbers.failures);
  page.single("policy_reloads_total", "counter", "Policies taken while running.", numbers.reloads);
  page.histogram("request_duration_seconds", "From the verdict to the end of a request or tunnel.", numbers.durations);
  page.histogram("upstream_connect_seconds", "Time to connect to a server.", numbers.connects);
  page.histogram("inspect_head_seconds", "Time to search the head of a request for secrets.", numbers.inspections.at(static_cast<std::size_t>(Inspected::head)));
  page.histogram("inspect_body_seconds", "Time to search a body for secrets, all its pieces together.", numbers.inspections.at(static_cast<std::size_t>(Inspected::body)));
  page.histogram("audit_lag_seconds", "From a verdict to its record being in the audit log.", numbers.audit_lag);
  return page.take();
}

}  // namespace sallyport::proxy
