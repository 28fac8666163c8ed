#include "audit/json_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace sallyport::audit {

namespace {

template <class Integer>
void append_number(std::string& out, Integer value) {
  std::array<char, 24> digits;
  auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

}  // namespace

void JsonWriter::key(std::string_view name) {
  separate('{');
  out_ += '"';
  out_ += name;
  out_ += "\":";
}

void JsonWriter::text(std::string_view value) {
  out_ += '"';
  auto const before = out_.size();
  if (append_escaped(out_, value, EscapeFor::json, std::min(limits_.one, limits_.all)) == Fit::cut) fit_ = Fit::cut;
  limits_.all -= out_.size() - before;
  out_ += '"';
}

void JsonWriter::number(std::uint64_t value) { append_number(out_, value); }
void JsonWriter::number(std::int64_t value) { append_number(out_, value); }

bool JsonWriter::spend(std::size_t bytes) {
  if (limits_.all < bytes) {
    fit_ = Fit::cut;
    return false;
  }
  limits_.all -= bytes;
  return true;
}

}  // namespace sallyport::audit
