#pragma once
// How much names alone may tell: questions and requests for DATA.example.com carry data to whoever answers for example.com,
// though a rule with a wildcard allows each of them. Counts, for each registered domain and session, the different names
// below it and the bytes of those that look random. Any thread; no I/O. Does not know which names a rule says in
// full: these are not counted.

#include "policies/canonical_host.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace sallyport::proxy {

struct NameLimits {
  std::size_t names = 512;          // different names below one registered domain
  std::size_t random_bytes = 4096;  // of the labels of those that look random
  std::size_t domains = 4096;       // registered domains, for the memory's sake
};

class NameBudget {
 public:
  enum class Answer { within, too_many_names, too_many_random_bytes };

  explicit NameBudget(NameLimits limits = {}) : limits_(limits) {}

  /// A name that was within the budget stays so; one that is not is not counted. REQUIRES no address.
  Answer count(policies::CanonicalHost const& name);

 private:
  struct Domain {
    std::set<std::string> names;
    std::size_t random_bytes = 0;
  };

  NameLimits const limits_;
  std::mutex mutex_;
  std::map<std::string, Domain, std::less<>> domains_;
};

}  // namespace sallyport::proxy
