#include "proxy/request_refusals.hpp"

#include <string>

namespace sallyport::proxy {

namespace reason = policies::reason;

Refusal no_body(Error const& error) {
  if (error.code == Code::limit) return refusal(408, reason::kTimeout, "request body: " + error.what);
  if (error.code == Code::unsupported) return refusal(413, reason::kTooLarge, "request body: " + error.what + ", and its signature is over all of it");
  return refusal(400, reason::kBadRequest, "request body: " + error.what);
}

Refusal no_answer(ExchangeEnd const& end, AnswerFrom from) {
  if (end.fault == Fault::policy) return refusal(403, reason::kPolicyChanged, end.error);
  if (end.fault == Fault::idle) return refusal(504, reason::kTimeout, end.error);
  if (end.fault == Fault::client) return refusal(400, reason::kBadRequest, end.error);
  return refusal(502, from == AnswerFrom::upstream_proxy ? reason::kUpstreamProxy : reason::kConnectFailed, end.error);
}

Refusal no_grpc(policies::CanonicalHost const& host) {
  return refusal(502, reason::kUpstreamHttp1, "gRPC needs HTTP/2, and " + host.str() + " was reached in HTTP/1.1");
}

Refusal signed_chunks() {
  return refusal(400, reason::kBadRequest,
                 "the client signed each chunk of the body with a placeholder, and only the whole request can be signed anew. Let it send an unsigned payload: "
                 "AWS SDKs do so over TLS with payload_signing_enabled off, or s3.payload_signing_enabled = false in ~/.aws/config.");
}

}  // namespace sallyport::proxy
