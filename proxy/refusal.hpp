#pragma once
// A request that goes no further: the verdict for the record and the status for the client. Values; any thread.

#include "base/result.hpp"
#include "policies/verdict.hpp"

#include <boost/system/result.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace sallyport::proxy {

struct Refusal {
  int status = 403;  // of an HTTP answer, as deny_reply() takes it
  policies::Verdict verdict;
};

/// A T, or why the request is refused.
template <class T>
using Attempt = boost::system::result<T, Refusal>;

[[noreturn]] inline void throw_exception_from_error(Refusal const& refusal, boost::source_location const&) {
  throw std::runtime_error("refused: " + refusal.verdict.reason);
}

/// A refusal that no rule made. `detail` is one sentence for people.
inline Refusal refusal(int status, std::string_view reason, std::string detail) {
  Refusal made{status, {}};
  made.verdict.reason = reason;
  made.verdict.hint = std::move(detail);
  return made;
}

/// The policy's refusal. A function, not `Refusal{…}` at the call: g++ 12 destroys a braced temporary among the arguments
/// of an awaited call twice.
inline Refusal refused_by(policies::Verdict verdict) {
  Refusal made;
  made.verdict = std::move(verdict);
  return made;
}

}  // namespace sallyport::proxy
