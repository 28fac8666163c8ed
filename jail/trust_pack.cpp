#include "jail/trust_pack.hpp"

#include "base/limits.hpp"
#include "base/unique_fd.hpp"
#include "jail/browser_database.hpp"
#include "jail/browser_trust.hpp"
#include "jail/java_store.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <set>
#include <string_view>
#include <utility>

namespace sallyport::jail {
namespace fs = std::filesystem;
namespace {

constexpr char kBundle[] = "/.sallyport/ca-certificates.crt";  // the host's roots and the authority
constexpr char kExtra[] = "/.sallyport/session-ca.crt";        // the authority, for those who add it to roots of their own
constexpr char kJavaStore[] = "/.sallyport/cacerts";

/// Where distributions keep all roots in one file. The first that is there is the host's; Debian, Alpine and Arch; Fedora; openSUSE;
/// the defaults of OpenSSL and of libraries built elsewhere.
constexpr std::array<char const*, 9> kBundlePlaces = {
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ca-certificates/extracted/tls-ca-bundle.pem",
    "/etc/ssl/certs/ca-bundle.crt", "/etc/pki/tls/cert.pem", "/etc/ssl/cert.pem", "/usr/lib/ssl/cert.pem"};

/// They name a file with every root that is trusted.
constexpr std::array<char const*, 15> kBundleVariables = {
    "SSL_CERT_FILE", "CURL_CA_BUNDLE", "REQUESTS_CA_BUNDLE", "PIP_CERT", "GIT_SSL_CAINFO", "CARGO_HTTP_CAINFO", "AWS_CA_BUNDLE",
    "GRPC_DEFAULT_SSL_ROOTS_FILE_PATH", "NIX_SSL_CERT_FILE", "HTTPLIB2_CA_CERTS", "BUNDLE_SSL_CA_CERT", "HEX_CACERTS_PATH",
    "JULIA_SSL_CA_ROOTS_PATH", "PERL_LWP_SSL_CA_FILE", "CLOUDSDK_CORE_CUSTOM_CA_CERTS_FILE"};
/// They name roots that are trusted besides the program's own.
constexpr std::array<char const*, 2> kExtraVariables = {"NODE_EXTRA_CA_CERTS", "DENO_CERT"};

constexpr char kJvmDirectory[] = "/usr/lib/jvm";
constexpr char kSharedJavaStore[] = "/etc/ssl/certs/java/cacerts";

/// The bytes of a file without a copy of them: reading costs a page fault each 4 KiB, twice.
class MappedFile {
 public:
  static Result<MappedFile> open(std::string const& path) {
    auto fd = UniqueFd::adopt(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), path);
    if (!fd) return fd.error();
    struct stat status {};
    if (::fstat(fd->get(), &status) < 0 || !S_ISREG(status.st_mode)) return Error{Code::invalid, 0, path + " is not a file"};
    auto const size = static_cast<std::uint64_t>(status.st_size);
    if (size > limits::kMaxTrustFileBytes) return Error{Code::limit, 0, path + " is too large"};
    if (size == 0) return MappedFile({});
    void* const data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd->get(), 0);
    if (data == MAP_FAILED) return Error::os(errno, path);
    return MappedFile({static_cast<char const*>(data), size});
  }
  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile) = delete;
  ~MappedFile() {
    // SAFETY: mapped in open(), and nobody else has it; munmap(2) takes void*.
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
  std::string_view bytes() const { return bytes_; }

 private:
  explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}
  std::string_view bytes_;
};

/// The canonical names of those that are files, each file once. Few of them exist, and most of those are links to one another: the
/// many system calls of a canonical name are spent on a file's first name only.
std::vector<std::string> existing(std::vector<std::string> const& paths) {
  std::vector<std::string> out;
  std::set<std::pair<dev_t, ino_t>> seen;
  for (auto const& path : paths) {
    struct stat status {};
    if (::stat(path.c_str(), &status) < 0 || !S_ISREG(status.st_mode)) continue;
    std::error_code ec;
    if (seen.emplace(status.st_dev, status.st_ino).second) out.push_back(fs::canonical(path, ec).string());
    if (ec) out.pop_back();
  }
  return out;
}

void append_pem(std::string& to, std::string_view pem) { to.append(pem).append(pem.ends_with('\n') ? "" : "\n"); }

/// What the caller's variables name, as far as it is not in `known` already. A file that cannot be read was of no use before either.
template <std::size_t N>
void append_named(std::string& to, std::array<char const*, N> const& variables, Variables const& environment,
                  std::vector<std::string> known) {
  std::vector<std::string> named;
  for (auto const* variable : variables) {
    auto const found = environment.find(variable);
    if (found != environment.end() && found->second.starts_with('/')) named.push_back(found->second);
  }
  for (auto const& path : existing(named)) {
    if (std::ranges::find(known, path) != known.end()) continue;
    if (auto const pem = MappedFile::open(path)) append_pem(to, pem->bytes());
  }
}

Result<void> add_bundle(TrustPack& pack, std::string const& authority, Variables const& environment) {
  TrustFile file{"ca-certificates.crt", {}, {}, {}, existing({kBundlePlaces.begin(), kBundlePlaces.end()})};
  if (!file.places.empty()) {
    struct stat status {};
    auto const& roots = file.places.front();
    if (::stat(roots.c_str(), &status) < 0) return Error::os(errno, "the host's trusted roots in " + roots);
    file.host = {roots, 0, static_cast<std::uint64_t>(status.st_size)};
    file.tail = "\n";
  }
  append_named(file.tail, kBundleVariables, environment, file.places);
  append_pem(file.tail, authority);
  pack.files.push_back(std::move(file));
  for (auto const* variable : kBundleVariables) pack.variables[variable] = kBundle;
  pack.variables["UV_NATIVE_TLS"] = "true";  // uv brings roots of its own otherwise
  return {};
}

void add_extra(TrustPack& pack, std::string const& authority, Variables const& environment) {
  TrustFile file{"session-ca.crt", {}, {}, {}, {}};
  append_named(file.head, kExtraVariables, environment, {});
  append_pem(file.head, authority);
  pack.files.push_back(std::move(file));
  for (auto const* variable : kExtraVariables) pack.variables[variable] = kExtra;
}

std::vector<std::string> java_stores(Variables const& environment) {
  std::vector<std::string> paths{kSharedJavaStore};
  if (auto const home = environment.find("JAVA_HOME"); home != environment.end()) paths.push_back(home->second + "/lib/security/cacerts");
  std::error_code ec;
  for (auto const& jvm : fs::directory_iterator(kJvmDirectory, ec)) {
    for (auto const* store : {"/lib/security/cacerts", "/jre/lib/security/cacerts"}) paths.push_back(jvm.path().string() + store);
  }
  return existing(paths);
}

void offer_java(TrustPack& pack, TrustFile store) {
  pack.files.push_back(std::move(store));
  pack.java_options = std::string("-Djavax.net.ssl.trustStore=") + kJavaStore + " -Djavax.net.ssl.trustStoreType=jks";
}

/// One store for all JVMs: that of the host which can be added to, with the authority; or a new one, of what the bundle holds.
Result<void> add_java(TrustPack& pack, std::string const& authority, Variables const& environment) {
  auto const places = java_stores(environment);
  for (auto const& place : places) {
    auto const store = MappedFile::open(place);
    if (!store || !is_java_store(store->bytes())) continue;
    auto grown = with_certificate(store->bytes(), authority, "sallyport");
    if (!grown) return grown.error();
    offer_java(pack, {"cacerts", std::move(grown->head), {place, grown->offset, grown->length}, std::move(grown->tail), places});
    return {};
  }
  if (places.empty()) return {};
  auto const& bundle = pack.files.front();  // of add_bundle()
  auto const roots = MappedFile::open(bundle.host.path);
  offer_java(pack, {"cacerts", java_store_of((roots ? std::string(roots->bytes()) : "") + bundle.tail), {}, {}, places});
  return {};
}

/// For children that were started without our variables and that bring roots of their own.
void add_home(TrustPack& pack) {
  pack.home.push_back({".npmrc", std::string("cafile=") + kBundle + "\n"});
  pack.home.push_back({".config/pip/pip.conf", std::string("[global]\ncert = ") + kBundle + "\n"});
}

}  // namespace

Result<TrustPack> make_trust_pack(std::string const& authority, Variables const& environment) {
  TrustPack pack;
  if (auto added = add_bundle(pack, authority, environment); !added) return added.error();
  add_extra(pack, authority, environment);
  if (auto added = add_java(pack, authority, environment); !added) return added.error();
  add_home(pack);
  auto database = browser_database(authority);
  if (!database) return database.error();
  pack.home.push_back({".pki/nssdb/cert9.db", *std::move(database)});
  pack.directories = browser_trust("/etc", authority);
  return pack;
}

}  // namespace sallyport::jail
