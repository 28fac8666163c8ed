#include "proxy/cares_channel.hpp"

#include "base/defer.hpp"

#include <netinet/in.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>

namespace sallyport::proxy {
namespace {

constexpr int kServerTimeoutMs = 2000;  // for the first try of one server; c-ares doubles it
constexpr int kTries = 3;

Error ares_error(int status, std::string const& what) {
  bool const says_none = status == ARES_ENOTFOUND || status == ARES_ENODATA;
  auto const code = status == ARES_ETIMEOUT ? Code::limit : says_none ? Code::invalid : Code::closed;
  return Error{code, 0, what + ": " + ares_strerror(status)};
}

std::optional<policies::IpAddress> address_of(sockaddr const& address) {
  if (address.sa_family == AF_INET) {
    sockaddr_in v4;
    std::memcpy(&v4, &address, sizeof v4);  // SAFETY: c-ares allocates the family's full structure
    std::array<std::uint8_t, 4> bytes;
    std::memcpy(bytes.data(), &v4.sin_addr, bytes.size());
    return policies::IpAddress::from_v4(bytes);
  }
  if (address.sa_family == AF_INET6) {
    sockaddr_in6 v6;
    std::memcpy(&v6, &address, sizeof v6);  // SAFETY: as above
    std::array<std::uint8_t, 16> bytes;
    std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
    return policies::IpAddress::from_v6(bytes);
  }
  return std::nullopt;
}

std::vector<policies::IpAddress> addresses_in(ares_addrinfo const& answer) {
  std::vector<policies::IpAddress> addresses;
  for (auto const* node = answer.nodes; node != nullptr; node = node->ai_next) {
    auto const address = address_of(*node->ai_addr);
    if (address && std::find(addresses.begin(), addresses.end(), *address) == addresses.end())
      addresses.push_back(*address);
  }
  return addresses;
}

std::chrono::seconds ttl_of(ares_addrinfo const& answer) {
  int shortest = std::numeric_limits<int>::max();
  for (auto const* node = answer.nodes; node != nullptr; node = node->ai_next) shortest = std::min(shortest, node->ai_ttl);
  for (auto const* alias = answer.cnames; alias != nullptr; alias = alias->next) shortest = std::min(shortest, alias->ttl);
  return std::chrono::seconds(std::max(shortest, 0));
}

}  // namespace

/// One socket of c-ares in Asio's reactor. c-ares opens and closes the descriptor; here it is only waited for.
struct CaresChannel::Watch {
  Watch(Executor executor, ares_socket_t socket) : descriptor(std::move(executor), socket) {}
  /// Before c-ares closes the descriptor: a pending wait ends, and its handler finds the watch gone from the map.
  void forget() { descriptor.release(); }
  Descriptor descriptor;
  bool want_read = false;
  bool want_write = false;
  bool reading = false;
  bool writing = false;
};

/// Shared by the awaiting coroutine and the callback: either may be gone first.
struct CaresChannel::Lookup {
  explicit Lookup(Executor executor) : done(std::move(executor), Timer::time_point::max()) {}
  Timer done;
  std::optional<Result<DnsAnswer>> result;
};

CaresChannel::CaresChannel(Executor executor) : executor_(executor), timer_(executor) {}

Result<std::unique_ptr<CaresChannel>> CaresChannel::make(Executor executor, DnsServers servers) {
  std::unique_ptr<CaresChannel> made(new CaresChannel(std::move(executor)));
  ares_options options{};
  char dns_only[] = "b";
  options.flags = ARES_FLAG_NOALIASES | ARES_FLAG_NOSEARCH;
  options.timeout = kServerTimeoutMs;
  options.tries = kTries;
  options.lookups = dns_only;
  options.sock_state_cb = on_socket_state;
  options.sock_state_cb_data = made.get();
  int const mask = ARES_OPT_FLAGS | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES | ARES_OPT_LOOKUPS | ARES_OPT_SOCK_STATE_CB;
  int status = ares_init_options(&made->channel_, &options, mask);
  if (status != ARES_SUCCESS) return ares_error(status, "c-ares");
  if (!servers.list.empty()) status = ares_set_servers_ports_csv(made->channel_, servers.list.c_str());
  if (status != ARES_SUCCESS) return ares_error(status, "nameservers " + servers.list);
  return made;
}

CaresChannel::~CaresChannel() {
  if (channel_ != nullptr) ares_destroy(channel_);  // ends pending lookups and takes every watch back
}

awaitable<Result<DnsAnswer>> CaresChannel::lookup(std::string name) {
  auto const pending = std::make_shared<Lookup>(executor_);
  ares_addrinfo_hints hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = ARES_AI_NOSORT;  // the dialer orders them
  auto holder = std::make_unique<std::shared_ptr<Lookup>>(pending);
  ares_getaddrinfo(channel_, name.c_str(), nullptr, &hints, on_answer, holder.release());  // on_answer frees it, always
  arm_timer();
  if (!pending->result) co_await pending->done.async_wait();
  if (!pending->result) co_return Error{Code::closed, 0, "resolve " + name + ": given up"};
  if (*pending->result) co_return std::move(**pending->result);
  co_return Error{pending->result->error().code, 0, "resolve " + name + ": " + pending->result->error().what};
}

void CaresChannel::on_answer(void* argument, int status, int, ares_addrinfo* answer) {
  std::unique_ptr<std::shared_ptr<Lookup>> const holder(static_cast<std::shared_ptr<Lookup>*>(argument));
  Defer const free_answer([&] { ares_freeaddrinfo(answer); });
  Lookup& lookup = **holder;
  lookup.done.cancel();
  if (status != ARES_SUCCESS) {
    lookup.result = ares_error(status, "DNS");
    return;
  }
  auto addresses = addresses_in(*answer);
  if (addresses.empty()) {
    lookup.result = Error{Code::invalid, 0, "the name has no address"};
  } else {
    lookup.result = DnsAnswer{std::move(addresses), ttl_of(*answer)};
  }
}

void CaresChannel::on_socket_state(void* argument, ares_socket_t socket, int readable, int writable) {
  auto& self = *static_cast<CaresChannel*>(argument);
  if (readable == 0 && writable == 0) {
    auto const gone = self.watches_.extract(socket);
    if (!gone.empty()) gone.mapped()->forget();
    return;
  }
  auto& place = self.watches_[socket];
  if (!place) place = std::make_shared<Watch>(self.executor_, socket);
  place->want_read = readable != 0;
  place->want_write = writable != 0;
  self.watch(place);
}

/// Waits for what c-ares wants of this socket. The handlers hold the watch, and do nothing once it left the map.
void CaresChannel::watch(std::shared_ptr<Watch> watched) {
  auto const socket = watched->descriptor.native_handle();
  if (watched->want_read && !watched->reading) {
    watched->reading = true;
    watched->descriptor.async_wait(asio::posix::descriptor_base::wait_read, [this, watched, socket](auto ec) {
      watched->reading = false;
      if (ec) return;
      process(socket, ARES_SOCKET_BAD);
      if (watches_.contains(socket) && watches_[socket] == watched) watch(watched);
    });
  }
  if (watched->want_write && !watched->writing) {
    watched->writing = true;
    watched->descriptor.async_wait(asio::posix::descriptor_base::wait_write, [this, watched, socket](auto ec) {
      watched->writing = false;
      if (ec) return;
      process(ARES_SOCKET_BAD, socket);
      if (watches_.contains(socket) && watches_[socket] == watched) watch(watched);
    });
  }
}

void CaresChannel::process(ares_socket_t readable, ares_socket_t writable) {
  ares_process_fd(channel_, readable, writable);
  arm_timer();
}

void CaresChannel::arm_timer() {
  timeval bound{kServerTimeoutMs / 1000, 0};
  timeval next{};
  if (watches_.empty()) {
    timer_.cancel();
    return;
  }
  auto const* wait = ares_timeout(channel_, &bound, &next);
  timer_.expires_after(std::chrono::seconds(wait->tv_sec) + std::chrono::microseconds(wait->tv_usec));
  timer_.async_wait([this](auto ec) {
    if (!ec) process(ARES_SOCKET_BAD, ARES_SOCKET_BAD);
  });
}

}  // namespace sallyport::proxy
