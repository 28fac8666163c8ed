#pragma once
// The only Asio aliases of the product. Every operation completes with values, never by throwing:
//   auto [ec, n] = co_await socket.async_read_some(buffer);

#include "base/result.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/udp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <exception>
#include <optional>
#include <utility>
#include <variant>

namespace sallyport {

namespace asio = boost::asio;
/// By name, not any_io_executor: that one costs a copy through a table of functions at every step of every coroutine.
using Executor = asio::io_context::executor_type;
template <class T>
using awaitable = asio::awaitable<T, Executor>;
using Token = asio::as_tuple_t<asio::use_awaitable_t<Executor>>;
using Socket = Token::as_default_on_t<asio::basic_stream_socket<asio::ip::tcp, Executor>>;
using Acceptor = Token::as_default_on_t<asio::basic_socket_acceptor<asio::ip::tcp, Executor>>;
using UdpSocket = Token::as_default_on_t<asio::basic_datagram_socket<asio::ip::udp, Executor>>;
using Timer = Token::as_default_on_t<
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>, Executor>>;
using Descriptor = Token::as_default_on_t<asio::posix::basic_stream_descriptor<Executor>>;

/// Waits `delay`, or until cancelled.
inline awaitable<void> sleep_for(std::chrono::milliseconds delay) {
  Timer timer(co_await asio::this_coro::executor, delay);
  co_await timer.async_wait();
}

namespace detail {

/// How an operation ended. In a race of awaitables, one that throws has not won.
template <class T>
struct Ended {
  std::optional<Result<T>> result;  // empty: it threw
  std::exception_ptr thrown;
};

template <class T>
awaitable<Ended<T>> end_of(awaitable<Result<T>> operation) {
  Ended<T> ended;
  try {
    ended.result.emplace(co_await std::move(operation));
  } catch (...) { ended.thrown = std::current_exception(); }
  co_return ended;
}

}  // namespace detail

/// `operation`, cancelled with Code::limit when it takes longer than `deadline`. `what` names the wait. Throws what `operation` throws.
template <class T>
awaitable<Result<T>> with_deadline(std::chrono::milliseconds deadline, char const* what, awaitable<Result<T>> operation) {
  using namespace asio::experimental::awaitable_operators;
  auto done = co_await (detail::end_of(std::move(operation)) || sleep_for(deadline));
  if (done.index() == 1) co_return Error{Code::limit, 0, std::string(what) + ": no answer in time"};
  auto& ended = std::get<0>(done);
  if (ended.thrown) std::rethrow_exception(ended.thrown);
  co_return *std::move(ended.result);
}

}  // namespace sallyport
