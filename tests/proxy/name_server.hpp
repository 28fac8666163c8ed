#pragma once
// A DNS server on loopback (UDP) that answers A and AAAA questions from a table, in a thread of its own.

#include "policies/address_class.hpp"
#include "tests/proxy/loopback.hpp"

#include <atomic>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace sallyport::tests {

class NameServer {
 public:
  /// Addresses by name. A name that is not listed does not exist; questions for kSilent are never answered.
  explicit NameServer(std::map<std::string, std::vector<std::string>> names);
  ~NameServer();
  NameServer(NameServer const&) = delete;
  NameServer& operator=(NameServer const&) = delete;

  static constexpr char const* kSilent = "silent.example";
  /// As DnsServers takes it.
  std::string address() const { return "127.0.0.1:" + std::to_string(port_of(socket_)); }
  int questions() const { return questions_; }

 private:
  void serve();
  std::string answer(std::string const& query) const;

  UniqueFd socket_ = bound_socket(SocketKind::datagram);
  std::map<std::string, std::vector<std::string>> names_;
  std::atomic<int> questions_{0};
  std::thread thread_;
};

}  // namespace sallyport::tests
