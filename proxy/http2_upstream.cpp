#include "proxy/http2_upstream.hpp"

#include "base/limits.hpp"

#include <utility>

namespace sallyport::proxy {

Http2Upstream::Http2Upstream(UpstreamKey key, Upstream upstream, TaskSet& tasks, LiveRequests& live)
    : link_(std::make_shared<Link>(std::move(key), std::move(upstream))) {
  tasks.start(run(link_, live));
}

Http2Upstream::~Http2Upstream() { link_->http2.shut_down(); }

awaitable<void> Http2Upstream::run(std::shared_ptr<Link> link, LiveRequests& live) {
  using namespace asio::experimental::awaitable_operators;
  auto& upstream = link->upstream;
  Activity activity;
  LiveRequests::Entry entry(live, policies::Request{link->key.host, link->key.port, policies::Scheme::tunnel, {}, std::nullopt}, activity);
  entry.reached(upstream.address);
  co_await (link->http2.run() || shut_down_when_revoked(*link, activity));
  upstream.stream.shutdown_send();
  upstream.stream.close();
  upstream.slot = {};
}

/// Requests that are under way are judged by themselves.
awaitable<void> Http2Upstream::shut_down_when_revoked(Link& link, Activity& activity) {
  while (activity.revoked().empty()) {
    activity.touch();
    co_await wait_until_idle(activity, limits::kIdleTimeout);
  }
  link.http2.shut_down();
  Timer timer(co_await asio::this_coro::executor, Timer::time_point::max());
  co_await timer.async_wait();
}

}  // namespace sallyport::proxy
