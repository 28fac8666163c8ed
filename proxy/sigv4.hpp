#pragma once
// AWS Signature Version 4 of a request: what a client signed with one key is signed again with another. Pure; any thread. Does not sign
// chunks of a body one by one (STREAMING-AWS4-HMAC-SHA256-PAYLOAD), and knows no Version 4A.
// Source: AWS, "Create a signed AWS API request" (canonical request, string to sign, signing key).

#include "proxy/request_head.hpp"
#include "proxy/request_target.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::proxy {

/// The signature that a request carries, in its Authorization field or, of a presigned URL, in its query.
class AwsSignature {
 public:
  /// Nothing when it carries none of this version, or one that is not well formed.
  static std::optional<AwsSignature> read(RequestHead const& head, HttpTarget const& target);

  /// Whether the hash of the body is signed and stands nowhere in the head: it has to be taken from the body.
  bool needs_body_hash() const { return payload_hash_.empty(); }
  /// Of this body, in its place.
  void set_body(std::string_view body);
  /// Whether each chunk of the body carries a signature of its own.
  bool signs_chunks() const;

  /// Whether `secret` made it. REQUIRES: !needs_body_hash().
  bool is_made_with(std::string_view secret, RequestHead const& head, HttpTarget const& target) const;
  /// Puts the signature that `secret` makes of the request in the place of the one that it carries. The same REQUIRES.
  void renew(std::string_view secret, RequestHead& head, HttpTarget& target) const;

 private:
  enum class Place { header, query };

  std::string make(std::string_view secret, RequestHead const& head, HttpTarget const& target) const;
  std::string canonical_request(RequestHead const& head, HttpTarget const& target) const;
  std::string canonical_query(std::string const& query) const;

  Place place_ = Place::header;
  std::string scope_[4];                     // date, region, service, "aws4_request"
  std::vector<std::string> signed_headers_;  // in lower case, in their order
  std::string time_;                         // YYYYMMDD'T'HHMMSS'Z'
  std::string signature_;                    // as received, in hexadecimal
  std::string payload_hash_;                 // as it is signed; empty: not known yet
};

}  // namespace sallyport::proxy
