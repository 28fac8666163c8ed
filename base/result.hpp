#pragma once
// One way to report errors: Result<T> holds a T or an Error. Values only, no I/O, any thread.

#include <boost/system/result.hpp>

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace sallyport {

/// What kind of failure; callers branch on it. Everything a person needs is in Error::what.
enum class Code {
  invalid,      // input that is not well formed: a file, an argument, bytes from the network
  denied,       // well formed, and refused by policy
  limit,        // a bound of base/limits.hpp or a deadline was reached
  os,           // a system call failed; Error::os_errno says how
  closed,       // the other side went away
  unsupported,  // this kernel, host or version cannot do it
};

struct Error {
  Code code = Code::invalid;
  int os_errno = 0;  // 0 unless code is os
  std::string what;  // one line, no final newline: what failed, on what, and the fix if there is one

  static Error invalid(std::string what) { return Error{Code::invalid, 0, std::move(what)}; }
  /// Error of a failed system call: "what: strerror(errno)".
  static Error os(int errno_value, std::string what) {
    return Error{Code::os, errno_value, std::move(what) + ": " + std::strerror(errno_value)};
  }
  bool operator==(Error const&) const = default;
};

template <class T>
using Result = boost::system::result<T, Error>;

/// Makes result.value() throw for Error; product code tests a result before it reads the value.
[[noreturn]] inline void throw_exception_from_error(Error const& error, boost::source_location const&) {
  throw std::runtime_error(error.what);
}

}  // namespace sallyport
