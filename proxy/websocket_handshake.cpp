#include "proxy/websocket_handshake.hpp"

#include "proxy/field_lines.hpp"
#include "proxy/token.hpp"

#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <stdexcept>

namespace sallyport::proxy {
namespace {

constexpr std::string_view kUpgrade = "upgrade";
constexpr std::string_view kWebSocket = "websocket";
constexpr std::string_view kKeyField = "Sec-WebSocket-Key";
constexpr std::string_view kVersionField = "Sec-WebSocket-Version";
constexpr std::string_view kAcceptField = "Sec-WebSocket-Accept";
constexpr std::string_view kProtocolField = "Sec-WebSocket-Protocol";
constexpr std::string_view kExtensionsField = "Sec-WebSocket-Extensions";
constexpr std::string_view kAcceptSuffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455 section 1.3
constexpr std::size_t kKeyBytes = 16;

Error invalid(std::string what) { return Error{Code::invalid, 0, "WebSocket handshake: " + std::move(what)}; }

std::string base64(unsigned char const* bytes, std::size_t size) {
  std::string text(4 * ((size + 2) / 3) + 1, '\0');  // with the NUL that OpenSSL writes
  // SAFETY: EVP_EncodeBlock writes as many bytes as were made room for.
  auto const written = ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes, static_cast<int>(size));
  text.resize(static_cast<std::size_t>(written));
  return text;
}

/// base64 of 16 bytes: 22 digits, of which the last has four bits of zero, and "==".
bool is_key(std::string_view key) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  constexpr std::string_view kLastDigits = "AQgw";
  if (key.size() != 24 || !key.ends_with("==")) return false;
  auto const digits = key.substr(0, 22);
  return digits.find_first_not_of(kDigits) == std::string_view::npos &&
         kLastDigits.find(digits.back()) != std::string_view::npos;
}

template <class Visit>
void for_each_value(std::vector<Field> const& fields, std::string_view name, Visit visit) {
  for (auto const& field : fields) {
    if (equal_no_case(field.name, name)) for_each_element(field.value, visit);
  }
}

bool lists(std::vector<Field> const& fields, std::string_view name, std::string_view value) {
  bool found = false;
  for_each_value(fields, name, [&](std::string_view element) { found = found || equal_no_case(element, value); });
  return found;
}

void remove_fields(std::vector<Field>& fields, std::initializer_list<std::string_view> names) {
  std::erase_if(fields, [&](Field const& field) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) { return equal_no_case(field.name, name); });
  });
}

Result<std::vector<std::string>> read_protocols(std::vector<Field> const& fields) {
  std::vector<std::string> protocols;
  bool all_good = true;
  for_each_value(fields, kProtocolField, [&](std::string_view name) {
    bool const is_new = std::find(protocols.begin(), protocols.end(), name) == protocols.end();
    all_good = all_good && is_token(name) && is_new;
    protocols.emplace_back(name);
  });
  if (!all_good) return invalid("Sec-WebSocket-Protocol is not a list of different tokens");
  return protocols;
}

Result<std::optional<std::string>> read_protocol(std::vector<Field> const& fields,
                                                 std::vector<std::string> const& offered) {
  auto const chosen = find_field(fields, kProtocolField);
  if (!chosen) return std::optional<std::string>();
  bool const is_offered = std::find(offered.begin(), offered.end(), *chosen) != offered.end();
  if (count_fields(fields, kProtocolField) > 1 || !is_offered)
    return invalid("the server chose a subprotocol that was not offered");
  return std::optional(std::string(*chosen));
}

/// Sec-WebSocket-Key of HTTP/1.1; HTTP/2 has none, and says by other means what Upgrade and Connection say.
Result<std::string> read_key(RequestHead const& head) {
  if (head.websocket) return std::string();
  if (head.method != "GET" || head.minor_version != 1) return invalid("it has to be a GET of HTTP/1.1");
  if (!has_connection_option(head.fields, kUpgrade)) return invalid("Connection does not list upgrade");
  auto const key = head.field(kKeyField);
  if (count_fields(head.fields, kKeyField) != 1 || !is_key(*key)) return invalid("the key is not 16 bytes in base64");
  return std::string(*key);
}

}  // namespace

bool asks_for_websocket(RequestHead const& head) { return head.websocket || lists(head.fields, kUpgrade, kWebSocket); }

Result<WebSocketOffer> read_websocket_offer(RequestHead const& head) {
  auto const key = read_key(head);
  if (!key) return key.error();
  if (!std::holds_alternative<NoBody>(head.body) || head.expect_continue) return invalid("the request has a body");
  if (count_fields(head.fields, kVersionField) != 1 || head.field(kVersionField) != "13")
    return invalid("the version has to be 13");
  auto protocols = read_protocols(head.fields);
  if (!protocols) return protocols.error();
  return WebSocketOffer{*key, std::move(*protocols), offered_deflate(head.fields)};
}

RequestHead websocket_request(RequestHead head, WebSocketOffer const& offer) {
  head.websocket = true;
  remove_fields(head.fields, {kKeyField, kExtensionsField});
  std::string extensions;
  for (auto const& each : offer.deflate) extensions += (extensions.empty() ? "" : ", ") + to_text(each);
  if (!extensions.empty()) head.fields.push_back({std::string(kExtensionsField), std::move(extensions)});
  return head;
}

std::string new_websocket_key() {
  std::array<unsigned char, kKeyBytes> bytes{};
  if (::RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1) throw std::runtime_error("no random bytes");
  return base64(bytes.data(), bytes.size());
}

std::string websocket_accept(std::string_view key) {
  auto const text = std::string(key).append(kAcceptSuffix);
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  // SAFETY: bytes are passed as unsigned char; SHA-1 is what RFC 6455 asks for, and protects nothing here.
  ::SHA1(reinterpret_cast<unsigned char const*>(text.data()), text.size(), digest.data());
  return base64(digest.data(), digest.size());
}

Result<WebSocketTerms> read_websocket_answer(ResponseHead const& head, WebSocketOffer const& offer, std::string_view key) {
  bool const is_upgrade = lists(head.fields, kUpgrade, kWebSocket) && count_fields(head.fields, kUpgrade) == 1;
  if (!is_upgrade || !has_connection_option(head.fields, kUpgrade)) return invalid("the server switched to something else");
  bool const accepts = count_fields(head.fields, kAcceptField) == 1 && head.field(kAcceptField) == websocket_accept(key);
  if (!accepts) return invalid("Sec-WebSocket-Accept does not answer the key");
  auto protocol = read_protocol(head.fields, offer.protocols);
  if (!protocol) return protocol.error();
  auto deflate = accepted_deflate(head.fields, offer.deflate);
  if (!deflate) return invalid(deflate.error().what);
  return WebSocketTerms{std::move(*protocol), *deflate};
}

ResponseHead websocket_response(ResponseHead head, WebSocketOffer const& offer, WebSocketTerms const& terms) {
  remove_fields(head.fields, {kAcceptField, kExtensionsField, kProtocolField});
  if (!offer.key.empty()) head.fields.push_back({std::string(kAcceptField), websocket_accept(offer.key)});
  if (terms.protocol) head.fields.push_back({std::string(kProtocolField), *terms.protocol});
  if (terms.deflate) head.fields.push_back({std::string(kExtensionsField), to_text(*terms.deflate)});
  return head;
}

}  // namespace sallyport::proxy
