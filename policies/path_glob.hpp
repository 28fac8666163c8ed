#pragma once
// Path globs of rules, compiled once. Immutable; any thread. Matching takes time linear in the path (RE2).

#include "base/result.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace sallyport::policies {

/// '*' stands for any bytes within one segment, a segment '**' for any number of segments: "/a/**" is everything below /a/,
/// "/a/**/b" is also "/a/b". The rest is literal, in the canonical form of policies/canonical_path.hpp.
class PathGlob {
 public:
  static Result<PathGlob> compile(std::string_view glob);
  /// The same over file names: nothing is escaped, and every byte but '*' and '/' is literal.
  static Result<PathGlob> compile_file(std::string_view glob);
  /// REQUIRES `path` is CanonicalPath::path(), or an absolute file name if the glob is for files.
  bool matches(std::string_view path) const;
  /// Canonical spelling.
  std::string const& text() const { return text_; }

 private:
  static Result<PathGlob> compiled(std::string text);
  PathGlob(std::string text, std::shared_ptr<re2::RE2 const> regex) : text_(std::move(text)), regex_(std::move(regex)) {}
  std::string text_;
  std::shared_ptr<re2::RE2 const> regex_;
};

}  // namespace sallyport::policies
