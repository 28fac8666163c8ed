#include "cli/dialogue.hpp"

#include <algorithm>

namespace sallyport::cli {
namespace {

std::optional<std::string> read_line(std::FILE* in) {
  std::string line;
  for (int c = std::fgetc(in); c != '\n'; c = std::fgetc(in)) {
    if (c == EOF) return std::nullopt;
    line += static_cast<char>(c);
  }
  auto const first = line.find_first_not_of(" \t\r");
  if (first == std::string::npos) return "";
  return line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
}

std::string joined(std::vector<std::string> const& words) {
  std::string out;
  for (auto const& word : words) out += (out.empty() ? "" : ", ") + word;
  return out;
}

}  // namespace

std::optional<std::string> Dialogue::ask(Question const& question) {
  auto const choices = question.choices.empty() ? "" : " (" + joined(question.choices) + ")";
  for (;;) {
    std::fprintf(out_, "%s%s [%s] ", question.text.c_str(), choices.c_str(), question.otherwise.c_str());
    std::fflush(out_);
    auto const line = read_line(in_);
    if (!line) return std::nullopt;
    auto const& answer = line->empty() ? question.otherwise : *line;
    bool const fits = question.choices.empty() || std::ranges::find(question.choices, answer) != question.choices.end();
    if (fits) return answer;
    std::fprintf(out_, "'%s' is none of %s.\n", answer.c_str(), joined(question.choices).c_str());
  }
}

}  // namespace sallyport::cli
