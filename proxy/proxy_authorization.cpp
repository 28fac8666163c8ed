#include "proxy/proxy_authorization.hpp"

#include "policies/quote.hpp"

#include <openssl/evp.h>

#include <vector>

namespace sallyport::proxy {
namespace {

std::string base64(std::string const& bytes) {
  std::vector<unsigned char> out(4 * ((bytes.size() + 2) / 3) + 1);
  int const size =
      EVP_EncodeBlock(out.data(), reinterpret_cast<unsigned char const*>(bytes.data()), static_cast<int>(bytes.size()));
  return std::string(out.begin(), out.begin() + size);
}

}  // namespace

std::string basic_authorization(policies::UpstreamProxy const& proxy) {
  return proxy.user.empty() ? std::string() : "Basic " + base64(proxy.user + ':' + proxy.password);
}

std::string proxy_refusal(int status, std::string const& reason_phrase) {
  auto what = "it answered " + std::to_string(status) + ' ' + policies::in_quotes(reason_phrase);
  if (status == kProxyAuthenticationRequired)
    what += ": it wants a user and password that it knows, in the URL of --upstream-proxy";
  return what;
}

}  // namespace sallyport::proxy
