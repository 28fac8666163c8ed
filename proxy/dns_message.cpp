#include "proxy/dns_message.hpp"

#include "base/limits.hpp"
#include "proxy/byte_reader.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace sallyport::proxy::dns {
namespace {

constexpr std::size_t kHeaderBytes = 12;
constexpr std::size_t kMaxNameWireBytes = 255;  // RFC 1035 section 2.3.4
constexpr std::uint16_t kTypeOpt = 41;
constexpr std::uint16_t kClassIn = 1;
constexpr std::uint16_t kResponse = 0x8000;
constexpr std::uint16_t kOpcodeMask = 0x7800;
constexpr std::uint16_t kRecursionDesired = 0x0100;
constexpr std::uint16_t kRecursionAvailable = 0x0080;
constexpr std::uint16_t kUdpPayloadBytes = 1232;  // what we take in one datagram, for the OPT record
constexpr std::uint8_t kPointerBits = 0xc0;

constexpr std::array<std::pair<std::uint16_t, std::string_view>, 18> kTypeNames = {{
    {1, "A"},
    {2, "NS"},
    {5, "CNAME"},
    {6, "SOA"},
    {12, "PTR"},
    {13, "HINFO"},
    {15, "MX"},
    {16, "TXT"},
    {28, "AAAA"},
    {33, "SRV"},
    {35, "NAPTR"},
    {43, "DS"},
    {48, "DNSKEY"},
    {52, "TLSA"},
    {64, "SVCB"},
    {65, "HTTPS"},
    {255, "ANY"},
    {257, "CAA"},
}};

Error malformed(std::string what) { return Error{Code::invalid, 0, std::move(what)}; }

struct Header {
  std::uint16_t id, flags, questions, answers, authorities, additionals;
};

std::optional<Header> take_header(ByteReader& reader) {
  if (reader.rest().size() < kHeaderBytes) return std::nullopt;
  return Header{*reader.u16(), *reader.u16(), *reader.u16(), *reader.u16(), *reader.u16(), *reader.u16()};
}

/// Labels up to and with the root label. A dot inside a label would make the joined name read as another name.
Result<std::string> take_name(ByteReader& reader) {
  std::string name;
  for (std::size_t wire_bytes = 1;;) {
    auto const label = reader.vector8();
    if (!label) return malformed("DNS name is cut off or compressed");
    if (label->empty()) return name;
    wire_bytes += label->size() + 1;
    if (label->size() > limits::kMaxLabelBytes) return malformed("DNS label is too long or compressed");
    if (wire_bytes > kMaxNameWireBytes) return malformed("DNS name is too long");
    if (label->find('.') != std::string_view::npos) return malformed("DNS label with a dot in it");
    if (!name.empty()) name += '.';
    name += *label;
  }
}

/// One record of the additional section; true if it is an OPT record (RFC 6891 section 6.1.2).
Result<bool> take_additional(ByteReader& reader) {
  constexpr std::size_t kTtlBytes = 4;
  auto const name = take_name(reader);
  if (!name) return name.error();
  auto const type = reader.u16();
  auto const record_class = reader.u16();
  auto const ttl = reader.take(kTtlBytes);
  auto const data = reader.vector16();
  if (!type || !record_class || !ttl || !data) return malformed("DNS record is cut off");
  if (*type == kTypeOpt && !name->empty()) return malformed("OPT record with a name");
  return *type == kTypeOpt;
}

Result<bool> take_additionals(ByteReader& reader, std::uint16_t count) {
  int opt_records = 0;
  for (std::uint16_t i = 0; i < count; ++i) {
    auto const is_opt = take_additional(reader);
    if (!is_opt) return is_opt.error();
    opt_records += *is_opt ? 1 : 0;
  }
  if (opt_records > 1) return malformed("more than one OPT record");
  if (!reader.at_end()) return malformed("bytes behind the DNS message");
  return opt_records == 1;
}

void append_u16(std::string& out, std::uint16_t value) {
  out += static_cast<char>(value >> 8);
  out += static_cast<char>(value & 0xff);
}

void append_u32(std::string& out, std::uint32_t value) {
  append_u16(out, static_cast<std::uint16_t>(value >> 16));
  append_u16(out, static_cast<std::uint16_t>(value & 0xffff));
}

void append_header(std::string& out, Header const& header) {
  for (auto const word :
       {header.id, header.flags, header.questions, header.answers, header.authorities, header.additionals}) {
    append_u16(out, word);
  }
}

/// The owner name is a pointer to the question, which stands right behind the header.
void append_address(std::string& out, policies::IpAddress const& address, std::uint32_t ttl) {
  append_u16(out, kPointerBits << 8 | kHeaderBytes);
  append_u16(out, address.is_v4() ? kTypeA : kTypeAaaa);
  append_u16(out, kClassIn);
  append_u32(out, ttl);
  auto const append_bytes = [&out](auto const& bytes) {
    append_u16(out, static_cast<std::uint16_t>(bytes.size()));
    out.append(bytes.begin(), bytes.end());
  };
  address.is_v4() ? append_bytes(address.v4_bytes()) : append_bytes(address.bytes());
}

/// Root name, our payload size, no extended code, version 0, no options (RFC 6891 section 6.1.2).
void append_opt(std::string& out) {
  out += '\0';
  append_u16(out, kTypeOpt);
  append_u16(out, kUdpPayloadBytes);
  append_u32(out, 0);
  append_u16(out, 0);
}

}  // namespace

Result<Question> parse_question(std::string_view message) {
  if (message.size() > limits::kMaxDnsMessageBytes) return Error{Code::limit, 0, "DNS message is larger than the limit"};
  ByteReader reader(message);
  auto const header = take_header(reader);
  if (!header) return malformed("DNS header is cut off");
  if ((header->flags & kResponse) != 0) return malformed("DNS message is not a query");
  if ((header->flags & kOpcodeMask) != 0) return Error{Code::unsupported, 0, "DNS opcode is not QUERY"};
  bool const one_question = header->questions == 1 && header->answers == 0 && header->authorities == 0;
  if (!one_question) return malformed("DNS query is not exactly one question");
  auto name = take_name(reader);
  if (!name) return name.error();
  auto const qtype = reader.u16();
  auto const qclass = reader.u16();
  if (!qtype || !qclass) return malformed("DNS question is cut off");
  auto const question_end = reader.position();
  auto const edns = take_additionals(reader, header->additionals);
  if (!edns) return edns.error();
  return Question{header->id,
                  (header->flags & kRecursionDesired) != 0,
                  std::move(*name),
                  *qtype,
                  *qclass,
                  std::string(message.substr(kHeaderBytes, question_end - kHeaderBytes)),
                  *edns};
}

std::optional<std::uint16_t> query_id(std::string_view message) {
  ByteReader reader(message);
  auto const header = take_header(reader);
  if (!header || (header->flags & kResponse) != 0) return std::nullopt;
  return header->id;
}

std::string answer(Question const& question, Rcode rcode, std::optional<policies::IpAddress> address, std::uint32_t ttl) {
  auto const recursion_desired = question.recursion_desired ? kRecursionDesired : 0;
  auto const flags = kResponse | recursion_desired | kRecursionAvailable | static_cast<unsigned>(rcode);
  std::string out;
  append_header(out, {question.id, static_cast<std::uint16_t>(flags), 1, static_cast<std::uint16_t>(address ? 1 : 0), 0,
                      static_cast<std::uint16_t>(question.edns ? 1 : 0)});
  out += question.wire;
  if (address) append_address(out, *address, ttl);
  if (question.edns) append_opt(out);
  return out;
}

std::string error_answer(std::uint16_t id, Rcode rcode) {
  std::string out;
  append_header(out, {id, static_cast<std::uint16_t>(kResponse | static_cast<unsigned>(rcode)), 0, 0, 0, 0});
  return out;
}

std::string type_name(std::uint16_t qtype) {
  auto const found =
      std::find_if(kTypeNames.begin(), kTypeNames.end(), [qtype](auto const& t) { return t.first == qtype; });
  return found == kTypeNames.end() ? "TYPE" + std::to_string(qtype) : std::string(found->second);
}

}  // namespace sallyport::proxy::dns
