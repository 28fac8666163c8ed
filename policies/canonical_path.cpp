#include "policies/canonical_path.hpp"

#include "base/limits.hpp"
#include "policies/quote.hpp"

#include <algorithm>

namespace sallyport::policies {

namespace {

enum class Part { path, query };

Error bad_path(std::string_view raw, std::string_view why) {
  return Error{Code::invalid, 0, "path " + in_quotes(raw) + " " + std::string(why)};
}

bool is_letter_or_digit(unsigned char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// RFC 3986 section 2.3
bool is_unreserved(unsigned char c) {
  return is_letter_or_digit(c) || std::string_view("-._~").find(char(c)) != std::string_view::npos;
}

/// What may stand unescaped: RFC 3986 pchar, '/', and in queries also '?', '[' and ']', which clients send as they are.
bool stays_raw(unsigned char c, Part part) {
  std::string_view const others = part == Part::path ? "!$&'()*+,;=:@/" : "!$&'()*+,;=:@/?[]";
  return is_unreserved(c) || others.find(char(c)) != std::string_view::npos;
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The byte of the escape at `text[0] == '%'`, or -1.
int escaped_byte(std::string_view text) {
  if (text.size() < 3) return -1;
  int high = hex_value(text[1]);
  int low = hex_value(text[2]);
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

void append_escape(std::string& out, unsigned char byte) {
  constexpr char kHex[] = "0123456789ABCDEF";
  out += {'%', kHex[byte >> 4], kHex[byte & 15]};
}

/// Decodes what must not be escaped, escapes what must be, and writes escapes in upper case (RFC 3986 section 6.2.2).
Result<std::string> normalised(std::string_view text, Part part, std::string_view raw) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7f) return bad_path(raw, "holds a control byte");
    if (c >= 0x80) return bad_path(raw, "holds a byte that must be percent-encoded");
    if (c == '#') return bad_path(raw, "holds a fragment");
    if (c == ' ') return bad_path(raw, "holds a space");
    if (c != '%') {
      stays_raw(c, part) ? out.push_back(char(c)) : append_escape(out, c);
      continue;
    }
    int byte = escaped_byte(text.substr(i));
    if (byte < 0) return bad_path(raw, "holds a '%' that two hex digits do not follow");
    auto decoded = static_cast<unsigned char>(byte);
    is_unreserved(decoded) ? out.push_back(char(decoded)) : append_escape(out, decoded);
    i += 2;
  }
  return out;
}

/// RFC 3629 section 3: sequences that spell a character in more bytes than it needs.
bool has_overlong_utf8(std::string_view path) {
  for (std::size_t i = 0; i + 2 < path.size(); ++i) {
    if (path[i] != '%') continue;
    int first = escaped_byte(path.substr(i));
    int second = path.size() > i + 3 && path[i + 3] == '%' ? escaped_byte(path.substr(i + 3)) : -1;
    if (first == 0xC0 || first == 0xC1) return true;
    if (first == 0xE0 && second >= 0x80 && second < 0xA0) return true;
    if (first == 0xF0 && second >= 0x80 && second < 0x90) return true;
  }
  return false;
}

bool has_double_escape(std::string_view path) {
  for (auto at = path.find("%25"); at != std::string_view::npos; at = path.find("%25", at + 1)) {
    auto digits = path.substr(at + 3, 2);
    if (digits.size() == 2 && hex_value(digits[0]) >= 0 && hex_value(digits[1]) >= 0) return true;
  }
  return false;
}

bool has_escaped_control(std::string_view path) {
  for (auto at = path.find('%'); at != std::string_view::npos; at = path.find('%', at + 1)) {
    int byte = escaped_byte(path.substr(at));
    if (byte < 0x20 || byte == 0x7f) return true;
  }
  return false;
}

/// "." or "..", also before ';' and between encoded slashes: servers differ in what they decode first.
bool has_dot_segment(std::string_view path) {
  std::string split;
  split.reserve(path.size());
  for (std::size_t i = 0; i < path.size(); ++i) {
    bool const encoded_slash = path.substr(i, 3) == "%2F";
    split += encoded_slash ? '/' : path[i];
    if (encoded_slash) i += 2;
  }
  std::string_view rest = split;
  while (!rest.empty()) {
    auto segment = rest.substr(0, rest.find('/'));
    auto name = segment.substr(0, std::min(segment.find(';'), segment.find("%3B")));
    if (name == "." || name == "..") return true;
    rest.remove_prefix(std::min(segment.size() + 1, rest.size()));
  }
  return false;
}

}  // namespace

Result<CanonicalPath> CanonicalPath::from(std::string_view raw) {
  if (!raw.starts_with('/')) return bad_path(raw, "does not begin with '/'");
  if (raw.size() > limits::kMaxTargetBytes) return bad_path(raw, "is too long");
  auto const question = raw.find('?');
  auto path = normalised(raw.substr(0, question), Part::path, raw);
  if (!path) return path.error();
  if (path->find("%5C") != std::string::npos) return bad_path(raw, "holds a backslash");
  if (path->find("//") != std::string::npos) return bad_path(raw, "holds '//'");
  if (has_escaped_control(*path)) return bad_path(raw, "holds an escaped control byte");
  if (has_double_escape(*path)) return bad_path(raw, "escapes an escape");
  if (has_overlong_utf8(*path)) return bad_path(raw, "holds overlong UTF-8");
  if (has_dot_segment(*path)) return bad_path(raw, "holds a dot segment");

  CanonicalPath canonical;
  canonical.path_ = std::move(*path);
  if (question == std::string_view::npos) return canonical;
  auto query = normalised(raw.substr(question + 1), Part::query, raw);
  if (!query) return query.error();
  canonical.query_ = std::move(*query);
  canonical.has_query_ = true;
  return canonical;
}

}  // namespace sallyport::policies
