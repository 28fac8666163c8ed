#include "proxy/client_hello.hpp"

#include "base/limits.hpp"
#include "proxy/byte_reader.hpp"

#include <algorithm>

namespace sallyport::proxy {
namespace {

constexpr std::uint8_t kHandshakeRecord = 22;
constexpr std::uint8_t kTlsMajor = 3;
constexpr std::uint8_t kMaxRecordMinor = 4;
constexpr std::size_t kMaxRecordBytes = 16 * 1024;  // RFC 8446 section 5.1
constexpr std::uint8_t kClientHello = 1;
constexpr std::size_t kHandshakeHeaderBytes = 4;
constexpr std::size_t kRandomBytes = 32;
constexpr std::size_t kMaxSessionIdBytes = 32;
constexpr std::uint8_t kHostName = 0;

enum Extension : std::uint16_t { server_name = 0, alpn = 16, encrypted_client_hello = 0xfe0d };
Error too_large(std::string what) { return Error{Code::limit, 0, std::move(what)}; }

/// Fragment of the record at `at`, as much of it as is there; its header is checked byte by byte as it arrives.
struct Record {
  std::string_view fragment;
  bool complete = false;
};
Result<Record> record_at(std::string_view buffer, std::size_t at) {
  ByteReader reader(buffer.substr(at));
  auto const type = reader.u8();
  if (type && *type != kHandshakeRecord) return Error::invalid("not a TLS handshake record");
  auto const major = reader.u8();
  if (major && *major != kTlsMajor) return Error::invalid("not a TLS record version");
  auto const minor = reader.u8();
  if (minor && *minor > kMaxRecordMinor) return Error::invalid("not a TLS record version");
  auto const length = reader.u16();
  if (!length) return Record{};
  if (*length == 0) return Error::invalid("empty TLS record");
  if (*length > kMaxRecordBytes) return too_large("TLS record is longer than 16 KiB");
  auto const fragment = reader.rest().substr(0, *length);
  return Record{fragment, fragment.size() == *length};
}

/// Handshake bytes of all records so far. One record, the usual case, is not copied.
class Message {
 public:
  void append(std::string_view fragment) {
    if (first_.empty()) {
      first_ = fragment;
      return;
    }
    if (joined_.empty()) joined_ = first_;
    joined_ += fragment;
  }
  std::string_view bytes() const { return joined_.empty() ? first_ : std::string_view(joined_); }

 private:
  std::string_view first_;
  std::string joined_;
};

/// Size of the whole message with its header, once the header is there.
Result<std::optional<std::size_t>> message_size(std::string_view bytes) {
  ByteReader reader(bytes);
  auto const type = reader.u8();
  if (type && *type != kClientHello) return Error::invalid("TLS handshake does not begin with a ClientHello");
  auto const length = reader.u24();
  if (!length) return std::optional<std::size_t>{};
  if (*length > limits::kMaxClientHelloBytes) return too_large("ClientHello is larger than the limit");
  return std::optional<std::size_t>(*length + kHandshakeHeaderBytes);
}

/// ServerNameList with exactly one entry, a host_name (RFC 6066 section 3).
Result<policies::CanonicalHost> parse_server_name(std::string_view data) {
  ByteReader outer(data);
  auto const list = outer.vector16();
  if (!list || !outer.at_end()) return Error::invalid("server_name lengths do not add up");
  ByteReader names(*list);
  auto const type = names.u8();
  auto const name = names.vector16();
  if (!type || !name) return Error::invalid("server_name lengths do not add up");
  if (*type != kHostName || !names.at_end()) return Error::invalid("server_name is not exactly one host name");
  bool const ascii = std::all_of(name->begin(), name->end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!ascii || name->ends_with('.')) return Error::invalid("server_name is not a host name in canonical form");
  auto host = policies::CanonicalHost::from(*name);
  if (!host) return host.error();
  if (host->is_address()) return Error::invalid("server_name is an address");
  return host;
}

/// ProtocolNameList (RFC 7301 section 3.1).
Result<std::vector<std::string>> parse_alpn(std::string_view data) {
  ByteReader outer(data);
  auto const list = outer.vector16();
  if (!list || list->empty() || !outer.at_end()) return Error::invalid("ALPN lengths do not add up");
  std::vector<std::string> protocols;
  ByteReader names(*list);
  while (!names.at_end()) {
    auto const name = names.vector8();
    if (!name || name->empty()) return Error::invalid("ALPN lengths do not add up");
    protocols.emplace_back(*name);
  }
  return protocols;
}

Result<void> parse_extension(ClientHello& hello, std::uint16_t type, std::string_view data) {
  if (type == encrypted_client_hello) hello.encrypted_client_hello = true;
  if (type == server_name) {
    if (hello.sni) return Error::invalid("two server_name extensions");
    auto name = parse_server_name(data);
    if (!name) return name.error();
    hello.sni = std::move(*name);
  }
  if (type == alpn) {
    if (!hello.alpn.empty()) return Error::invalid("two ALPN extensions");
    auto protocols = parse_alpn(data);
    if (!protocols) return protocols.error();
    hello.alpn = std::move(*protocols);
  }
  return {};
}

Result<void> parse_extensions(ClientHello& hello, std::string_view block) {
  ByteReader reader(block);
  while (!reader.at_end()) {
    auto const type = reader.u16();
    auto const data = reader.vector16();
    if (!type || !data) return Error::invalid("ClientHello extension lengths do not add up");
    if (auto const parsed = parse_extension(hello, *type, *data); !parsed) return parsed.error();
  }
  return {};
}

/// ClientHello without its handshake header (RFC 8446 section 4.1.2). TLS 1.2 may leave the extensions out altogether.
Result<ClientHello> parse_body(std::string_view body) {
  ByteReader reader(body);
  auto const major = reader.u8();
  auto const minor = reader.u8();
  auto const random = reader.take(kRandomBytes);
  auto const session_id = reader.vector8();
  auto const cipher_suites = reader.vector16();
  auto const compression = reader.vector8();
  if (!major || !minor || !random || !session_id || !cipher_suites || !compression)
    return Error::invalid("ClientHello is cut off");
  if (*major != kTlsMajor) return Error::invalid("ClientHello has no TLS version");
  bool const plausible = session_id->size() <= kMaxSessionIdBytes && !cipher_suites->empty() &&
                         cipher_suites->size() % 2 == 0 && !compression->empty();
  if (!plausible) return Error::invalid("ClientHello lengths do not add up");
  ClientHello hello;
  if (reader.at_end()) return hello;
  auto const extensions = reader.vector16();
  if (!extensions || !reader.at_end()) return Error::invalid("ClientHello lengths do not add up");
  if (auto const parsed = parse_extensions(hello, *extensions); !parsed) return parsed.error();
  return hello;
}

ClientHelloStep finish(std::string_view message, std::size_t wire_bytes) {
  auto hello = parse_body(message.substr(kHandshakeHeaderBytes));
  if (!hello) return hello.error();
  hello->wire_bytes = wire_bytes;
  return std::move(*hello);
}

}  // namespace

ClientHelloStep parse_client_hello(std::string_view buffer) {
  constexpr std::size_t kRecordHeaderBytes = 5;
  Message message;
  std::size_t at = 0;
  for (std::size_t records = 0; records < limits::kMaxClientHelloRecords; ++records) {
    auto const record = record_at(buffer, at);
    if (!record) return record.error();
    message.append(record->fragment);
    auto const size = message_size(message.bytes());
    if (!size) return size.error();
    if (*size && message.bytes().size() > **size) return Error::invalid("bytes behind the ClientHello in its record");
    if (!record->complete) return NeedMore{};
    at += kRecordHeaderBytes + record->fragment.size();
    if (*size && message.bytes().size() == **size) return finish(message.bytes(), at);
  }
  return too_large("ClientHello is cut into more records than the limit");
}

bool looks_like_tls(std::string_view first) {
  bool const version = first.size() < 2 || static_cast<std::uint8_t>(first[1]) == kTlsMajor;
  return first.starts_with(static_cast<char>(kHandshakeRecord)) && version;
}

}  // namespace sallyport::proxy
