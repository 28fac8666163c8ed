#include "cli/exit_status.hpp"

#include <cerrno>
#include <cstring>
#include <type_traits>

namespace sallyport::cli {
namespace {

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

}  // namespace

int exit_status(jail::ExitReport const& report) {
  return std::visit(Overloaded{[](jail::Exited const& r) { return r.code; },
                               [](jail::Signaled const& r) { return kSignalBase + r.signal; },
                               [](jail::TimedOut const&) { return kTimeLimit; },
                               [](jail::NotStarted const& r) { return r.error == ENOENT ? kNotFound : kNotExecutable; },
                               [](jail::Broken const&) { return kNotSetUp; }},
                    report);
}

audit::SessionEnd session_end(jail::ExitReport const& report) {
  audit::SessionEnd end;
  std::visit(Overloaded{[&](jail::Exited const& r) { end.exit_code = r.code, end.cause = "exited"; },
                        [&](jail::Signaled const& r) { end.signal = r.signal, end.cause = "signaled"; },
                        [&](jail::TimedOut const&) { end.cause = "timeout"; },
                        [&](jail::NotStarted const& r) { end.exit_code = exit_status(r), end.cause = "not_started"; },
                        [&](jail::Broken const& r) { end.cause = r.cause; }},
             report);
  return end;
}

std::string not_started_text(std::string const& program, int error) {
  std::string text = "cannot execute '" + program + "' in the jail: " + std::strerror(error);
  if (error == ENOENT) text += "; below the home directory only PATH entries are visible, others need jail.filesystem.read";
  return text;
}

}  // namespace sallyport::cli
