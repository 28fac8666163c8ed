#pragma once
// A UDP service on the host's loopback that answers everything and counts it. Any thread may ask.

#include "base/unique_fd.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>

namespace sallyport::test {

class UdpPeer {
 public:
  explicit UdpPeer(std::string const& address = "127.0.0.1");
  ~UdpPeer();
  UdpPeer(UdpPeer const&) = delete;
  UdpPeer& operator=(UdpPeer const&) = delete;

  std::uint16_t port() const { return port_; }
  std::size_t datagrams() const { return datagrams_; }

 private:
  void serve();

  UniqueFd socket_;
  UniqueFd stop_;  // an eventfd
  std::uint16_t port_;
  std::atomic<std::size_t> datagrams_ = 0;
  std::thread thread_;
};

}  // namespace sallyport::test
