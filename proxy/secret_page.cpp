#include "proxy/secret_page.hpp"

#include "base/check.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace sallyport::proxy {

Result<SecretPage> SecretPage::holding(std::span<unsigned char const> secret) {
  check(secret.size() <= kBytes, "a secret fits one page");
  void* const memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return Error::os(errno, "memory for a key");
  auto* const page = static_cast<unsigned char*>(memory);
  if (::madvise(page, kBytes, MADV_DONTDUMP) != 0 || ::madvise(page, kBytes, MADV_WIPEONFORK) != 0) {
    int const error = errno;
    ::munmap(page, kBytes);
    return Error::os(error, "memory for a key");
  }
  ::mlock(page, kBytes);  // may be over the limit: then the page can be swapped like any other
  std::memcpy(page, secret.data(), secret.size());
  return SecretPage(page, secret.size());
}

SecretPage::SecretPage(SecretPage&& other) noexcept
    : page_(std::exchange(other.page_, nullptr)), size_(std::exchange(other.size_, 0)) {}

SecretPage& SecretPage::operator=(SecretPage&& other) noexcept {
  if (this == &other) return *this;
  wipe();
  page_ = std::exchange(other.page_, nullptr);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

Result<void> SecretPage::share_with_children() {
  if (page_ != nullptr && ::madvise(page_, kBytes, MADV_KEEPONFORK) != 0) return Error::os(errno, "memory for a key");
  return Result<void>();
}

void SecretPage::wipe() {
  if (page_ == nullptr) return;
  ::explicit_bzero(page_, kBytes);
  ::munmap(page_, kBytes);
  page_ = nullptr;
  size_ = 0;
}

}  // namespace sallyport::proxy
