#include "policies/problem.hpp"

#include <algorithm>

namespace sallyport::policies {

std::string to_string(Place const& place) {
  if (place.line == 0) return place.file;
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string to_string(Problem const& problem) {
  auto const where = to_string(problem.place);
  return where.empty() ? problem.what : where + ": " + problem.what;
}

Error as_error(Problems const& problems) {
  constexpr std::size_t kShown = 50;
  Error error{Code::invalid, 0, ""};
  for (std::size_t i = 0; i < std::min(kShown, problems.size()); ++i) {
    error.what += (i == 0 ? "" : "\n") + to_string(problems[i]);
  }
  if (problems.size() > kShown) error.what += "\nand " + std::to_string(problems.size() - kShown) + " more";
  return error;
}

}  // namespace sallyport::policies
