#include "proxy/sigv4.hpp"

#include "base/ascii.hpp"
#include "base/wipe.hpp"
#include "proxy/token.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <utility>

namespace sallyport::proxy {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kUnsigned = "UNSIGNED-PAYLOAD";
constexpr std::size_t kHexDigits = 64;
constexpr char kContentHash[] = "x-amz-content-sha256";

using Mac = std::array<unsigned char, 32>;

std::string hex(Mac const& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (auto const byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

std::string sha256_hex(std::string_view bytes) {
  Mac digest{};
  ::EVP_Digest(bytes.data(), bytes.size(), digest.data(), nullptr, ::EVP_sha256(), nullptr);
  return hex(digest);
}

std::string_view bytes_of(Mac const& mac) { return {reinterpret_cast<char const*>(mac.data()), mac.size()}; }

Mac hmac(std::string_view key, std::string_view message) {
  Mac out{};
  ::HMAC(::EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<unsigned char const*>(message.data()), message.size(), out.data(), nullptr);
  return out;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    auto const end = std::min(text.find(at, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// "Credential=…" of the field after the algorithm; empty if it is not there.
std::string_view member(std::string_view value, std::string_view name) {
  std::string_view found;
  for_each_element(value, [&](std::string_view element) {
    if (element.starts_with(name) && element.substr(name.size()).starts_with('=')) found = element.substr(name.size() + 1);
  });
  return found;
}

/// As it is signed: "X-Amz-Credential=AKIA…%2F2026…".
std::string_view parameter(std::string_view query, std::string_view name) {
  for (auto const each : split(query, '&')) {
    if (each.starts_with(name) && each.substr(name.size()).starts_with('=')) return each.substr(name.size() + 1);
  }
  return {};
}

/// The only escapes in what is read of a query here: '/' and ';'.
std::string unescaped(std::string_view text) {
  std::string out(text);
  for (auto const& [escape, plain] : {std::pair("%2F", "/"), {"%2f", "/"}, {"%3B", ";"}, {"%3b", ";"}}) {
    for (auto at = out.find(escape); at != std::string::npos; at = out.find(escape, at)) out.replace(at, 3, plain);
  }
  return out;
}

bool is_hex(std::string_view text) {
  return text.size() == kHexDigits && std::all_of(text.begin(), text.end(), [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/// Every byte but unreserved ones and '/' is escaped (RFC 3986 section 2.3).
std::string escaped_path(std::string_view path) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (char const c : path) {
    bool const stays = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || std::string_view("-._~/").find(c) != std::string_view::npos;
    auto const byte = static_cast<unsigned char>(c);
    if (stays) out += c;
    if (stays) continue;
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

/// Without white space around it, and with one blank where there are more inside.
std::string canonical_value(std::string_view value) {
  std::string out;
  for (char const c : trim_white_space(value)) {
    if (c != ' ' || !out.ends_with(' ')) out += c;
  }
  return out;
}

std::string host_of(HttpTarget const& target) {
  auto const host = target.host.authority();
  return target.port == standard_port(target.scheme) ? host : host + ":" + std::to_string(target.port);
}

/// All values of one field, in their order; of `host`, what goes upstream.
std::string values_of(std::string_view name, RequestHead const& head, HttpTarget const& target) {
  if (name == "host") return host_of(target);
  std::string out;
  for (auto const& field : head.fields) {
    if (equal_no_case(field.name, name)) out.append(out.empty() ? "" : ",").append(canonical_value(field.value));
  }
  auto const* length = std::get_if<ContentLength>(&head.body);
  if (out.empty() && name == "content-length" && length != nullptr) return std::to_string(length->bytes);
  return out;
}

}  // namespace

std::optional<AwsSignature> AwsSignature::read(RequestHead const& head, HttpTarget const& target) {
  AwsSignature found;
  std::string credential, names;
  auto const authorization = head.field("authorization").value_or("");
  std::string_view const query = target.path.query();
  if (authorization.starts_with(kAlgorithm) && authorization.substr(kAlgorithm.size()).starts_with(' ')) {
    auto const members = authorization.substr(kAlgorithm.size() + 1);
    credential = member(members, "Credential");
    names = member(members, "SignedHeaders");
    found.signature_ = member(members, "Signature");
    found.time_ = head.field("x-amz-date").value_or("");
    found.payload_hash_ = head.field(kContentHash).value_or("");
    if (found.payload_hash_.empty() && std::holds_alternative<NoBody>(head.body)) found.set_body("");
  } else if (parameter(query, "X-Amz-Algorithm") == kAlgorithm) {
    found.place_ = Place::query;
    credential = unescaped(parameter(query, "X-Amz-Credential"));
    names = unescaped(parameter(query, "X-Amz-SignedHeaders"));
    found.signature_ = parameter(query, "X-Amz-Signature");
    found.time_ = parameter(query, "X-Amz-Date");
    found.payload_hash_ = head.field(kContentHash).value_or(kUnsigned);
  } else {
    return std::nullopt;
  }
  auto const parts = split(credential, '/');  // the id of the key, and the scope
  if (parts.size() != 5 || parts[4] != "aws4_request" || names.empty() || !is_hex(found.signature_) || found.time_.empty()) return std::nullopt;
  std::copy(parts.begin() + 1, parts.end(), found.scope_);
  for (auto const name : split(names, ';')) found.signed_headers_.emplace_back(name);
  return found;
}

void AwsSignature::set_body(std::string_view body) { payload_hash_ = sha256_hex(body); }

bool AwsSignature::signs_chunks() const { return payload_hash_.starts_with("STREAMING-AWS4-"); }

bool AwsSignature::is_made_with(std::string_view secret, RequestHead const& head, HttpTarget const& target) const {
  return make(secret, head, target) == signature_;
}

void AwsSignature::renew(std::string_view secret, RequestHead& head, HttpTarget& target) const {
  auto const made = make(secret, head, target);
  if (place_ == Place::header) {
    for (auto& field : head.fields) {
      auto const at = field.value.find(signature_);
      if (equal_no_case(field.name, "authorization") && at != std::string::npos) field.value.replace(at, signature_.size(), made);
    }
    return;
  }
  auto path = target.path.str();
  auto const at = path.rfind(signature_);
  if (at == std::string::npos) return;
  path.replace(at, signature_.size(), made);
  target.path = policies::CanonicalPath::from(path).value();
}

std::string AwsSignature::canonical_query(std::string const& query) const {
  std::vector<std::string> parameters;
  for (auto const each : split(query, '&')) {
    if (each.empty() || (place_ == Place::query && each.starts_with("X-Amz-Signature="))) continue;
    parameters.push_back(each.find('=') == std::string_view::npos ? std::string(each) + "=" : std::string(each));
  }
  auto const by_name = [](std::string const& a, std::string const& b) {
    auto const name_of = [](std::string const& each) { return each.substr(0, each.find('=')); };
    return std::pair(name_of(a), a) < std::pair(name_of(b), b);
  };
  std::sort(parameters.begin(), parameters.end(), by_name);
  std::string out;
  for (auto const& each : parameters) out.append(out.empty() ? "" : "&").append(each);
  return out;
}

std::string AwsSignature::canonical_request(RequestHead const& head, HttpTarget const& target) const {
  bool const is_s3 = scope_[2].starts_with("s3");  // whose paths are escaped once, all others' twice
  std::string text, names;
  text.append(head.method).append("\n").append(is_s3 ? target.path.path() : escaped_path(target.path.path())).append("\n");
  text.append(canonical_query(target.path.query())).append("\n");
  for (auto const& name : signed_headers_) {
    text.append(name).append(":").append(values_of(name, head, target)).append("\n");
    names.append(names.empty() ? "" : ";").append(name);
  }
  return text.append("\n").append(names).append("\n").append(payload_hash_);
}

std::string AwsSignature::make(std::string_view secret, RequestHead const& head, HttpTarget const& target) const {
  std::string to_sign(kAlgorithm);
  to_sign.append("\n").append(time_).append("\n");
  for (auto const& part : scope_) to_sign.append(part).append(&part == &scope_[3] ? "\n" : "/");
  to_sign += sha256_hex(canonical_request(head, target));
  auto key = "AWS4" + std::string(secret);
  auto mac = hmac(key, scope_[0]);
  wipe(key);
  for (std::size_t i = 1; i < std::size(scope_); ++i) mac = hmac(bytes_of(mac), scope_[i]);
  return hex(hmac(bytes_of(mac), to_sign));
}

}  // namespace sallyport::proxy
