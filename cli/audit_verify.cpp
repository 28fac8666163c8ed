#include "cli/audit_verify.hpp"

#include "audit/json_text.hpp"
#include "audit/key_file.hpp"
#include "audit/line_reader.hpp"
#include "audit/signature.hpp"
#include "audit/verify.hpp"
#include "cli/audit_files.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <string_view>

namespace sallyport::cli {

namespace {

namespace json = boost::json;

constexpr int kGood = 0;
constexpr int kBad = 1;
constexpr int kUnreadable = 2;

using Keys = std::vector<std::string>;

void print_line(std::FILE* to, std::string const& line) { std::fprintf(to, "%s\n", line.c_str()); }

int fail(Console const& console, Error const& error) {
  print_line(console.err, "sallyport: " + error.what);
  return kUnreadable;
}

Result<std::string> read_key(std::string const& path) {
  auto lines = audit::LineReader::open(path);
  if (!lines) return lines.error();
  auto const line = lines->next();
  if (!line) return line.error();
  std::string text(*line ? (*line)->text : std::string_view());
  if (auto key = audit::PublicKey::from_text(text); !key) return Error{Code::invalid, 0, path + ": " + key.error().what};
  return text;
}

Result<Keys> trusted_keys(audit::Places const& places, Keys const& files) {
  Keys keys;
  for (auto const& file : files) {
    auto key = read_key(file);
    if (!key) return key.error();
    keys.push_back(std::move(*key));
  }
  if (!files.empty()) return keys;
  auto const own = audit::public_key_in(places.key_dir);
  if (!own) return Error{own.error().code, 0, own.error().what + "; the key of somebody else's logs is named with --key FILE"};
  if (*own) keys.push_back(**own);
  return keys;
}

/// A log's verification with what only the command knows.
struct Judged {
  std::string file;
  audit::Verification verification;
  bool trusted = false;
  bool good() const { return trusted && !verification.problem; }
};

std::string to_json(Judged const& judged) {
  auto const& log = judged.verification;
  json::object object{
      {"file", judged.file},    {"ok", judged.good()}, {"records", log.records},   {"signed_records", log.signed_records},
      {"session", log.session}, {"key", log.key},      {"trusted", judged.trusted}};
  if (!log.key.empty()) object["fingerprint"] = audit::fingerprint(log.key);
  if (log.problem) {
    object["fault"] = to_string(log.problem->fault);
    object["line"] = log.problem->line;
    object["seq"] = log.problem->seq;
    object["what"] = log.problem->what;
  }
  return json::serialize(object);
}

std::string to_words(Judged const& judged) {
  auto const& [file, log, trusted] = judged;
  auto text = file + ": " + (judged.good() ? "ok, " : "NOT OK, ");
  if (log.problem) {
    text += std::string(to_string(log.problem->fault)) + " at record " + std::to_string(log.problem->seq) + " (line " +
            std::to_string(log.problem->line) + "): " + log.problem->what + "; ";
  }
  text += std::to_string(log.records) + " good records, " + std::to_string(log.signed_records) + " of them signed";
  if (log.key.empty()) return audit::printable(text);
  text += " by key " + audit::fingerprint(log.key) + ", which is " + (trusted ? "" : "not ") + "one of yours";
  if (!trusted) text += " (--key FILE names another)";
  return audit::printable(text);
}

Result<Keys> chosen_files(std::string const& log_dir, Keys const& files) {
  if (!files.empty()) return files;
  auto const newest = newest_log(log_dir);
  if (!newest) return newest.error();
  return Keys{*newest};
}

}  // namespace

int verify_audit(Console const& console, audit::Places const& places, VerifyOptions const& options) {
  auto const keys = trusted_keys(places, options.keys);
  if (!keys) return fail(console, keys.error());
  auto const files = chosen_files(places.log_dir, options.files);
  if (!files) return fail(console, files.error());
  int status = kGood;
  for (auto const& file : *files) {
    auto verified = audit::verify_file(file, options.live ? audit::Expect::live : audit::Expect::ended);
    if (!verified) return fail(console, verified.error());
    bool const trusted = std::find(keys->begin(), keys->end(), verified->key) != keys->end();
    Judged const judged{file, std::move(*verified), trusted};
    print_line(console.out, options.json ? to_json(judged) : to_words(judged));
    if (!judged.good()) status = kBad;
  }
  return status;
}

}  // namespace sallyport::cli
