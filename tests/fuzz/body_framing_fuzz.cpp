// A body ends at the same byte, with the same content and the same verdict, however it is cut into pieces.

#include "base/check.hpp"
#include "proxy/body_framing.hpp"

#include <algorithm>
#include <cstdint>

namespace {

using namespace sallyport;
using namespace sallyport::proxy;

struct Outcome {
  bool failed = false;
  bool done = false;
  std::size_t consumed = 0;
  std::uint64_t content = 0;
  bool operator==(Outcome const&) const = default;
};

Outcome read_in_pieces(BodyKind const& kind, std::string_view wire, std::size_t piece_bytes) {
  BodyReader reader(kind);
  Outcome outcome;
  outcome.done = reader.done();
  while (!wire.empty() && !outcome.done) {
    auto const piece = wire.substr(0, piece_bytes);
    auto const step = reader.feed(piece);
    if (!step) return {true, false, 0, 0};
    check(step->consumed <= piece.size() && (step->done || step->consumed == piece.size()), "keeps nothing back");
    outcome.consumed += step->consumed;
    outcome.done = step->done;
    wire.remove_prefix(step->consumed);
  }
  outcome.content = reader.content_bytes();
  check(outcome.content <= outcome.consumed, "content is part of the wire");
  check(reader.done() == outcome.done, "one answer to whether it is over");
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  if (size < 2) return 0;
  std::string_view const wire(reinterpret_cast<char const*>(data) + 2, size - 2);
  BodyKind const kinds[] = {Chunked{}, ContentLength{data[0]}, UntilClose{}, NoBody{}};
  for (auto const& kind : kinds) {
    auto const whole = read_in_pieces(kind, wire, std::max<std::size_t>(wire.size(), 1));
    check(read_in_pieces(kind, wire, 1) == whole, "byte by byte is the same body");
    check(read_in_pieces(kind, wire, 1 + data[1]) == whole, "any other cut is the same body");
  }
  return 0;
}
