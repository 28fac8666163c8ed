#include "cli/dlp_allow.hpp"

#include "audit/line_reader.hpp"
#include "audit/places.hpp"
#include "audit/record.hpp"
#include "cli/audit_files.hpp"
#include "cli/new_files.hpp"
#include "policies/policy.hpp"
#include "policies/yaml_dlp.hpp"
#include "policies/yaml_layer.hpp"

#include <boost/json/object.hpp>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

namespace sallyport::cli {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr int kUsage = 2;
constexpr char kNewFile[] =
    "# Exceptions of DLP, each for one value and one host; written by sallyport dlp allow.\n"
    "version: 1\n"
    "dlp:\n"
    "  allow:\n";

std::string text_of(std::chrono::sys_days day) {
  std::chrono::year_month_day const date(day);
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text.data();
}

Result<std::string> last_day(std::string const& asked, std::chrono::sys_days today) {
  if (asked.empty()) return text_of(today + kDefaultException);
  if (!policies::is_day(asked))
    return Error{Code::invalid, 0, "--until " + asked + " is not a day; write it as in 2027-01-31"};
  if (asked < text_of(today))
    return Error{Code::invalid, 0, "--until " + asked + " is over; name a day that is still to come"};
  return asked;
}

Result<std::string> log_of(std::string const& asked) {
  if (!asked.empty()) return asked;
  auto const places = audit::default_places();
  if (!places) return places.error();
  return newest_log(places->log_dir);
}

Result<json::object> record_at(std::string const& path, std::uint64_t seq) {
  auto lines = audit::LineReader::open(path);
  if (!lines) return lines.error();
  for (;;) {
    auto const line = lines->next();
    if (!line) return line.error();
    if (!*line)
      return Error{Code::invalid, 0,
                   path + " has no record " + std::to_string(seq) + "; see: sallyport audit show --type dlp"};
    auto record = audit::parse_record((*line)->text);
    if (record && audit::number_in(*record, "seq") == seq) return record;
  }
}

/// What the finding of `record` is about. A name that was asked for has only its registered domain on record.
Result<policies::DlpException> exception_of(json::object const& record, std::string until) {
  auto const text = [&](char const* name) { return std::string(audit::text_in(record, name)); };
  if (text("type") != "dlp.finding")
    return Error{Code::invalid, 0,
                 "the record is a " + text("type") + ", not a dlp.finding; see: sallyport audit show --type dlp"};
  auto const detector = text("detector");
  if (detector == "canary" || detector == "credential" || detector == "decode-limit") {
    return Error{Code::denied, 0, "nothing excuses a finding of '" + detector + "': see docs/dlp.md"};
  }
  policies::DlpException exception{
      (text("place") == "dns" ? "**." : "") + text("host"), detector, std::move(until), {}, text("digest")};
  if (exception.host.empty() || exception.digest.empty())
    return Error{Code::invalid, 0, "the record has no host or no digest"};
  return exception;
}

std::string line_of(policies::DlpException const& exception) {
  return "    - {host: \"" + exception.host + "\", detector: " + exception.detector + ", digest: \"" + exception.digest +
         "\", until: " + exception.until + "}\n";
}

/// The exceptions that a policy file has; nothing when it is none.
std::optional<std::vector<policies::DlpException>> exceptions_in(std::string const& path, std::string text) {
  policies::Problems problems;
  auto layer = policies::read_layer(path, std::move(text), "/", problems);
  if (!layer || !problems.empty()) return std::nullopt;
  return std::move(layer->dlp.allow);
}

/// Whether `exceptions` are `before` others and this one: anybody may have written the log that it comes from.
bool ends_with(std::optional<std::vector<policies::DlpException>> const& exceptions, std::size_t before,
               policies::DlpException const& one) {
  if (!exceptions || exceptions->size() != before + 1) return false;
  auto const& last = exceptions->back();
  return last.host == one.host && last.detector == one.detector && last.digest == one.digest && last.until == one.until;
}

/// `text` with `exception` at its end, if that makes it one more in the file's list, and nothing else.
Result<std::string> with_exception(std::string const& path, std::string text, policies::DlpException const& exception) {
  auto const line = line_of(exception);
  auto const before = exceptions_in(path, text);
  if (!before)
    return Error{Code::invalid, 0, path + " is no policy file without errors; see: sallyport policy check " + path};
  if (!text.ends_with('\n')) text += '\n';
  text += line;
  if (ends_with(exceptions_in(path, text), before->size(), exception)) return text;
  return Error{
      Code::invalid, 0,
      path + " does not end in a list of exceptions as this command writes it; add to its dlp: allow: yourself\n" + line};
}

Result<std::string> content_of(std::string const& path, policies::DlpException const& exception) {
  if (path.empty() || !fs::exists(path)) {
    auto made = kNewFile + line_of(exception);
    if (ends_with(exceptions_in(path, made), 0, exception)) return made;
    return Error{Code::invalid, 0, "the record's host, detector or digest is none: was the log written by sallyport?"};
  }
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) return Error{Code::invalid, 0, "cannot read " + path};
  return with_exception(path, std::move(text), exception);
}

Result<policies::DlpException> exception_for(DlpAllowOptions const& options, std::chrono::sys_days today) {
  auto until = last_day(options.until, today);
  if (!until) return until.error();
  auto const log = log_of(options.from);
  if (!log) return log.error();
  auto const record = record_at(*log, options.seq);
  if (!record) return record.error();
  return exception_of(*record, *std::move(until));
}

Result<void> write(Console const& console, std::string const& to, policies::DlpException const& exception) {
  auto const content = content_of(to, exception);
  if (!content) return content.error();
  if (to.empty()) {
    std::fputs(content->c_str(), console.out);
    return {};
  }
  fs::path const path = fs::absolute(to);
  auto written = write_new_files(path.parent_path(), {{path.filename().string(), *content}}, Existing::replace);
  if (!written) return written;
  std::fprintf(console.out, "%s: %s may hold this one value that %s finds, until %s; add --policy %s\n", to.c_str(),
               exception.host.c_str(), exception.detector.c_str(), exception.until.c_str(), to.c_str());
  return {};
}

}  // namespace

int allow_finding(Console const& console, DlpAllowOptions const& options, std::chrono::sys_days today) {
  auto const exception = exception_for(options, today);
  auto const written = exception ? write(console, options.to, *exception) : Result<void>(exception.error());
  if (written) return 0;
  std::fprintf(console.err, "sallyport: %s\n", written.error().what.c_str());
  return kUsage;
}

}  // namespace sallyport::cli
