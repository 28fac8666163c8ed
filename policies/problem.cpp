#include "policies/problem.hpp"

namespace sallyport::policies {

std::string to_string(Place const& place) {
  if (place.line == 0) return place.file;
  return place.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string to_string(Problem const& problem) {
  auto const where = to_string(problem.place);
  return where.empty() ? problem.what : where + ": " + problem.what;
}

}  // namespace sallyport::policies
