#include "audit/key_file.hpp"

#include "audit/private_file.hpp"

#include <utility>

namespace sallyport::audit {

namespace {

constexpr std::size_t kMaxKeyFileBytes = 4096;
constexpr char kName[] = "audit.key";

std::string path_in(std::string const& dir) { return dir + "/" + kName; }

Result<KeyFile> parse(std::string const& content, std::string const& path) {
  auto const line_end = content.find('\n');
  if (!content.starts_with("ed25519:") || line_end == std::string::npos) {
    return Error{Code::invalid, 0, path + " is not an audit key: move it away and a new one is made"};
  }
  return KeyFile{content.substr(0, line_end), content.substr(line_end + 1)};
}

/// A key file is ours alone, or its signatures say nothing about us.
Result<std::optional<KeyFile>> load(std::string const& path) {
  auto content = read_private_file(path, kMaxKeyFileBytes);
  if (!content) return content.error();
  if (!*content) return std::optional<KeyFile>();
  auto parsed = parse(**content, path);
  if (!parsed) return parsed.error();
  return std::optional(std::move(*parsed));
}

Result<void> create(std::string const& dir) {
  auto key = SigningKey::generate();
  if (!key) return key.error();
  return create_private_file(dir, kName, key->public_text() + "\n" + key->to_pem());
}

}  // namespace

Result<SigningKey> KeyFile::signing_key() const {
  auto key = SigningKey::from_pem(pem);
  if (!key) return key.error();
  if (key->public_text() != public_text) return Error{Code::invalid, 0, "audit.key: the private key is not that of its first line"};
  return std::move(*key);
}

Result<KeyFile> load_or_create_key(std::string const& dir) {
  auto const path = path_in(dir);
  auto found = load(path);
  if (!found) return found.error();
  if (!*found) {
    if (auto created = create(dir); !created) return created.error();
    found = load(path);
    if (!found) return found.error();
  }
  if (!*found) return Error{Code::closed, 0, path + " was removed while a session started"};
  return std::move(**found);
}

Result<std::optional<std::string>> public_key_in(std::string const& dir) {
  auto found = load(path_in(dir));
  if (!found) return found.error();
  if (!*found) return std::optional<std::string>();
  return std::optional((*found)->public_text);
}

}  // namespace sallyport::audit
