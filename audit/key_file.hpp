#pragma once
// The signing key of a user, kept in DIR/audit.key and made on first use. Blocking file access; any thread.
// The file holds the public key in the text form of signature.hpp on its first line and the private key in PEM below it,
// so that a session can name its key without the millisecond that loading the private one takes.
// Trusts the directory's owner. Does not: protect the key from its own user, who can sign anything.

#include "audit/signature.hpp"
#include "base/result.hpp"

#include <optional>
#include <string>

namespace sallyport::audit {

struct KeyFile {
  std::string public_text;
  std::string pem;

  /// The private key. Error::invalid if it is not the one that public_text names.
  Result<SigningKey> signing_key() const;
};

/// Reads DIR/audit.key; makes the directory (0700) and the file (0600) if there is none. Sessions that start at the same
/// moment agree on one key. An existing file that others can read, that is not ours, or that is a link is an error.
Result<KeyFile> load_or_create_key(std::string const& dir);

/// Public key of DIR/audit.key; nothing if there is no such file.
Result<std::optional<std::string>> public_key_in(std::string const& dir);

}  // namespace sallyport::audit
