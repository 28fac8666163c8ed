#include "policies/text_glob.hpp"

#include <cstddef>

namespace sallyport::policies {

/// Greedy, and goes back to the last star only: an earlier one could not do better.
bool text_matches(std::string_view glob, std::string_view text) {
  std::size_t at = 0;
  std::size_t in_glob = 0;
  std::size_t behind_star = std::string_view::npos;
  std::size_t retry = 0;
  while (at < text.size()) {
    if (in_glob < glob.size() && glob[in_glob] == '*') {
      behind_star = ++in_glob;
      retry = at;
    } else if (in_glob < glob.size() && glob[in_glob] == text[at]) {
      ++in_glob;
      ++at;
    } else if (behind_star != std::string_view::npos) {
      in_glob = behind_star;
      at = ++retry;
    } else {
      return false;
    }
  }
  while (in_glob < glob.size() && glob[in_glob] == '*') ++in_glob;
  return in_glob == glob.size();
}

}  // namespace sallyport::policies
