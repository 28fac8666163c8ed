// OpenSSL's direct SHA-1 calls, which it marks as deprecated: as in java_store.cpp.
#define OPENSSL_SUPPRESS_DEPRECATED

#include "jail/browser_database.hpp"

#include "jail/java_store.hpp"

#include <openssl/asn1.h>
#include <openssl/sha.h>
#include <sqlite3.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace sallyport::jail {
namespace {

// Every attribute that NSS asks for has a column, whether a row uses it or not.
constexpr char kSchema[] =
    "CREATE TABLE nssPublic (id PRIMARY KEY UNIQUE ON CONFLICT ABORT, "
    "a0, a1, a2, a3, a10, a11, a12, a80, a81, a82, a83, a84, a85, a86, a87, a88, a89, a8a, a8b, a90, a100, a101, "
    "a102, a103, a104, a105, a106, a107, a108, a109, a10a, a10b, a10c, a110, a111, a120, a121, a122, a123, a124, "
    "a125, a126, a127, a128, a129, a130, a131, a132, a133, a134, a160, a161, a162, a163, a164, a165, a166, a170, "
    "a180, a181, a200, a201, a202, a210, a300, a301, a302, a400, a401, a402, a403, a404, a405, a406, a480, a481, "
    "a482, a500, a501, a502, a503, a40000211, a40000212, a80000001, ace534351, ace534352, ace534353, ace534354, "
    "ace534355, ace534356, ace534357, ace534358, ace534364, ace534365, ace534366, ace534367, ace534368, ace534369, "
    "ace534373, ace534374, ace536351, ace536352, ace536353, ace536354, ace536355, ace536356, ace536357, ace536358, "
    "ace536359, ace53635a, ace53635b, ace53635c, ace53635d, ace53635e, ace53635f, ace536360, ace5363b4, ace5363b5, "
    "ad5a0db00"
    ");";

using Bytes = std::string;
/// A column and its value.
using Attributes = std::vector<std::pair<char const*, Bytes>>;

struct Delete {
  void operator()(sqlite3* database) const { ::sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const { ::sqlite3_finalize(statement); }
  void operator()(unsigned char* bytes) const { ::sqlite3_free(bytes); }
};
template <class T>
using Owned = std::unique_ptr<T, Delete>;

Bytes number(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

/// Elements of DER, one after another. OpenSSL's parser of certificates would decode the key as well, for longer than all
/// of this takes.
class Elements {
 public:
  explicit Elements(std::string_view bytes) : rest_(bytes) {}
  /// The next one, with its head; empty when there is none.
  std::string_view next() { return take().first; }
  /// What is in the next one.
  std::string_view enter() { return take().second; }

 private:
  std::pair<std::string_view, std::string_view> take() {
    auto const* at = reinterpret_cast<unsigned char const*>(rest_.data());
    auto const* const begin = at;
    long length = 0;
    int tag = 0, kind = 0;
    auto const size = static_cast<long>(rest_.size());
    if ((::ASN1_get_object(&at, &length, &tag, &kind, size) & 0x80) != 0 || kind == -1) rest_ = {};
    if (rest_.empty()) return {};
    auto const head = static_cast<std::size_t>(at - begin);
    auto const whole = rest_.substr(0, head + static_cast<std::size_t>(length));
    rest_.remove_prefix(whole.size());
    return {whole, whole.substr(head)};
  }
  std::string_view rest_;
};

/// Parts of a certificate as they are encoded: RFC 5280 section 4.1.
struct Parts {
  Bytes serial, issuer, subject;
};

Result<Parts> parts_of(std::string_view certificate) {
  Elements to_be_signed(Elements(Elements(certificate).enter()).enter());
  to_be_signed.next();  // version; always there in one that has extensions
  Parts parts;
  parts.serial = to_be_signed.next();
  to_be_signed.next();  // signature
  parts.issuer = to_be_signed.next();
  to_be_signed.next();  // validity
  parts.subject = to_be_signed.next();
  if (parts.subject.empty()) return Error{Code::invalid, 0, "not a certificate"};
  return parts;
}

Bytes sha1(std::string_view bytes) {
  std::array<unsigned char, SHA_DIGEST_LENGTH> digest{};
  ::SHA1(reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size(), digest.data());
  return {digest.begin(), digest.end()};
}

/// The certificate, and what it is trusted for. PKCS#11 2.40 section 4 and NSS's lib/util/pkcs11n.h have the numbers.
std::array<Attributes, 2> objects_of(Parts const& parts, Bytes const& certificate) {
  Bytes const yes(1, '\1'), no(1, '\0');
  auto const digest = sha1(certificate);
  Attributes const both = {{"a1", yes},            // CKA_TOKEN
                           {"a2", no},             // CKA_PRIVATE
                           {"a3", "Sallyport"},    // CKA_LABEL
                           {"a81", parts.issuer},  // CKA_ISSUER
                           {"a82", parts.serial},  // CKA_SERIAL_NUMBER
                           {"a170", yes}};         // CKA_MODIFIABLE
  Attributes identity = both;
  identity.insert(identity.end(), {{"a0", number(1)},        // CKA_CLASS: CKO_CERTIFICATE
                                   {"a80", number(0)},       // CKA_CERTIFICATE_TYPE: X.509
                                   {"a11", certificate},     // CKA_VALUE
                                   {"a101", parts.subject},  // CKA_SUBJECT
                                   {"a102", digest}});       // CKA_ID
  Attributes trust = both;
  constexpr std::uint32_t kTrustClass = 0xce534353, kTrustedDelegator = 0xce534352, kMustVerify = 0xce534353;
  trust.insert(trust.end(), {{"a0", number(kTrustClass)},               // CKO_NSS_TRUST
                             {"ace5363b4", digest},                     // CKA_CERT_SHA1_HASH
                             {"ace536358", number(kTrustedDelegator)},  // CKA_TRUST_SERVER_AUTH
                             {"ace536359", number(kMustVerify)},        // CKA_TRUST_CLIENT_AUTH
                             {"ace53635a", number(kMustVerify)},        // CKA_TRUST_CODE_SIGNING
                             {"ace53635b", number(kMustVerify)},        // CKA_TRUST_EMAIL_PROTECTION
                             {"ace536360", no}});                       // CKA_TRUST_STEP_UP_APPROVED
  return {identity, trust};
}

int insert(sqlite3* database, int id, Attributes const& attributes) {
  std::string names = "id", places = "?";
  for (auto const& [column, value] : attributes) {
    names.append(", ").append(column);
    places += ", ?";
  }
  sqlite3_stmt* prepared = nullptr;
  auto const text = "INSERT INTO nssPublic (" + names + ") VALUES (" + places + ")";
  int const status = ::sqlite3_prepare_v2(database, text.c_str(), -1, &prepared, nullptr);
  Owned<sqlite3_stmt> const statement(prepared);
  if (status != SQLITE_OK) return status;
  ::sqlite3_bind_int(statement.get(), 1, id);
  for (int place = 2; auto const& [column, value] : attributes)
    ::sqlite3_bind_blob(statement.get(), place++, value.data(), static_cast<int>(value.size()), SQLITE_STATIC);
  return ::sqlite3_step(statement.get());
}

Error failed(sqlite3* database) {
  return Error{Code::os, 0, std::string("the browsers' certificate database: ") + ::sqlite3_errmsg(database)};
}

}  // namespace

Result<std::string> browser_database(std::string_view authority) {
  auto const encoded = der_of(authority);
  if (!encoded) return encoded.error();
  auto const parts = parts_of(*encoded);
  if (!parts) return parts.error();
  sqlite3* opened = nullptr;
  int const status = ::sqlite3_open(":memory:", &opened);
  Owned<sqlite3> const database(opened);
  if (status != SQLITE_OK || ::sqlite3_exec(opened, kSchema, nullptr, nullptr, nullptr) != SQLITE_OK) return failed(opened);
  for (int id = 1; auto const& object : objects_of(*parts, *encoded))
    if (insert(opened, id++, object) != SQLITE_DONE) return failed(opened);
  sqlite3_int64 size = 0;
  Owned<unsigned char> const bytes(::sqlite3_serialize(opened, "main", &size, 0));
  if (!bytes) return failed(opened);
  return std::string(bytes.get(), bytes.get() + size);
}

}  // namespace sallyport::jail
