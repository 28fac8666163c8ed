#pragma once
// One HTTP/2 stream as the session and the stream's handle share it. Thread: its worker's. No behaviour of its own.

#include "proxy/h2_head.hpp"
#include "proxy/wakeup.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// What the peer sent and nobody took yet.
struct H2Incoming {
  std::vector<Field> block;  // of the header block that is coming in
  std::size_t block_bytes = 0;
  bool block_too_large = false;
  std::optional<Result<H2Request>> request;  // server side; Code::limit asks for 431, Code::invalid for 400
  std::string request_method;                // client side
  std::deque<ResponseHead> responses;        // client side: interim ones and the final one
  bool final_head = false;                   // the final one came
  std::string body;
  std::vector<Field> trailers;
  bool ended = false;    // END_STREAM came: the message is whole
  bool discard = false;  // nobody will take it
};

/// What we send.
struct H2Outgoing {
  std::string_view pending;  // what a write waits for; lives as long as that wait
  bool last = false;         // END_STREAM behind `pending`
  std::vector<Field> trailers;
  bool begun = false;     // the final head went out
  bool finished = false;  // END_STREAM went into a frame
};

struct H2StreamState {
  H2StreamState(std::int32_t stream_id, Executor const& executor)
      : id(stream_id), readable(executor), writable(executor), cut_off(executor) {}

  void wake_all() {
    readable.notify();
    writable.notify();
    cut_off.notify();
  }

  std::int32_t const id;
  H2Incoming in;
  H2Outgoing out;
  std::optional<Error> cut;    // why nothing more goes out, and nothing more comes in unless in.ended
  bool refused = false;        // the peer has not looked at it: it may be sent again on another connection
  bool reset_by_us = false;
  std::optional<std::uint32_t> reset_code;  // the peer's, if it broke the stream off
  Wakeup readable;
  Wakeup writable;
  Wakeup cut_off;
};

}  // namespace sallyport::proxy
