#pragma once
// Refusals that no rule makes: of requests that are allowed, and whose body, server or signature stands in the way. Pure; any thread.

#include "policies/canonical_host.hpp"
#include "proxy/http_exchange.hpp"
#include "proxy/refusal.hpp"

namespace sallyport::proxy {

/// Of a request whose body was wanted first: Code::limit when it did not come in time, Code::unsupported when it is too long to be signed.
Refusal no_body(Error const& error);

/// Where an answer would have come from.
enum class AnswerFrom { server, upstream_proxy };
/// Of an exchange without a response head.
Refusal no_answer(ExchangeEnd const& end, AnswerFrom from);

Refusal no_grpc(policies::CanonicalHost const& host);

/// A placeholder signed each chunk of the body.
Refusal signed_chunks();

}  // namespace sallyport::proxy
