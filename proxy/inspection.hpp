#pragma once
// The inspection stage: looks at what is about to leave, and at what comes back, piece by piece, before it goes on. A seam: the product looks for secrets
// (proxy/dlp_inspection.hpp). Thread: its worker's. No I/O, and no waiting: what cannot be judged yet is held back by the caller.

#include "policies/allowed.hpp"
#include "proxy/refusal.hpp"
#include "proxy/request_head.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

enum class Direction { request, response };

/// A known placeholder and what takes its place in the body of a request; in that of a response, a value and its placeholder.
struct BodySwap {
  std::string name;
  std::string_view value;
};

/// What a message is part of. Values; `permit` outlives the inspection of the message, and what `swaps` refers to that of the body.
struct InspectedMessage {
  std::uint64_t request = 0;  // id in audit records
  policies::AllowedTarget const& permit;
  std::vector<BodySwap> swaps = {};
  Direction direction = Direction::request;
};

/// Takes the place of as many bytes of content.
struct Replacement {
  std::uint64_t offset = 0;
  std::string text;
};

/// Of a head that may go on without it: what stands there, and as many characters that take its place.
struct HeadReplacement {
  std::string was;
  std::string text;
};

/// Looks at one body. Sees its content in order, as it is sent: a content coding is undone by the inspector.
class BodyInspector {
 public:
  virtual ~BodyInspector() = default;
  virtual void feed(std::string_view content) = 0;
  /// The body is whole, and `trailers` stand behind it. Nothing is fed afterwards.
  virtual void finish(std::vector<Field> const& trailers) = 0;
  /// Content before this offset has been judged. Never goes down; the length of the body once it is finished.
  virtual std::uint64_t clear_up_to() const = 0;
  /// Set once the body must not go on.
  virtual std::optional<Refusal> const& refusal() const = 0;
  /// Since the last call, for content that was not clear by then.
  virtual std::vector<Replacement> take_replacements() = 0;
};

/// How a body is to be read, as its message says.
struct BodyForm {
  std::string_view content_coding = {};              // its Content-Encoding, empty if there is none
  std::optional<std::string_view> grpc_coding = {};  // set: a stream of gRPC messages, compressed as grpc-encoding says
  bool events = false;                               // a stream of server-sent events
  std::string_view before = {};                      // the end of what came in front of this message in a stream of them
};

class Inspection {
 public:
  virtual ~Inspection() = default;
  /// Whether anybody looks at responses like `message`. If not, none of them has to be shown.
  virtual bool reads_response(InspectedMessage const&) const { return false; }
  /// `head`: the start line and fields that would be sent. A refusal if it must not go on; what to overwrite, in values of fields and in the
  /// query, before it does. Nothing of a response is overwritten.
  virtual Attempt<std::vector<HeadReplacement>> inspect_head(InspectedMessage const& message, std::string_view head) = 0;
  /// Null when nobody wants to see the body of this message; a refusal when it could not be read. Each message of a gRPC
  /// stream, and each event, is judged when it is whole: it may be all that comes for a long time.
  virtual Attempt<std::unique_ptr<BodyInspector>> inspect_body(InspectedMessage const& message, BodyForm form) = 0;
};

}  // namespace sallyport::proxy
