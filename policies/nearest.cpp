#include "policies/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace sallyport::policies {

namespace {

/// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      std::size_t const replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest(std::string_view word, std::span<std::string_view const> known) {
  constexpr std::size_t kMaxEdits = 2;
  constexpr std::size_t kMaxWordBytes = 64;
  if (word.size() > kMaxWordBytes) return {};
  std::string_view best;
  std::size_t best_distance = kMaxEdits + 1;
  for (auto candidate : known) {
    auto const distance = edit_distance(word, candidate);
    if (distance >= best_distance || distance >= candidate.size()) continue;
    best = candidate;
    best_distance = distance;
  }
  return std::string(best);
}

}  // namespace sallyport::policies
