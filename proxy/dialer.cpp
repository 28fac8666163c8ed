#include "proxy/dialer.hpp"

#include "base/check.hpp"
#include "base/defer.hpp"
#include "proxy/deadline.hpp"
#include "proxy/net_address.hpp"

#include <algorithm>
#include <list>
#include <memory>
#include <optional>

namespace sallyport::proxy {
namespace {

using policies::AllowedEndpoint;

/// The attempts of one connect(). Handlers of attempts that lost may run after connect() returned, so they share it.
class Race : public std::enable_shared_from_this<Race> {
 public:
  Race(Executor executor, std::vector<AllowedEndpoint> endpoints, std::chrono::milliseconds delay)
      : executor_(executor), endpoints_(std::move(endpoints)), delay_(delay), next_start_(executor), finished_(executor) {
    sockets_.reserve(endpoints_.size());  // handlers refer to sockets by index; they do not move
  }

  awaitable<Result<Dialed>> run() {
    auto const started = std::chrono::steady_clock::now();
    finished_.expires_at(std::chrono::steady_clock::time_point::max());
    start_next();
    if (!over_) co_await finished_.async_wait();  // ends when an attempt wins, all failed, or the caller gives up
    if (!winner_) co_return Error::os(last_error_.value(), "connect");
    auto const took = std::chrono::steady_clock::now() - started;
    co_return Dialed{std::move(sockets_[*winner_]), endpoints_[*winner_],
                     std::chrono::duration_cast<std::chrono::microseconds>(took)};
  }

  void close_all() {
    over_ = true;
    next_start_.cancel();
    for (auto& socket : sockets_) {
      boost::system::error_code ignored;  // the descriptor is gone in any case
      socket.close(ignored);
    }
  }

 private:
  void start_next() {
    if (over_ || sockets_.size() == endpoints_.size()) return;
    std::size_t const index = sockets_.size();
    auto const& endpoint = endpoints_[index];
    asio::ip::tcp::endpoint const address(to_asio(*endpoint.address()), endpoint.port());
    auto& socket = sockets_.emplace_back(executor_);
    ++running_;
    boost::system::error_code error;
    socket.open(address.protocol(), error);
    if (error) return on_connect(index, error);
    socket.async_connect(address, [self = shared_from_this(), index](auto ec) { self->on_connect(index, ec); });
    next_start_.expires_after(delay_);
    next_start_.async_wait([self = shared_from_this()](auto ec) {
      if (!ec) self->start_next();
    });
  }

  void on_connect(std::size_t index, boost::system::error_code error) {
    --running_;
    if (over_) return;
    if (!error) {
      boost::system::error_code ignored;  // a socket without it works, only slower
      sockets_[index].set_option(asio::ip::tcp::no_delay(true), ignored);
      winner_ = index;
      return finish();
    }
    last_error_ = error;
    if (sockets_.size() < endpoints_.size()) return start_next();
    if (running_ == 0) finish();
  }

  void finish() {
    over_ = true;
    finished_.cancel();
  }

  Executor executor_;
  std::vector<AllowedEndpoint> endpoints_;
  std::chrono::milliseconds delay_;
  Timer next_start_;
  Timer finished_;
  std::vector<Socket> sockets_;
  std::size_t running_ = 0;
  bool over_ = false;
  std::optional<std::size_t> winner_;
  boost::system::error_code last_error_;
};

awaitable<Result<Dialed>> run_race(std::vector<AllowedEndpoint> endpoints, std::chrono::milliseconds attempt_delay) {
  auto const executor = co_await asio::this_coro::executor;
  auto const race = std::make_shared<Race>(executor, interleave_families(endpoints), attempt_delay);
  Defer const close_losers([&] { race->close_all(); });
  co_return co_await race->run();
}

/// Without a race: nearly every name has one address after its others were refused, or is pinned to one.
awaitable<Result<Dialed>> connect_to(AllowedEndpoint endpoint, std::chrono::milliseconds longest) {
  auto const started = std::chrono::steady_clock::now();
  asio::ip::tcp::endpoint const address(to_asio(*endpoint.address()), endpoint.port());
  Socket socket(co_await asio::this_coro::executor);
  boost::system::error_code error;
  socket.open(address.protocol(), error);
  if (error) co_return Error::os(error.value(), "connect");
  Deadline const deadline(socket.get_executor(), longest, [&socket] { socket.cancel(); });
  auto [ec] = co_await socket.async_connect(address);
  if (ec && deadline.is_over()) co_return Error{Code::limit, 0, "connect: no answer in time"};
  if (ec) co_return Error::os(ec.value(), "connect");
  socket.set_option(asio::ip::tcp::no_delay(true), error);  // a socket without it works, only slower
  auto const took = std::chrono::steady_clock::now() - started;
  co_return Dialed{std::move(socket), std::move(endpoint), std::chrono::duration_cast<std::chrono::microseconds>(took)};
}

}  // namespace

std::vector<AllowedEndpoint> interleave_families(std::vector<AllowedEndpoint> const& endpoints) {
  std::list<AllowedEndpoint> rest(endpoints.begin(), endpoints.end());
  std::vector<AllowedEndpoint> ordered;
  for (bool want_v4 = false; !rest.empty(); want_v4 = !want_v4) {
    auto found = std::find_if(rest.begin(), rest.end(), [&](auto const& e) { return e.address()->is_v4() == want_v4; });
    if (found == rest.end()) continue;
    ordered.push_back(*found);
    rest.erase(found);
  }
  return ordered;
}

awaitable<Result<Dialed>> Dialer::connect(std::vector<AllowedEndpoint> endpoints) const {
  check(!endpoints.empty(), "the engine admits at least one endpoint");
  if (endpoints.size() == 1) return connect_to(std::move(endpoints.front()), times_.total);
  return with_deadline(times_.total, "connect", run_race(std::move(endpoints), times_.attempt_delay));
}

}  // namespace sallyport::proxy
