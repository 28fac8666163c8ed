#pragma once
// Questions with a default, to a person at a terminal. One thread.

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace sallyport::cli {

struct Question {
  std::string text;
  std::string otherwise;             // the answer to an empty line
  std::vector<std::string> choices;  // empty: any answer
};

class Dialogue {
 public:
  Dialogue(std::FILE* in, std::FILE* out) : in_(in), out_(out) {}

  /// Asks again until the answer is one of the choices. Nothing when the input ends.
  std::optional<std::string> ask(Question const& question);

 private:
  std::FILE* in_;
  std::FILE* out_;
};

}  // namespace sallyport::cli
