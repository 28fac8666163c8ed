#include "proxy/hosts_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace sallyport::proxy {
namespace {

constexpr std::string_view kBlank = " \t\r";

/// Takes the next word off `line`; empty when there is none.
std::string_view next_word(std::string_view& line) {
  auto const begin = std::min(line.find_first_not_of(kBlank), line.size());
  auto const end = std::min(line.find_first_of(kBlank, begin), line.size());
  auto const word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

}  // namespace

HostsFile HostsFile::parse(std::string_view text) {
  HostsFile file;
  while (!text.empty()) {
    auto const end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line = line.substr(0, line.find('#'));
    auto const address = policies::IpAddress::parse(next_word(line));
    if (!address) continue;
    for (auto word = next_word(line); !word.empty(); word = next_word(line)) {
      auto const name = policies::CanonicalHost::from(word);
      if (name && !name->is_address()) file.addresses_[name->str()].push_back(*address);
    }
  }
  return file;
}

HostsFile HostsFile::load(std::string const& path) {
  std::ifstream file(path);
  return parse(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::vector<policies::IpAddress> HostsFile::find(policies::CanonicalHost const& host) const {
  auto const found = addresses_.find(host.str());
  return found == addresses_.end() ? std::vector<policies::IpAddress>{} : found->second;
}

}  // namespace sallyport::proxy
