#pragma once
// A web server on the host's loopback, HTTP or HTTPS, in threads of its own. It counts what reaches it, so that a test can
// say that nothing did. Any thread may ask for the counts. Throws when no socket can be had.
//
//   GET /hello      "hello\n"                     GET /bytes/N    pattern_bytes(N)
//   GET /echo       the request head as received  GET /drip       "first bytes" of a download that never ends
//   GET /echo/reversed  the same backwards        GET /digest/F   the SHA-256 of the field F
//   GET /redirect?URL   302 to there
//   POST /upload    "<bytes> <sha256>\n" of the body (Content-Length or chunked)

#include "base/unique_fd.hpp"
#include "tests/support/test_ca.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace sallyport::test {

class OriginStream;

class Origin {
 public:
  /// Plain HTTP.
  explicit Origin(std::string const& address = "127.0.0.1");
  /// HTTPS, with a certificate of `ca` for `names`.
  Origin(TestCa const& ca, std::vector<std::string> const& names, std::string const& address = "127.0.0.1");
  ~Origin();
  Origin(Origin const&) = delete;
  Origin& operator=(Origin const&) = delete;

  /// Called in a connection's thread when its first byte is there and before it is read. Set before the first connection.
  void on_first_byte(std::function<void()> hook) { first_byte_ = std::move(hook); }

  std::uint16_t port() const { return port_; }
  /// Connections accepted so far, whatever came over them.
  std::size_t connections() const { return connections_; }
  std::size_t requests() const { return requests_; }
  std::size_t open_connections() const;
  /// TLS handshakes that went on with an earlier session.
  std::size_t resumptions() const { return resumptions_; }

 private:
  Origin(OpenSsl<SSL_CTX> tls, std::string const& address);
  void accept_loop();
  void serve(UniqueFd socket);
  bool answer(OriginStream& stream, std::string const& head);

  OpenSsl<SSL_CTX> tls_;  // null: plain HTTP
  UniqueFd listener_;
  UniqueFd stop_;  // an eventfd: readable when the server ends
  std::uint16_t port_ = 0;
  std::function<void()> first_byte_ = [] {};
  std::atomic<std::size_t> connections_ = 0, requests_ = 0, resumptions_ = 0;
  mutable std::mutex mutex_;  // guards the two below
  std::set<int> open_;        // sockets of live connections
  std::vector<std::thread> workers_;
  std::thread acceptor_;  // last: it uses everything above
};

/// The body of /bytes/N: not constant, not compressible to nothing, the same every time.
std::string pattern_bytes(std::size_t count);

}  // namespace sallyport::test
