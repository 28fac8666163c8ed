#include "policies/path_glob.hpp"

#include "base/limits.hpp"
#include "policies/canonical_path.hpp"
#include "policies/quote.hpp"

#include <re2/re2.h>

namespace sallyport::policies {

namespace {

Error bad_glob(std::string_view glob, std::string_view why) {
  return Error{Code::invalid, 0, "path " + in_quotes(glob) + " " + std::string(why)};
}

/// One segment without its slashes: '*' becomes any bytes but '/'.
std::string segment_regex(std::string_view segment) {
  std::string regex;
  for (auto star = segment.find('*'); star != std::string_view::npos; star = segment.find('*')) {
    regex += re2::RE2::QuoteMeta(re2::StringPiece(segment.data(), star)) + "[^/]*";
    segment.remove_prefix(star + 1);
  }
  return regex + re2::RE2::QuoteMeta(re2::StringPiece(segment.data(), segment.size()));
}

/// glob = 1*( "/" segment );  "**" in the middle eats its slash, at the end it is everything.
std::string glob_regex(std::string_view glob) {
  std::string regex = "/";
  auto rest = glob.substr(1);
  while (true) {
    auto const slash = rest.find('/');
    auto const segment = rest.substr(0, slash);
    bool const last = slash == std::string_view::npos;
    if (segment == "**") {
      regex += last ? ".*" : "(?:[^/]+/)*";
    } else {
      regex += segment_regex(segment) + (last ? "" : "/");
    }
    if (last) return regex;
    rest.remove_prefix(slash + 1);
  }
}

/// "**" stands alone in its segment.
bool has_stray_stars(std::string_view glob) {
  for (auto at = glob.find("**"); at != std::string_view::npos; at = glob.find("**", at + 2)) {
    bool const begins = at > 0 && glob[at - 1] == '/';
    bool const ends = at + 2 == glob.size() || glob[at + 2] == '/';
    if (!begins || !ends) return true;
  }
  return false;
}

}  // namespace

Result<PathGlob> PathGlob::compile(std::string_view glob) {
  if (!glob.starts_with('/')) return bad_glob(glob, "must begin with '/', as in /simple/**");
  if (glob.find('?') != std::string_view::npos) return bad_glob(glob, "has a query; rules match the path only");
  auto canonical = CanonicalPath::from(glob);
  if (!canonical) return canonical.error();
  return compiled(canonical->path());
}

Result<PathGlob> PathGlob::compile_file(std::string_view glob) {
  if (!glob.starts_with('/')) return bad_glob(glob, "must be absolute, as in /usr/bin/pip*");
  if (glob.size() >= limits::kMaxPathBytes) return bad_glob(glob, "is too long");
  bool const odd = (std::string(glob) + "/").find("/../") != std::string::npos || glob.find("//") != std::string_view::npos;
  if (odd) return bad_glob(glob, "can never be an executable's name: it has '..' or '//'");
  return compiled(std::string(glob));
}

Result<PathGlob> PathGlob::compiled(std::string text) {
  if (has_stray_stars(text)) return bad_glob(text, "has a '**' that is not a whole segment; write '*' or '/**/'");
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(re2::RE2::Options::EncodingLatin1);
  options.set_dot_nl(true);
  auto regex = std::make_shared<re2::RE2 const>(glob_regex(text), options);
  if (!regex->ok()) return bad_glob(text, "is too long or has too many wildcards");
  return PathGlob(std::move(text), std::move(regex));
}

bool PathGlob::matches(std::string_view path) const {
  return re2::RE2::FullMatch(re2::StringPiece(path.data(), path.size()), *regex_);
}

}  // namespace sallyport::policies
