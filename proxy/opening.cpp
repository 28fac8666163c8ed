#include "proxy/opening.hpp"

#include "base/limits.hpp"

#include <optional>

namespace sallyport::proxy {
namespace {

namespace reason = policies::reason;

awaitable<Result<void>> fill(Stream& stream) {
  if (!stream.buffered().empty()) co_return Result<void>();
  co_return co_await stream.read_more();
}

Refusal unreadable(Error const& error) {
  return refusal(400, error.code == Code::limit ? reason::kTimeout : reason::kBadRequest, error.what);
}

Refusal malformed_head(Error const& error, std::string_view head) {
  if (error.code != Code::limit) return refusal(400, reason::kBadRequest, error.what);
  bool const line_ends = head.substr(0, limits::kMaxTargetBytes).find('\n') != std::string_view::npos;
  return refusal(line_ends ? 431 : 414, reason::kTooLarge, error.what);
}

Refusal malformed_hello(Error const& error, std::string_view) {
  return refusal(400, error.code == Code::limit ? reason::kTooLarge : reason::kNotTls, error.what);
}

/// A parser, and what its errors mean.
template <class T>
struct Grammar {
  std::variant<NeedMore, T, Error> (*parse)(std::string_view buffered);
  Refusal (*malformed)(Error const& error, std::string_view buffered);
};

/// Parses what is buffered again after every read, until `grammar` needs no more.
template <class T>
awaitable<Result<Attempt<T>>> read_parsed(Stream& stream, Grammar<T> grammar) {
  for (;;) {
    auto step = grammar.parse(stream.buffered());
    if (auto* value = std::get_if<T>(&step)) co_return Attempt<T>(std::move(*value));
    if (auto const* error = std::get_if<Error>(&step)) co_return Attempt<T>(grammar.malformed(*error, stream.buffered()));
    auto more = co_await stream.read_more();
    if (!more) co_return more.error();
  }
}

/// Methods are upper case by convention (RFC 9110 section 9.1); the head parser decides about the rest.
bool may_be_http(std::string_view first) { return first.front() >= 'A' && first.front() <= 'Z'; }

}  // namespace

awaitable<Result<void>> wait_first_byte(Stream& stream, std::chrono::milliseconds wait) {
  TimeLimit const limit(stream, wait, "first byte");
  co_return co_await fill(stream);
}

awaitable<Result<void>> wait_first_byte(Stream& stream, Activity& activity, std::chrono::milliseconds wait) {
  TimeLimit const limit(stream, wait, "first byte");
  IdleWatch const watch(activity, stream.socket().get_executor(), wait, [&stream] { stream.socket().cancel(); });
  auto filled = co_await fill(stream);
  if (!filled && !activity.revoked().empty()) co_return Error{Code::denied, 0, activity.revoked()};
  co_return filled;
}

awaitable<Attempt<RequestHead>> read_request_head(Stream& stream, std::chrono::milliseconds wait) {
  Grammar<Parsed<RequestHead>> const grammar{parse_request_head, malformed_head};
  TimeLimit const limit(stream, wait, "request head");
  auto read = co_await read_parsed(stream, grammar);
  if (!read) co_return unreadable(read.error());
  if (!*read) co_return read->error();
  stream.consume((*read)->head_bytes);
  co_return std::move((*read)->head);
}

awaitable<Opening> read_opening(Stream& stream, std::chrono::milliseconds wait) {
  auto first = co_await wait_first_byte(stream, limits::kFirstByteTimeout);
  if (!first && first.error().code == Code::closed) co_return NothingSent{};
  if (!first)
    co_return refusal(400, first.error().code == Code::limit ? reason::kTimeout : reason::kNotTls, first.error().what);
  if (may_be_http(stream.buffered())) co_return HttpOpening{};
  if (!looks_like_tls(stream.buffered())) co_return refusal(400, reason::kNotTls, "neither TLS nor HTTP");
  Grammar<ClientHello> const grammar{parse_client_hello, malformed_hello};
  TimeLimit const limit(stream, wait, "ClientHello");
  auto read = co_await read_parsed(stream, grammar);
  if (!read) co_return unreadable(read.error());
  if (!*read) co_return read->error();
  co_return std::move(**read);
}

}  // namespace sallyport::proxy
