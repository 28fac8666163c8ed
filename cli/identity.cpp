#include "cli/identity.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <optional>

namespace sallyport::cli {
namespace {

struct Account {
  uid_t uid;
  gid_t gid;
};

std::optional<Account> by_name_or_number(std::string const& text) {
  if (passwd const* found = ::getpwnam(text.c_str())) return Account{found->pw_uid, found->pw_gid};
  uid_t uid = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), uid);
  constexpr auto kNobodyAtAll = static_cast<uid_t>(-1);  // means "leave as it is" to setresuid(2)
  if (error != std::errc{} || end != text.data() + text.size() || uid == kNobodyAtAll) return std::nullopt;
  passwd const* found = ::getpwuid(uid);
  return Account{uid, found != nullptr ? found->pw_gid : uid};
}

Result<Choice> named(std::string const& as) {
  auto const account = by_name_or_number(as);
  if (!account) return Error{Code::invalid, 0, "--as: there is no user '" + as + "'"};
  if (account->uid == 0 || account->gid == 0)
    return Error{Code::invalid, 0, "--as: the jail never runs as root; name an unprivileged user"};
  return Choice{{account->uid, account->gid, true}, jail::Workspace::as_it_is};
}

}  // namespace

Result<Choice> choose_identity(std::string const& workspace, std::string const& as) {
  bool const root = ::geteuid() == 0;
  if (!root && !as.empty()) return Error{Code::invalid, 0, "--as needs root: an ordinary user's jail runs as that user"};
  if (!root) return Choice{{::geteuid(), ::getegid(), false}, jail::Workspace::as_it_is};
  if (!as.empty()) return named(as);
  struct stat owner{};
  if (::stat(workspace.c_str(), &owner) < 0) return Error::os(errno, "workspace '" + workspace + "'");
  if (owner.st_uid == 0) return Choice{{kNobodysUser, kNobodysUser, true}, jail::Workspace::owned_by_root};
  gid_t const group = owner.st_gid != 0 ? owner.st_gid : owner.st_uid;
  return Choice{{owner.st_uid, group, true}, jail::Workspace::as_it_is};
}

jail::Identity gateway_identity() {
  if (::geteuid() != 0) return {::geteuid(), ::getegid(), false};
  return {kNobodysUser, kNobodysUser, true};
}

}  // namespace sallyport::cli
