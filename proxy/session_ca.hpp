#pragma once
// The certificate authority of one session. It is made where the session is set up, before there is a gateway; the certificate goes
// to the jail, the key only to the gateway. Nothing of it is ever in a file of ours. Any thread.

#include "proxy/secret_page.hpp"

#include <chrono>
#include <string>

namespace sallyport::proxy {

struct SessionCa {
  std::string certificate;  // PEM
  SecretPage key;           // DER; the gateway wipes it once it has read it
};

/// ECDSA P-256, valid from a day before `now` for limits::kCaLifetime, with a name of its own.
Result<SessionCa> make_session_ca(std::chrono::system_clock::time_point now);

}  // namespace sallyport::proxy
