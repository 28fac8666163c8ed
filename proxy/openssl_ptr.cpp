#include "proxy/openssl_ptr.hpp"

#include <openssl/err.h>

namespace sallyport::proxy {

std::string openssl_error_text() {
  auto const code = ERR_get_error();
  ERR_clear_error();
  if (code == 0) return "no reason given";
  auto const* reason = ERR_reason_error_string(code);
  return reason != nullptr ? reason : "error " + std::to_string(code);
}

Error openssl_error(std::string what) { return Error{Code::invalid, 0, std::move(what) + ": " + openssl_error_text()}; }

void start_openssl() { OPENSSL_init_ssl(OPENSSL_INIT_NO_LOAD_CONFIG, nullptr); }

}  // namespace sallyport::proxy
