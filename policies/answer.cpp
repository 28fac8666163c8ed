#include "policies/answer.hpp"

namespace sallyport::policies {

namespace {

Verdict verdict_of(Decision<AllowedTarget> const& decision) { return decision ? decision->verdict() : decision.error(); }

Request without_details(Request const& request, Scheme scheme) {
  Request closed{request.host, request.port, scheme, "", std::nullopt};
  closed.process = request.process;
  closed.script = request.script;
  return closed;
}

}  // namespace

Verdict answer(Engine const& engine, Request const& request) {
  if (request.scheme != Scheme::https) return verdict_of(engine.decide(request));
  auto const tunnel = engine.decide(without_details(request, Scheme::tunnel));
  if (!tunnel) return tunnel.error();
  switch (engine.inspection(request.host, request.port)) {
    case Inspect::full:
      return verdict_of(engine.decide(request));
    case Inspect::sni:
      return verdict_of(engine.decide(without_details(request, Scheme::tls)));
    case Inspect::raw:
      return verdict_of(engine.decide(without_details(request, Scheme::raw)));
  }
  return Verdict{};
}

}  // namespace sallyport::policies
