#pragma once
// The files below a directory, as a version-control system sees them. Reads directories and .gitignore files; one thread.
// Source: gitignore(5). Not read: .git/info/exclude and the user's own exclude file.

#include "base/result.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::cli {

enum class Ignored { skip, visit };

/// Calls `visit` with `path` if it is a file, else with each regular file below it in the order of their names. Symbolic
/// links below `path` and directories called .git are passed over. Error::os if `path` does not exist.
Result<void> for_each_file(std::string const& path, Ignored ignored, std::function<void(std::string const&)> const& visit);

/// One .gitignore file.
class IgnoreList {
 public:
  explicit IgnoreList(std::string_view text);

  enum class Answer { silent, ignored, kept };
  enum class Entry { file, directory };
  /// `path` is relative to the directory of the file. The last pattern that matches decides.
  Answer ask(std::string const& path, Entry entry) const;

 private:
  struct Pattern {
    std::string glob;
    bool negated = false;
    bool directories_only = false;
    bool anchored = false;  // holds a slash: matches from the directory of the file on
  };
  std::vector<Pattern> patterns_;
};

}  // namespace sallyport::cli
