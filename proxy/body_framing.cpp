#include "proxy/body_framing.hpp"

#include "base/limits.hpp"
#include "proxy/field_lines.hpp"
#include "proxy/token.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace sallyport::proxy {
namespace {

// Content counts stay within signed 64 bits, so that a peer with signed sizes reads the same number.
constexpr auto kMaxContentBytes = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

// Fields that frame, route or interpret a message and mean nothing good behind its body (RFC 9110 section 6.5.1).
constexpr std::array<std::string_view, 14> kRefusedTrailers = {"content-length",   "transfer-encoding",
                                                               "connection",       "host",
                                                               "upgrade",          "te",
                                                               "trailer",          "expect",
                                                               "content-encoding", "content-type",
                                                               "content-range",    "authorization",
                                                               "set-cookie",       "sallyport-reason"};

/// Bytes of a line go to the peer before its end is seen: a CR may only stand in front of the LF that is still to come.
bool can_begin_line(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return is_field_content(line);
}

/// chunk-size [ ";" anything ], as RFC 9112 section 7.1 without white space in front of the semicolon.
Result<std::uint64_t> parse_chunk_line(std::string_view line) {
  constexpr std::size_t kMaxDigits = 16;
  auto const digits = line.substr(0, line.find(';'));
  std::uint64_t size = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, 16);
  bool const whole = !digits.empty() && error == std::errc{} && end == digits.data() + digits.size();
  if (!whole || digits.size() > kMaxDigits) return Error::invalid("chunk size is not 1 to 16 hex digits");
  if (!is_field_content(line)) return Error::invalid("chunk extension has a control byte");
  return size;
}

Result<Field> parse_trailer_line(std::string_view line) {
  auto field = parse_field_line(line);
  if (!field) return field.error();
  bool const refused = std::any_of(kRefusedTrailers.begin(), kRefusedTrailers.end(),
                                   [&](std::string_view name) { return equal_no_case(name, field->name); });
  if (refused) return Error::invalid("trailer section has a field that belongs into the head");
  return field;
}

}  // namespace

BodyReader::BodyReader(BodyKind kind) : kind_(kind) {
  if (auto const* length = std::get_if<ContentLength>(&kind_)) remaining_ = length->bytes;
  done_ = std::holds_alternative<NoBody>(kind_) || kind_ == BodyKind{ContentLength{0}};
}

Result<BodyReader::Step> BodyReader::feed(std::string_view bytes) { return feed_into(bytes, nullptr); }

Result<BodyReader::Step> BodyReader::feed(std::string_view bytes, std::string& content) { return feed_into(bytes, &content); }

Result<BodyReader::Step> BodyReader::feed_into(std::string_view bytes, std::string* content) {
  if (done_) return Step{0, true};
  if (std::holds_alternative<Chunked>(kind_)) return feed_chunked(bytes, content);
  if (std::holds_alternative<UntilClose>(kind_)) remaining_ = bytes.size();
  auto const taken = take_content(bytes, content);
  if (std::holds_alternative<UntilClose>(kind_)) return Step{taken, false};
  done_ = remaining_ == 0;
  return Step{taken, done_};
}

std::size_t BodyReader::take_content(std::string_view bytes, std::string* content) {
  auto const taken = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), remaining_));
  remaining_ -= taken;
  content_bytes_ += taken;
  if (content != nullptr) content->append(bytes.substr(0, taken));
  return taken;
}

Result<BodyReader::Step> BodyReader::feed_chunked(std::string_view bytes, std::string* content) {
  std::size_t consumed = 0;
  while (consumed < bytes.size() && !done_) {
    auto const rest = bytes.substr(consumed);
    if (state_ == State::data) {
      consumed += take_content(rest, content);
      if (remaining_ == 0) state_ = State::data_end;
      continue;
    }
    auto const taken = take_line(rest);
    if (!taken) return taken.error();
    consumed += *taken;
    if (!line_.ends_with('\n')) break;
    line_.resize(line_.size() - 2);
    if (auto const ended = end_line(); !ended) return ended.error();
    line_.clear();
  }
  return Step{consumed, done_};
}

Result<std::size_t> BodyReader::take_line(std::string_view bytes) {
  auto const newline = bytes.find('\n');
  auto const taken = newline == std::string_view::npos ? bytes.size() : newline + 1;
  auto const limit = state_ == State::trailer ? limits::kMaxTrailerBytes - trailer_bytes_ : limits::kMaxChunkLineBytes;
  if (taken > limit || line_.size() > limit - taken)
    return Error{Code::limit, 0, "chunk or trailer line is longer than the limit"};
  line_ += bytes.substr(0, taken);
  auto const text = std::string_view(line_).substr(0, line_.size() - (newline == std::string_view::npos ? 0 : 1));
  if (newline != std::string_view::npos && !text.ends_with('\r')) return Error::invalid("chunk or trailer line ends in a bare LF");
  if (!can_begin_line(text)) return Error::invalid("chunk or trailer line has a control byte");
  if (state_ == State::data_end && !std::string_view("\r").starts_with(text))
    return Error::invalid("chunk is longer than its size");
  return taken;
}

Result<void> BodyReader::end_line() {
  if (state_ == State::data_end) {
    state_ = State::size_line;
    return {};
  }
  if (state_ == State::trailer) {
    trailer_bytes_ += line_.size() + 2;
    done_ = line_.empty();
    if (done_) return {};
    auto field = parse_trailer_line(line_);
    if (!field) return field.error();
    trailers_.push_back(*std::move(field));
    return {};
  }
  auto const size = parse_chunk_line(line_);
  if (!size) return size.error();
  if (*size > kMaxContentBytes - content_bytes_) return Error::invalid("chunk sizes add up to more than a body can have");
  remaining_ = *size;
  state_ = *size == 0 ? State::trailer : State::data;
  return {};
}

Result<void> BodyReader::finish() {
  if (std::holds_alternative<UntilClose>(kind_)) done_ = true;
  if (done_) return {};
  return Error{Code::closed, 0, "connection closed before the end of the body"};
}

}  // namespace sallyport::proxy
