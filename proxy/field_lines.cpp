#include "proxy/field_lines.hpp"

#include "base/limits.hpp"
#include "proxy/token.hpp"

#include <algorithm>

namespace sallyport::proxy {
namespace {

constexpr std::string_view kRequestLineEnd = " HTTP/1.";  // and one digit
constexpr std::string_view kStatusLineStart = "HTTP/1.";
Error too_large(std::string what) { return Error{Code::limit, 0, std::move(what)}; }

/// Constant cost: the line is taken apart once the head is complete.
bool can_be_http1(std::string_view start_line, HeadKind kind) {
  if (kind == HeadKind::response) return start_line.starts_with(kStatusLineStart);
  return start_line.size() > kRequestLineEnd.size() &&
         start_line.substr(0, start_line.size() - 1).ends_with(kRequestLineEnd);
}

/// Where the head starts: behind the empty lines that a request may have in front of it.
std::size_t skip_empty_lines(std::string_view buffer, HeadKind kind) {
  std::size_t start = 0;
  if (kind == HeadKind::response) return start;
  for (std::size_t lines = 0; lines < limits::kMaxLeadingEmptyLines && buffer.substr(start).starts_with("\r\n"); ++lines)
    start += 2;
  return start;
}

template <class Visit>
void for_each_connection_option(std::vector<Field> const& fields, Visit visit) {
  for (auto const& field : fields) {
    if (equal_no_case(field.name, "connection")) for_each_element(field.value, visit);
  }
}

/// Connection = #connection-option, each a token (RFC 9110 section 7.6.1).
Result<void> check_connection_options(std::vector<Field> const& fields) {
  std::size_t options = 0;
  bool all_tokens = true;
  for_each_connection_option(fields, [&](std::string_view option) {
    ++options;
    all_tokens = all_tokens && is_token(option);
  });
  if (!all_tokens) return Error::invalid("Connection option is not a token");
  if (options > limits::kMaxHeaderFields) return too_large("Connection lists more options than the limit");
  return {};
}

/// Nothing but the beginning of a head so far.
HeadSearch incomplete(std::string_view buffer) {
  if (buffer.size() >= limits::kMaxHeadBytes) return too_large("head is larger than the limit");
  return NeedMore{};
}

}  // namespace

HeadSearch find_head(std::string_view buffer, HeadKind kind) {
  auto const start = skip_empty_lines(buffer, kind);
  HeadBytes head;
  std::size_t fields_start = 0;
  std::size_t line_start = start;
  for (std::size_t lines = 0;; ++lines) {
    auto const newline = buffer.find('\n', line_start);
    if (newline == std::string_view::npos) return incomplete(buffer);
    if (newline >= limits::kMaxHeadBytes) return too_large("head is larger than the limit");
    if (newline == line_start || buffer[newline - 1] != '\r') return Error::invalid("head has a line that ends in a bare LF");
    auto const line = buffer.substr(line_start, newline - 1 - line_start);
    line_start = newline + 1;
    if (lines == 0) {
      if (!can_be_http1(line, kind)) return Error::invalid("start line is not one of HTTP/1.0 or HTTP/1.1");
      head.start_line = line;
      fields_start = line_start;
    } else if (line.empty()) {
      head.field_lines = buffer.substr(fields_start, newline - 1 - fields_start);
      head.wire_bytes = line_start;
      return head;
    } else if (lines > limits::kMaxHeaderFields) {
      return too_large("head has more fields than the limit");
    }
  }
}

Result<Field> parse_field_line(std::string_view line) {
  if (line.starts_with(' ') || line.starts_with('\t')) return Error::invalid("field line is folded or begins with white space");
  auto const colon = line.find(':');
  if (colon == std::string_view::npos) return Error::invalid("field line has no colon");
  auto const name = line.substr(0, colon);
  if (!is_token(name)) return Error::invalid("field name is not a token");
  auto const value = trim_white_space(line.substr(colon + 1));
  if (!is_field_content(value)) return Error::invalid("field value has a control byte");
  return Field{std::string(name), std::string(value)};
}

Result<std::vector<Field>> parse_field_lines(std::string_view lines) {
  std::vector<Field> fields;
  fields.reserve(static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n')));
  while (!lines.empty()) {
    auto const end = lines.find("\r\n");
    auto field = parse_field_line(lines.substr(0, end));
    if (!field) return field.error();
    fields.push_back(std::move(*field));
    lines.remove_prefix(end + 2);
  }
  if (auto const checked = check_connection_options(fields); !checked) return checked.error();
  return fields;
}

std::optional<std::string_view> find_field(std::vector<Field> const& fields, std::string_view name) {
  auto const found =
      std::find_if(fields.begin(), fields.end(), [name](Field const& f) { return equal_no_case(f.name, name); });
  if (found == fields.end()) return std::nullopt;
  return found->value;
}

std::size_t count_fields(std::vector<Field> const& fields, std::string_view name) {
  return static_cast<std::size_t>(
      std::count_if(fields.begin(), fields.end(), [name](Field const& f) { return equal_no_case(f.name, name); }));
}

bool has_connection_option(std::vector<Field> const& fields, std::string_view option) {
  bool found = false;
  for_each_connection_option(fields, [&](std::string_view listed) { found = found || equal_no_case(listed, option); });
  return found;
}

bool wants_keep_alive(std::vector<Field> const& fields, int minor_version) {
  if (has_connection_option(fields, "close")) return false;
  return minor_version >= 1 || has_connection_option(fields, "keep-alive");
}

}  // namespace sallyport::proxy
