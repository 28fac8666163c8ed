#include "jail/browser_trust.hpp"

#include <array>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string_view>
#include <system_error>
#include <utility>

namespace sallyport::jail {
namespace fs = std::filesystem;
namespace {

constexpr std::array<char const*, 5> kBrowsers = {"chromium", "opt/chrome", "opt/chrome_for_testing", "opt/edge", "brave"};
constexpr char kPolicyFile[] = "sallyport.json";
constexpr std::size_t kMaxFiles = 32;
constexpr std::uintmax_t kMaxFileBytes = 64 * 1024;

/// The deepest directory on the way to the policies that the host has, and the rest of the way. A mount follows no link.
struct Way {
  fs::path place;
  std::string rest;
};

std::optional<Way> way_to_policies(fs::path const& browser) {
  std::error_code ec;
  for (auto const& [place, rest] :
       {Way{browser / "policies/managed", ""}, Way{browser / "policies", "managed/"}, Way{browser, "policies/managed/"}}) {
    if (fs::is_directory(place, ec) && fs::canonical(place, ec) == place) return Way{place, rest};
  }
  return std::nullopt;
}

/// Every file below `place`, to be copied; nothing when there are too many, or one is large, or not for everybody to read.
std::optional<std::vector<TrustDirectory::File>> files_below(fs::path const& place) {
  std::vector<TrustDirectory::File> files;
  std::error_code ec;
  for (auto entry = fs::recursive_directory_iterator(place, ec); !ec && entry != fs::recursive_directory_iterator();
       entry.increment(ec)) {
    if (!entry->is_regular_file(ec)) continue;
    auto const size = entry->file_size(ec);
    bool const readable = (entry->status(ec).permissions() & fs::perms::others_read) != fs::perms::none;
    if (ec || !readable || files.size() == kMaxFiles || size > kMaxFileBytes) return std::nullopt;
    files.push_back({entry->path().lexically_relative(place).string(), {}, {entry->path().string(), 0, size}});
  }
  if (ec) return std::nullopt;
  return files;
}

/// The base 64 between the lines of a PEM block.
std::string base64_of(std::string const& pem) {
  std::string digits;
  std::istringstream lines(pem);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("-----")) digits += line;
  }
  return digits;
}

}  // namespace

std::vector<TrustDirectory> browser_trust(std::string const& etc, std::string const& authority) {
  std::vector<TrustDirectory> found;
  for (std::string_view browser : kBrowsers) {
    auto const way = way_to_policies(fs::path(etc) / browser);
    if (!way) continue;
    auto files = files_below(way->place);
    if (!files) continue;
    files->push_back({way->rest + kPolicyFile, "{\"CACertificates\": [\"" + base64_of(authority) + "\"]}\n", {}});
    found.push_back({"browser-" + fs::path(browser).filename().string(), way->place.string(), *std::move(files)});
  }
  return found;
}

}  // namespace sallyport::jail
