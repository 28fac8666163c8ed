#pragma once
// Credentials that never enter the jail: requests carry a placeholder, and on the way to a host that the credential is bound to, inside
// TLS that ends here, the real value takes its place. Thread: its worker's. No I/O.
// Does not look for placeholders elsewhere: the inspection stage does, which knows them as values (dlp::KnownKind::credential).

#include "policies/host_pattern.hpp"
#include "policies/policy.hpp"
#include "proxy/inspection.hpp"
#include "proxy/request_head.hpp"
#include "proxy/request_target.hpp"
#include "proxy/secret_page.hpp"

#include <string>
#include <vector>

namespace sallyport::proxy {

struct BrokeredCredential {
  std::string name;
  std::string placeholder;
  SecretPage value;  // at the start as many bytes as the placeholder
  std::vector<policies::HostPattern> hosts;
  std::vector<policies::CredentialSpot> spots;
  std::vector<SecretPage> earlier = {};  // values that it had: requests that are under way may still refer to them
};

/// For one worker more.
Result<std::vector<BrokeredCredential>> copy_of(std::vector<BrokeredCredential> const& credentials);

/// A request as it is sent, and as it is looked at: with the names of credentials where their placeholders stood.
struct BrokeredRequest {
  RequestHead head;
  HttpTarget target;
  RequestHead shown_head;
  HttpTarget shown_target;
  std::vector<std::string> used;      // names
  std::vector<std::string> in_body;   // names of those whose placeholders may stand in the body
  std::vector<std::string> signed_with = {};  // names of those that made its signature
  bool signs_chunks = false;          // a placeholder made a signature of each chunk of the body, too: nothing can be done about these
};

class Broker {
 public:
  explicit Broker(std::vector<BrokeredCredential> credentials) : credentials_(std::move(credentials)) {}

  bool empty() const { return credentials_.empty(); }
  /// Puts values in place of placeholders, where `target` is a host they are for and they stand in a spot they may stand in; and signs
  /// with a value what a placeholder has signed. `body`: all of it, if needs_body().
  BrokeredRequest swap(RequestHead head, HttpTarget target, std::string_view body = {}) const;
  /// Whether the signature of this request, that a placeholder may have made, depends on its body.
  bool needs_body(RequestHead const& head, HttpTarget const& target) const;
  /// The value that takes the place of the placeholder of this name.
  std::string_view value_of(std::string_view name) const;
  /// The credential's value is another one from now on. Nothing happens when there is no credential of this name.
  void replace(std::string_view name, SecretPage value);
  std::string_view placeholder_of(std::string_view name) const { return find(name).placeholder; }

 private:
  /// Whether some credential signs requests to `target`.
  bool may_sign(HttpTarget const& target) const;
  /// REQUIRES: there is one.
  BrokeredCredential const& find(std::string_view name) const;

  std::vector<BrokeredCredential> credentials_;
};

}  // namespace sallyport::proxy
