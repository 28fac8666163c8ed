#include "cli/dlp_salt.hpp"

#include "audit/files.hpp"
#include "audit/private_file.hpp"

#include <optional>

namespace sallyport::cli {
namespace {

constexpr char kName[] = "dlp.salt";
constexpr std::size_t kBytes = 32;
constexpr std::size_t kDigits = 2 * kBytes;

}  // namespace

Result<std::string> load_or_create_salt(std::string const& dir) {
  auto const path = dir + "/" + kName;
  auto salt = audit::read_private_file(path, kDigits);
  if (!salt) return salt.error();
  if (!*salt) {
    auto const random = audit::random_hex(kBytes);
    if (!random) return random.error();
    if (auto made = audit::create_private_file(dir, kName, *random); !made) return made.error();
    salt = audit::read_private_file(path, kDigits);
    if (!salt) return salt.error();
  }
  if (!*salt || (*salt)->size() != kDigits)
    return Error{Code::invalid, 0,
                 path + " is no salt: remove it and a new one is made; exceptions with a digest are void then"};
  return **std::move(salt);
}

}  // namespace sallyport::cli
