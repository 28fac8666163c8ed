#include "proxy/h2_session.hpp"

#include "base/limits.hpp"
#include "proxy/token.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace sallyport::proxy {
namespace {

std::uint8_t* bytes_of(std::string const& text) {
  // SAFETY: the library only reads what these pointers lead to, and copies it before it returns.
  return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
}

bool is_secret(Field const& field) {
  return equal_no_case(field.name, "authorization") || equal_no_case(field.name, "cookie") || equal_no_case(field.name, "set-cookie");
}

/// Views of `fields`. What may be secret stays out of the compression tables (RFC 7541 section 7.1.3).
std::vector<nghttp2_nv> views_of(std::vector<Field> const& fields) {
  std::vector<nghttp2_nv> views;
  views.reserve(fields.size());
  for (auto const& field : fields) {
    std::uint8_t const flags = is_secret(field) ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE;
    views.push_back({bytes_of(field.name), bytes_of(field.value), field.name.size(), field.value.size(), flags});
  }
  return views;
}

Result<void> submitted(int library_code) {
  if (library_code < 0) return ng_error(library_code);
  return {};
}

/// The end of the last DATA frame: of the stream, or of the DATA in front of trailers.
int end_data(nghttp2_session* session, H2StreamState& stream, std::uint32_t& flags) {
  flags |= NGHTTP2_DATA_FLAG_EOF;
  stream.out.finished = true;
  stream.writable.notify();
  if (stream.out.trailers.empty()) return 0;
  flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
  auto const views = views_of(stream.out.trailers);
  return nghttp2_submit_trailer(session, stream.id, views.data(), views.size());
}

/// Fills one DATA frame from what a write waits with.
ssize_t read_pending(nghttp2_session* session, std::int32_t, std::uint8_t* to, std::size_t room, std::uint32_t* flags,
                     nghttp2_data_source* source, void* user_data) {
  auto& stream = *static_cast<H2StreamState*>(source->ptr);
  auto& pending = stream.out.pending;
  if (pending.empty() && !stream.out.last) return NGHTTP2_ERR_DEFERRED;
  auto const size = std::min(room, pending.size());
  std::memcpy(to, pending.data(), size);
  pending.remove_prefix(size);
  if (size > 0) static_cast<H2Inbox*>(user_data)->guard().on_data_frame();
  if (pending.empty()) stream.writable.notify();
  if (pending.empty() && stream.out.last && end_data(session, stream, *flags) != 0) return NGHTTP2_ERR_CALLBACK_FAILURE;
  return static_cast<ssize_t>(size);
}

nghttp2_data_provider provider_of(H2StreamState& stream) {
  nghttp2_data_provider provider{};
  provider.source.ptr = &stream;
  provider.read_callback = read_pending;
  return provider;
}

}  // namespace

H2Session::H2Session(H2Side side, H2Limits const& bounds, Executor executor)
    : inbox_(side, bounds, executor), session_(make_ng_session(inbox_)), output_wanted_(executor) {
  output_.reserve(limits::kRelayBlockBytes + limits::kRelayBlockBytes / 2);
}

Result<void> H2Session::feed(std::string_view bytes) {
  auto const* const data = static_cast<std::uint8_t const*>(static_cast<void const*>(bytes.data()));
  auto const taken = nghttp2_session_mem_recv(session_.get(), data, bytes.size());
  output_wanted_.notify();
  if (taken >= 0) return {};
  auto const* const flood = inbox_.guard().flood();
  if (flood != nullptr) return end_of_feed(Error{Code::limit, 0, std::string("HTTP/2: ") + flood});
  return end_of_feed(ng_error(static_cast<int>(taken)));
}

Error H2Session::end_of_feed(Error why) {
  auto const code = why.code == Code::limit ? NGHTTP2_ENHANCE_YOUR_CALM : NGHTTP2_PROTOCOL_ERROR;
  inbox_.fail(why);
  nghttp2_session_terminate_session(session_.get(), code);  // what fails here ends the connection without a goodbye
  return why;
}

Result<std::string_view> H2Session::output() {
  output_.clear();
  while (!ended_ && output_.size() < limits::kRelayBlockBytes) {
    std::uint8_t const* frame = nullptr;
    auto const size = nghttp2_session_mem_send(session_.get(), &frame);
    if (size < 0) return ng_error(static_cast<int>(size));
    if (size == 0) break;
    output_.append(static_cast<char const*>(static_cast<void const*>(frame)), static_cast<std::size_t>(size));
  }
  return std::string_view(output_);
}

bool H2Session::over() const {
  return nghttp2_session_want_read(session_.get()) == 0 && nghttp2_session_want_write(session_.get()) == 0;
}

void H2Session::shut_down() {
  auto const last = nghttp2_session_get_last_proc_stream_id(session_.get());
  nghttp2_submit_goaway(session_.get(), NGHTTP2_FLAG_NONE, last, NGHTTP2_NO_ERROR, nullptr, 0);
  inbox_.on_goaway();
  output_wanted_.notify();
}

void H2Session::terminate() {
  nghttp2_session_terminate_session(session_.get(), NGHTTP2_NO_ERROR);
  inbox_.on_goaway();
  output_wanted_.notify();
}

void H2Session::end(Error const& why) {
  ended_ = true;
  inbox_.end(why);
}

bool H2Session::can_open() const {
  if (ended_ || inbox_.draining() || nghttp2_session_check_request_allowed(session_.get()) == 0) return false;
  auto const peers = nghttp2_session_get_remote_settings(session_.get(), NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
  return inbox_.open() < std::min<std::size_t>(inbox_.bounds().max_streams, peers);
}

bool H2Session::offers_extended_connect() const {
  return nghttp2_session_get_remote_settings(session_.get(), NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL) == 1;
}

Result<H2Inbox::StreamPtr> H2Session::open(std::vector<Field> const& block, EndStream end) {
  if (!can_open()) return Error{Code::limit, 0, "HTTP/2: no further stream on this connection"};
  auto const stream = inbox_.add(nghttp2_session_get_next_stream_id(session_.get()));
  stream->out.begun = true;
  stream->out.finished = end == EndStream::yes;
  auto const views = views_of(block);
  auto const provider = provider_of(*stream);
  auto const* const body = end == EndStream::yes ? nullptr : &provider;
  auto const id = nghttp2_submit_request(session_.get(), nullptr, views.data(), views.size(), body, nullptr);
  output_wanted_.notify();
  if (id == stream->id) return stream;
  inbox_.on_close(stream->id, NGHTTP2_INTERNAL_ERROR);
  inbox_.release(*stream);
  return ng_error(id);
}

Result<void> H2Session::submit_interim(H2StreamState& stream, std::vector<Field> const& block) {
  if (stream.cut) return *stream.cut;
  auto const views = views_of(block);
  output_wanted_.notify();
  return submitted(nghttp2_submit_headers(session_.get(), NGHTTP2_FLAG_NONE, stream.id, nullptr, views.data(), views.size(), nullptr));
}

Result<void> H2Session::submit_response(H2StreamState& stream, std::vector<Field> const& block, EndStream end) {
  if (stream.cut) return *stream.cut;
  stream.out.begun = true;
  stream.out.finished = end == EndStream::yes;
  auto const views = views_of(block);
  auto const provider = provider_of(stream);
  auto const* const body = end == EndStream::yes ? nullptr : &provider;
  output_wanted_.notify();
  return submitted(nghttp2_submit_response(session_.get(), stream.id, views.data(), views.size(), body));
}

void H2Session::resume(H2StreamState& stream) {
  nghttp2_session_resume_data(session_.get(), stream.id);  // fails when it is not deferred: then it goes on by itself
  output_wanted_.notify();
}

void H2Session::consume(H2StreamState& stream, std::size_t bytes) {
  if (ended_ || bytes == 0) return;
  nghttp2_session_consume(session_.get(), stream.id, bytes);  // fails for lack of memory only: the window then stays as it is
  output_wanted_.notify();
}

void H2Session::reset(H2StreamState& stream, std::uint32_t code) {
  if (ended_ || stream.cut) return;
  stream.reset_by_us = true;
  stream.cut = Error{Code::closed, 0, "the stream was given up"};
  stream.wake_all();
  nghttp2_submit_rst_stream(session_.get(), NGHTTP2_FLAG_NONE, stream.id, code);
  output_wanted_.notify();
}

void H2Session::release(H2StreamState& stream) {
  bool const whole = stream.out.finished;
  auto const code = inbox_.side() == H2Side::client ? NGHTTP2_CANCEL : whole ? NGHTTP2_NO_ERROR : NGHTTP2_INTERNAL_ERROR;
  if (!whole || !stream.in.ended) reset(stream, code);
  consume(stream, stream.in.body.size());
  inbox_.release(stream);
}

}  // namespace sallyport::proxy
