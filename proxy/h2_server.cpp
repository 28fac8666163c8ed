#include "proxy/h2_server.hpp"

#include <boost/system/system_error.hpp>

#include <exception>
#include <string>
#include <utility>

namespace sallyport::proxy {
namespace {

std::vector<Field> response_block(int status, std::vector<Field> const& fields) {
  std::vector<Field> block{{":status", std::to_string(status)}};
  block.insert(block.end(), fields.begin(), fields.end());
  return block;
}

}  // namespace

Result<void> H2ServerStream::inform(int status, std::vector<Field> const& fields) {
  return session().submit_interim(state(), response_block(status, fields));
}

Result<void> H2ServerStream::respond(int status, std::vector<Field> const& fields, EndStream end) {
  return session().submit_response(state(), response_block(status, fields), end);
}

H2ServerConnection::H2ServerConnection(Stream& stream, H2Limits const& bounds, TaskSet& tasks)
    : stream_(stream),
      tasks_(tasks),
      session_(std::make_shared<H2Session>(H2Side::server, bounds, stream.socket().get_executor())) {}

awaitable<Result<void>> H2ServerConnection::run(Handler handler) {
  co_await asio::this_coro::throw_if_cancelled(false);
  H2Pump pump(stream_, *session_, [this, &handler] { start_handlers(handler); });
  Result<void> ended;
  std::exception_ptr thrown;
  try {
    ended = co_await pump.run();
  } catch (...) { thrown = std::current_exception(); }
  session_->end(ended ? H2Session::closed() : ended.error());
  co_await wait_for_handlers();
  if (thrown) std::rethrow_exception(thrown);
  co_return ended;
}

void H2ServerConnection::start_handlers(Handler const& handler) {
  while (auto request = session_->inbox().take_request()) {
    tasks_.start(handler(H2ServerStream(session_, std::move(request))));
  }
}

/// Not to be cancelled: handlers refer to what the caller of run() owns. Cancellation goes on when they have ended.
awaitable<void> H2ServerConnection::wait_for_handlers() {
  auto const state = co_await asio::this_coro::cancellation_state;
  bool const cancelled = state.cancelled() != asio::cancellation_type::none;
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  while (session_->inbox().live() > 0) co_await session_->inbox().released().wait();
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  co_await asio::this_coro::throw_if_cancelled(true);
  if (cancelled) throw boost::system::system_error(asio::error::operation_aborted);
}

}  // namespace sallyport::proxy
