#pragma once
// Undoes permessage-deflate, a bounded piece at a time. No I/O. Hardened against hostile bytes. Source: RFC 7692
// section 7.2.2. Bounds each piece, not their number: the caller lets others run in between.

#include "base/result.hpp"
#include "dlp/decompressor.hpp"
#include "proxy/websocket_extensions.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace sallyport::proxy {

/// What one side sends, message after message.
class WebSocketInflater {
 public:
  enum class Context { kept, per_message };  // whether a message may refer to those before it
  explicit WebSocketInflater(Context context);

  struct Step {
    std::size_t consumed = 0;  // of `packed`
    std::string_view plain;    // at most limits::kRelayBlockBytes; valid until the next call
    bool more = false;         // there is more to come of what was given: call again with the rest
  };
  /// An error for what is no deflate, and for a stream that says it is over (BFINAL), which senders have no need of.
  Result<Step> step(std::string_view packed);
  /// What a sender leaves away at the end of a message: to be given to step() behind it.
  static std::string_view tail();
  /// The message is over.
  void end_message();

 private:
  Context context_;
  std::unique_ptr<dlp::Decompressor> stream_;
  std::string plain_;
};

}  // namespace sallyport::proxy
