#include "cli/audit_row.hpp"

#include "audit/json_text.hpp"
#include "audit/record.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace sallyport::cli {

namespace {

namespace json = boost::json;

using audit::number_in;
using audit::text_in;
using Describe = std::string (*)(json::object const&);

constexpr std::size_t kMaxWhatWidth = 400;
constexpr std::string_view kGreen = "\033[32m";
constexpr std::string_view kRed = "\033[31m";
constexpr std::string_view kPlain = "\033[0m";

struct Column {
  std::string_view name;
  std::string AuditRow::*text;
  std::size_t width;
};
constexpr std::array<Column, 7> kColumns = {{
    {"TIME", &AuditRow::time, 12},
    {"TYPE", &AuditRow::type, 16},
    {"VERDICT", &AuditRow::verdict, 7},
    {"PROCESS", &AuditRow::process, 20},
    {"RULE", &AuditRow::rule, 16},
    {"REASON", &AuditRow::reason, 18},
    {"WHAT", &AuditRow::what, kMaxWhatWidth},
}};

/// Value of a member as text, whatever its type; empty if there is none.
std::string any_in(json::object const& record, std::string_view name) {
  auto const* value = record.if_contains(name);
  if (value == nullptr) return {};
  return value->is_string() ? std::string(value->get_string()) : json::serialize(*value);
}

std::string words(json::object const& record, std::string_view list) {
  auto const* values = record.if_contains(list);
  std::string line;
  if (values == nullptr || !values->is_array()) return line;
  for (auto const& value : values->get_array()) {
    if (!value.is_string()) continue;
    if (!line.empty()) line += ' ';
    line += std::string_view(value.get_string());
  }
  return line;
}

std::string milliseconds(json::object const& record, std::string_view name) {
  return std::to_string(number_in(record, name) / 1000) + " ms";
}

std::string transfer(json::object const& record) {
  auto text = "#" + any_in(record, "id");
  if (auto const status = any_in(record, "status"); !status.empty()) text += " status " + status;
  text += ", " + std::to_string(number_in(record, "bytes_up")) + " bytes up, " +
          std::to_string(number_in(record, "bytes_down")) + " down, " + milliseconds(record, "duration_us");
  if (auto const error = any_in(record, "error"); !error.empty()) text += ": " + error;
  return text;
}

std::string protocol_of(json::object const& record) {
  auto const* flow = record.if_contains("flow");
  return flow != nullptr && flow->is_object() ? any_in(flow->get_object(), "protocol") : std::string();
}

std::string describe_request(json::object const& record) {
  if (text_in(record, "phase") == "end") return "end " + transfer(record);
  std::string text(text_in(record, "method").empty() ? text_in(record, "leg") : text_in(record, "method"));
  if (auto const tenant = any_in(record, "tenant"); !tenant.empty()) text.insert(0, tenant + ": ");
  if (text_in(record, "leg") == "syscall") return text + " " + any_in(record, "detail");
  if (text_in(record, "leg") == "packet") text += " " + protocol_of(record);
  text += " " + any_in(record, "host") + ":" + any_in(record, "port") + any_in(record, "path");
  if (auto const detail = any_in(record, "detail"); !detail.empty()) text += " (" + detail + ")";
  return text;
}

std::string describe_tunnel(json::object const& record) {
  if (text_in(record, "phase") == "close") return "close " + transfer(record);
  return "open #" + any_in(record, "id") + " to " + any_in(record, "address");
}

/// "#7 redact github-pat in body to a.example, at 12, 40 bytes, coded: base64 (seq 31)": the seq is what `sallyport dlp allow` asks for.
std::string describe_finding(json::object const& record) {
  auto text = "#" + any_in(record, "id") + " " + any_in(record, "action") + " " + any_in(record, "detector");
  if (auto const known = any_in(record, "known"); !known.empty()) text += " " + known;
  text += " in " + any_in(record, "place") + " to " + any_in(record, "host") + ", at " + any_in(record, "offset") + ", " +
          any_in(record, "length") + " bytes";
  if (auto const codings = words(record, "codings"); !codings.empty()) text += ", coded: " + codings;
  return text + " (seq " + any_in(record, "seq") + ")";
}

std::string describe_use(json::object const& record) {
  return "#" + any_in(record, "id") + " " + any_in(record, "name") + " for " + any_in(record, "host") + " in its " +
         any_in(record, "place");
}

std::string describe_exec(json::object const& record) {
  auto text = words(record, "argv");
  if (auto const mismatch = any_in(record, "mismatch"); !mismatch.empty()) text += " (not verified: " + mismatch + ")";
  return text;
}

/// How a command or a session ended: "exited, exit code 0, 12 ms".
std::string describe_end(json::object const& record) {
  auto text = any_in(record, "cause");
  auto add = [&](std::string const& part) { text += (text.empty() ? "" : ", ") + part; };
  if (auto const code = any_in(record, "exit_code"); !code.empty()) add("exit code " + code);
  if (auto const signal = any_in(record, "signal"); !signal.empty()) add("signal " + signal);
  add(milliseconds(record, "duration_us"));
  return text;
}

std::string describe_dns(json::object const& record) {
  auto const answer = any_in(record, "answer");
  return any_in(record, "qtype") + " " + any_in(record, "name") + " " + (answer.empty() ? any_in(record, "rcode") : answer);
}

std::string describe_limit(json::object const& record) { return any_in(record, "limit") + " " + any_in(record, "detail"); }

std::string describe_reload(json::object const& record) {
  auto const detail = any_in(record, "detail");
  auto const tenant = any_in(record, "tenant");
  return any_in(record, "outcome") + " " + any_in(record, "policy") + (tenant.empty() ? "" : " of " + tenant) + (detail.empty() ? "" : " " + detail);
}

std::string describe_tenant(json::object const& record) { return any_in(record, "tenant") + ": policy " + any_in(record, "policy"); }

std::string describe_start(json::object const& record) {
  auto text = "policy " + any_in(record, "policy") + ": " + words(record, "argv");
  if (auto const degraded = words(record, "degraded"); !degraded.empty()) text += " (without: " + degraded + ")";
  return text;
}

std::string describe_checkpoint(json::object const& record) { return any_in(record, "records") + " records signed"; }

constexpr std::pair<std::string_view, Describe> kDescriptions[] = {
    {"egress.request", describe_request},
    {"egress.tunnel", describe_tunnel},
    {"command.exec", describe_exec},
    {"dlp.finding", describe_finding},
    {"credential.use", describe_use},
    {"command.exit", describe_end},
    {"dns.query", describe_dns},
    {"limit.hit", describe_limit},
    {"session.start", describe_start},
    {"session.tenant", describe_tenant},
    {"session.end", describe_end},
    {"audit.checkpoint", describe_checkpoint},
    {"policy.reload", describe_reload},
};

std::string describe(json::object const& record) {
  auto const found = std::find_if(std::begin(kDescriptions), std::end(kDescriptions),
                                  [&](auto const& each) { return each.first == text_in(record, "type"); });
  return found == std::end(kDescriptions) ? std::string() : found->second(record);
}

/// Of a command: itself. Of a request: the process that made it.
std::string process_of(json::object const& record) {
  auto const* process = record.if_contains("process");
  auto const& from = process != nullptr && process->is_object() ? process->get_object() : record;
  auto const pid = any_in(from, "pid");
  if (pid.empty()) return {};
  auto const exe = text_in(from, "exe");
  return std::string(exe.substr(exe.find_last_of('/') + 1)) + "[" + pid + "]";
}

std::string time_of_day(std::string_view rfc3339) {
  auto const from = rfc3339.find('T');
  return std::string(from == std::string_view::npos ? rfc3339 : rfc3339.substr(from + 1, kColumns[0].width));
}

std::size_t width_of(std::string_view text) {
  auto const is_first_byte = [](char byte) { return (static_cast<unsigned char>(byte) & 0xc0) != 0x80; };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_first_byte));
}

/// `text` escaped and, if it is wider than `width`, cut to it.
std::string safe(std::string_view text, std::size_t width) {
  std::string whole;
  append_escaped(whole, text, audit::EscapeFor::terminal, 4 * kMaxWhatWidth);
  if (width_of(whole) <= width) return whole;
  std::string part;
  append_escaped(part, text, audit::EscapeFor::terminal, width - 1);
  return part + "…";
}

std::string padded(std::string_view text, std::size_t width) {
  std::string cell(text);
  cell.append(width - std::min(width, width_of(text)), ' ');
  return cell;
}

std::string_view colour_of(Column const& column, AuditRow const& row) {
  if (column.text != &AuditRow::verdict || row.verdict.empty()) return {};
  return row.verdict == "allow" ? kGreen : kRed;
}

}  // namespace

AuditRow row_of(json::object const& record) {
  AuditRow row{time_of_day(text_in(record, "time")),
               std::string(text_in(record, "type")),
               any_in(record, "verdict"),
               process_of(record),
               any_in(record, "rule"),
               any_in(record, "reason"),
               describe(record)};
  for (auto const& column : kColumns) {
    auto& text = row.*column.text;
    text = safe(text, column.width);
  }
  return row;
}

std::string format_row(AuditRow const& row, Colour colour) {
  std::string line;
  for (auto const& column : kColumns) {
    auto const paint = colour == Colour::yes ? colour_of(column, row) : std::string_view();
    if (!line.empty()) line += "  ";
    line += paint;
    line += padded(row.*column.text, column.width);
    if (!paint.empty()) line += kPlain;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string format_header() {
  AuditRow names;
  for (auto const& column : kColumns) names.*column.text = column.name;
  return format_row(names, Colour::no);
}

}  // namespace sallyport::cli
