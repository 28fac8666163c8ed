#include "proxy/h2_library.hpp"

#include <array>
#include <chrono>
#include <new>
#include <string>

namespace sallyport::proxy {
namespace {

H2Inbox& inbox_of(void* user_data) { return *static_cast<H2Inbox*>(user_data); }

std::string_view text_of(std::uint8_t const* bytes, std::size_t size) {
  return {static_cast<char const*>(static_cast<void const*>(bytes)), size};
}

bool has_end_stream(nghttp2_frame_hd const& frame) { return (frame.flags & NGHTTP2_FLAG_END_STREAM) != 0; }
bool is_ack(nghttp2_frame_hd const& frame) { return (frame.flags & NGHTTP2_FLAG_ACK) != 0; }

/// What a callback returns for an event: the stream ends, or everything goes on.
int apply(nghttp2_session* session, std::int32_t id, H2Inbox::Reset reset) {
  if (!reset) return 0;
  return nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, *reset) == 0 ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
}

/// Ends the session when the guard has had enough.
int stop_floods(H2Inbox& inbox) { return inbox.guard().flood() == nullptr ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE; }

int on_begin_frame(nghttp2_session*, nghttp2_frame_hd const* frame, void* user_data) {
  auto& inbox = inbox_of(user_data);
  bool const carries = frame->type == NGHTTP2_HEADERS || frame->type == NGHTTP2_CONTINUATION || frame->type == NGHTTP2_DATA;
  bool const answer = (frame->type == NGHTTP2_SETTINGS || frame->type == NGHTTP2_PING) && is_ack(*frame);
  if (!carries && !answer) inbox.guard().on_control_frame(std::chrono::steady_clock::now());
  return stop_floods(inbox);
}

int on_begin_headers(nghttp2_session* session, nghttp2_frame const* frame, void* user_data) {
  auto& inbox = inbox_of(user_data);
  if (inbox.side() == H2Side::client || frame->headers.cat != NGHTTP2_HCAT_REQUEST) return 0;
  return apply(session, frame->hd.stream_id, inbox.on_begin_request(frame->hd.stream_id));
}

int on_header(nghttp2_session* session, nghttp2_frame const* frame, std::uint8_t const* name, std::size_t name_size,
              std::uint8_t const* value, std::size_t value_size, std::uint8_t, void* user_data) {
  auto const id = frame->hd.stream_id;
  return apply(session, id, inbox_of(user_data).on_field(id, text_of(name, name_size), text_of(value, value_size)));
}

/// The library would go on without the field; two readers could then see two messages.
int on_invalid_header(nghttp2_session* session, nghttp2_frame const* frame, std::uint8_t const*, std::size_t, std::uint8_t const*,
                      std::size_t, std::uint8_t, void* user_data) {
  inbox_of(user_data).on_malformed(frame->hd.stream_id, "a field that is not valid");
  apply(session, frame->hd.stream_id, NGHTTP2_PROTOCOL_ERROR);
  return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

int on_invalid_frame(nghttp2_session*, nghttp2_frame const* frame, int library_code, void* user_data) {
  if (frame->hd.type == NGHTTP2_HEADERS) inbox_of(user_data).on_malformed(frame->hd.stream_id, nghttp2_strerror(library_code));
  return 0;
}

/// `frame` is a whole DATA frame.
void count_data(H2Inbox& inbox, nghttp2_frame const& frame) {
  if (frame.hd.length > frame.data.padlen) return inbox.guard().on_data_frame();
  if (!has_end_stream(frame.hd)) inbox.guard().on_control_frame(std::chrono::steady_clock::now());
}

int on_frame(nghttp2_session* session, nghttp2_frame const* frame, void* user_data) {
  auto& inbox = inbox_of(user_data);
  auto const id = frame->hd.stream_id;
  auto const end = has_end_stream(frame->hd) ? EndStream::yes : EndStream::no;
  H2Inbox::Reset reset;
  if (frame->hd.type == NGHTTP2_HEADERS) reset = inbox.on_head(id, end);
  if (frame->hd.type == NGHTTP2_DATA) count_data(inbox, *frame);
  if (frame->hd.type == NGHTTP2_SETTINGS && !is_ack(frame->hd)) inbox.on_settings();
  if (frame->hd.type == NGHTTP2_GOAWAY) inbox.on_goaway();
  bool const message = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
  if (message && end == EndStream::yes) inbox.on_end(id);
  auto const applied = apply(session, id, reset);
  return applied != 0 ? applied : stop_floods(inbox);
}

int on_data(nghttp2_session* session, std::uint8_t, std::int32_t id, std::uint8_t const* bytes, std::size_t size, void* user_data) {
  auto const dropped = inbox_of(user_data).on_data(id, text_of(bytes, size));
  return dropped == 0 ? 0 : nghttp2_session_consume(session, id, dropped);
}

int on_close(nghttp2_session*, std::int32_t id, std::uint32_t code, void* user_data) {
  auto& inbox = inbox_of(user_data);
  inbox.on_close(id, code);
  return 0;
}

/// The library found a fault in the connection and says goodbye.
int on_sent(nghttp2_session*, nghttp2_frame const* frame, void* user_data) {
  if (frame->hd.type != NGHTTP2_GOAWAY || frame->goaway.error_code == NGHTTP2_NO_ERROR) return 0;
  auto const code = frame->goaway.error_code == NGHTTP2_ENHANCE_YOUR_CALM ? Code::limit : Code::invalid;
  inbox_of(user_data).fail(Error{code, 0, std::string("HTTP/2: ") + nghttp2_http2_strerror(frame->goaway.error_code)});
  return 0;
}

struct CallbacksDeleter {
  void operator()(nghttp2_session_callbacks* callbacks) const { nghttp2_session_callbacks_del(callbacks); }
};
struct OptionDeleter {
  void operator()(nghttp2_option* option) const { nghttp2_option_del(option); }
};
using Callbacks = std::unique_ptr<nghttp2_session_callbacks, CallbacksDeleter>;
using Option = std::unique_ptr<nghttp2_option, OptionDeleter>;

void check_memory(int library_code) {
  if (library_code != 0) throw std::bad_alloc();
}

Callbacks make_callbacks() {
  nghttp2_session_callbacks* made = nullptr;
  check_memory(nghttp2_session_callbacks_new(&made));
  nghttp2_session_callbacks_set_on_begin_frame_callback(made, on_begin_frame);
  nghttp2_session_callbacks_set_on_begin_headers_callback(made, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(made, on_header);
  nghttp2_session_callbacks_set_on_invalid_header_callback(made, on_invalid_header);
  nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(made, on_invalid_frame);
  nghttp2_session_callbacks_set_on_frame_recv_callback(made, on_frame);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made, on_data);
  nghttp2_session_callbacks_set_on_stream_close_callback(made, on_close);
  nghttp2_session_callbacks_set_on_frame_send_callback(made, on_sent);
  return Callbacks(made);
}

Option make_option(H2Limits const& bounds) {
  nghttp2_option* made = nullptr;
  check_memory(nghttp2_option_new(&made));
  nghttp2_option_set_no_auto_window_update(made, 1);  // windows open as bodies are taken
  nghttp2_option_set_no_closed_streams(made, 1);
  nghttp2_option_set_max_deflate_dynamic_table_size(made, bounds.header_table_bytes);
  nghttp2_option_set_max_outbound_ack(made, bounds.max_unsent_acks);
  nghttp2_option_set_max_settings(made, bounds.max_settings);
  nghttp2_option_set_max_continuations(made, bounds.max_continuations);
  nghttp2_option_set_max_reserved_remote_streams(made, 0);
  return Option(made);
}

void submit_settings(nghttp2_session* session, H2Side side, H2Limits const& bounds) {
  auto const of = [](nghttp2_settings_id id, std::size_t value) { return nghttp2_settings_entry{id, static_cast<std::uint32_t>(value)}; };
  bool const server = side == H2Side::server;
  std::array const entries = {
      server ? of(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, bounds.max_streams) : of(NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
      of(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, bounds.stream_window),
      of(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, bounds.header_list_bytes),
      of(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, bounds.header_table_bytes),
      of(NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1),  // RFC 8441; a client may not say it
  };
  check_memory(nghttp2_submit_settings(session, NGHTTP2_FLAG_NONE, entries.data(), entries.size() - (server ? 0 : 1)));
  auto const window = static_cast<std::int32_t>(bounds.connection_window);
  check_memory(nghttp2_session_set_local_window_size(session, NGHTTP2_FLAG_NONE, 0, window));
}

}  // namespace

NgSession make_ng_session(H2Inbox& inbox) {
  auto const callbacks = make_callbacks();
  auto const option = make_option(inbox.bounds());
  auto* const make = inbox.side() == H2Side::server ? nghttp2_session_server_new2 : nghttp2_session_client_new2;
  nghttp2_session* made = nullptr;
  check_memory(make(&made, callbacks.get(), &inbox, option.get()));
  NgSession session(made);
  submit_settings(made, inbox.side(), inbox.bounds());
  return session;
}

Error ng_error(int library_code) {
  bool const flood = library_code == NGHTTP2_ERR_FLOODED || library_code == NGHTTP2_ERR_TOO_MANY_CONTINUATIONS ||
                     library_code == NGHTTP2_ERR_TOO_MANY_SETTINGS;
  return Error{flood ? Code::limit : Code::invalid, 0, std::string("HTTP/2: ") + nghttp2_strerror(library_code)};
}

}  // namespace sallyport::proxy
