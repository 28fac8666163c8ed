#pragma once
// Overwrites memory that held a secret. Any thread. Does not reach copies that were made of it.

#include <string>

#include <string.h>

namespace sallyport {

inline void wipe(std::string& secret) {
  ::explicit_bzero(secret.data(), secret.size());
  secret.clear();
}

}  // namespace sallyport
