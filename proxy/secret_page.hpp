#pragma once
// A page of memory for a key: not in core dumps, not swapped out where the limits allow it, and empty in a forked child unless
// it is shared first. Wiped when it goes. Any thread, one at a time. Sources: madvise(2), mlock(2).

#include "base/result.hpp"

#include <cstddef>
#include <span>

namespace sallyport::proxy {

class SecretPage {
 public:
  static constexpr std::size_t kBytes = 4096;

  /// Holds a copy of `secret`, which the caller wipes. Code::os when there is no memory.
  static Result<SecretPage> holding(std::span<unsigned char const> secret);
  SecretPage(SecretPage&& other) noexcept;
  SecretPage& operator=(SecretPage&& other) noexcept;
  SecretPage(SecretPage const&) = delete;
  ~SecretPage() { wipe(); }

  /// Another page with the same.
  Result<SecretPage> copy() const { return holding(bytes()); }

  /// Empty after wipe().
  std::span<unsigned char const> bytes() const { return {page_, size_}; }
  /// A child that is forked from now on has the secret, too.
  Result<void> share_with_children();
  void wipe();

 private:
  SecretPage(unsigned char* page, std::size_t size) : page_(page), size_(size) {}

  unsigned char* page_;
  std::size_t size_;
};

}  // namespace sallyport::proxy
