#include "proxy/policy_file.hpp"

#include "base/limits.hpp"
#include "policies/bundle.hpp"

#include <unistd.h>

#include <cerrno>
#include <string>

namespace sallyport::proxy {
namespace {

Result<std::string> read_all(UniqueFd const& file) {
  off_t const size = ::lseek(file.get(), 0, SEEK_END);  // a confined process may not ask for more of a file's facts
  if (size < 0) return Error::os(errno, "policy file");
  if (static_cast<std::size_t>(size) > limits::kMaxPolicyBundleBytes)
    return Error{Code::limit, 0, "the policy is too large to be handed to the gateway"};
  std::string bytes(static_cast<std::size_t>(size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    ssize_t const got = ::pread(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return Error::os(errno, "policy file");
    done += static_cast<std::size_t>(got);
  }
  return bytes;
}

}  // namespace

Result<std::shared_ptr<policies::Policy const>> read_policy_file(UniqueFd const& bundle) {
  auto const bytes = read_all(bundle);
  if (!bytes) return bytes.error();
  policies::Problems problems;
  auto policy = policies::unpack_policy(*bytes, problems);
  if (policy == nullptr) return Error{Code::invalid, 0, problems.empty() ? "no policy" : to_string(problems.front())};
  return policy;
}

}  // namespace sallyport::proxy
