#include "proxy/root_index.hpp"

#include "proxy/byte_reader.hpp"

#include <optional>

namespace sallyport::proxy {
namespace {

constexpr std::string_view kBegin = "-----BEGIN CERTIFICATE-----";
constexpr std::string_view kEnd = "-----END CERTIFICATE-----";
constexpr std::uint8_t kSequence = 0x30;
constexpr std::uint8_t kVersion = 0xa0;

struct Element {
  std::uint8_t tag;
  std::string_view whole;
  std::string_view content;
};

/// One DER element (X.690 section 8.1); lengths of at most three bytes.
std::optional<Element> take_element(ByteReader& reader) {
  constexpr std::uint8_t kLongForm = 0x80;
  constexpr std::uint8_t kMaxLengthBytes = 3;
  auto const before = reader.rest();
  auto const tag = reader.u8();
  auto const first = reader.u8();
  if (!tag || !first) return std::nullopt;
  std::size_t length = *first;
  if (*first >= kLongForm) {
    auto const bytes = reader.take(*first & ~kLongForm);
    if (!bytes || bytes->empty() || bytes->size() > kMaxLengthBytes) return std::nullopt;
    length = 0;
    for (char const c : *bytes) length = length << 8 | static_cast<std::uint8_t>(c);
  }
  auto const content = reader.take(length);
  if (!content) return std::nullopt;
  return Element{*tag, before.substr(0, before.size() - reader.rest().size()), *content};
}

std::optional<Element> take_sequence(ByteReader& reader) {
  auto element = take_element(reader);
  return element && element->tag == kSequence ? element : std::nullopt;
}

int digit_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

/// RFC 4648 section 4, line breaks and padding skipped.
std::string decode_base64(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (char const c : text) {
    int const digit = digit_of(c);
    if (digit < 0) continue;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes.push_back(static_cast<char>(bits >> count));
  }
  return bytes;
}

X509Ptr parse(std::string const& der) {
  auto const* at = reinterpret_cast<unsigned char const*>(der.data());
  return X509Ptr(d2i_X509(nullptr, &at, static_cast<long>(der.size())));
}

}  // namespace

std::string_view subject_of(std::string_view certificate_der) {
  ByteReader outer(certificate_der);
  auto const certificate = take_sequence(outer);
  if (!certificate) return {};
  ByteReader inside(certificate->content);
  auto const signed_part = take_sequence(inside);
  if (!signed_part) return {};
  ByteReader fields(signed_part->content);
  auto element = take_element(fields);  // [0] version, or the serial number
  if (element && element->tag == kVersion) element = take_element(fields);
  for (int skipped = 0; element && skipped < 3; ++skipped) element = take_sequence(fields);  // algorithm, issuer, validity
  if (!element) return {};
  auto const subject = take_sequence(fields);
  return subject ? subject->whole : std::string_view();
}

std::size_t RootIndex::add(std::string_view pem) {
  std::size_t added = 0;
  for (auto begin = pem.find(kBegin); begin != std::string_view::npos; begin = pem.find(kBegin)) {
    pem.remove_prefix(begin + kBegin.size());
    auto const end = pem.find(kEnd);
    if (end == std::string_view::npos) return added;
    auto der = decode_base64(pem.substr(0, end));
    std::string subject(subject_of(der));
    pem.remove_prefix(end + kEnd.size());
    if (subject.empty()) continue;
    by_subject_.emplace(std::move(subject), std::move(der));
    ++added;
  }
  return added;
}

std::vector<X509Ptr> RootIndex::with_subject(std::string_view subject_der) const {
  std::vector<X509Ptr> found;
  auto const [begin, end] = by_subject_.equal_range(std::string(subject_der));
  for (auto at = begin; at != end; ++at) {
    if (auto certificate = parse(at->second)) found.push_back(std::move(certificate));
  }
  return found;
}

std::vector<X509Ptr> RootIndex::take_all() {
  std::vector<X509Ptr> found;
  if (all_taken_) return found;
  all_taken_ = true;
  for (auto const& [subject, der] : by_subject_) {
    if (auto certificate = parse(der)) found.push_back(std::move(certificate));
  }
  return found;
}

}  // namespace sallyport::proxy
