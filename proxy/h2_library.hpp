#pragma once
// An nghttp2 session that reports to an H2Inbox, with every protection of the library set from H2Limits. No I/O.
// Source: the library's programmers' guide and nghttp2.h, of version 1.52 with Debian's security fixes.

#include "proxy/h2_inbox.hpp"

#include <nghttp2/nghttp2.h>

#include <memory>

namespace sallyport::proxy {

struct NgSessionDeleter {
  void operator()(nghttp2_session* session) const { nghttp2_session_del(session); }
};
using NgSession = std::unique_ptr<nghttp2_session, NgSessionDeleter>;

/// With our SETTINGS and the window of the connection submitted. No push, flow control by hand, bounded HPACK tables both ways.
/// Lifetime: `inbox` outlives it. Throws std::bad_alloc.
NgSession make_ng_session(H2Inbox& inbox);

/// What an error of the library means to us: Code::limit for floods, otherwise Code::invalid.
Error ng_error(int library_code);

}  // namespace sallyport::proxy
