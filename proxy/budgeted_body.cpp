#include "proxy/budgeted_body.hpp"

namespace sallyport::proxy {

awaitable<Result<BodyPiece>> BudgetedBody::read() {
  auto piece = co_await from_.read();
  if (!piece) co_return piece;
  if (auto refused = budget_.upload(rule_, passed_, piece->content.size())) {
    refusal_ = refused_by(*std::move(refused));
    co_return Error{Code::denied, 0, "the body is larger than a limit of rule " + rule_.name};
  }
  passed_ += piece->content.size();
  co_return piece;
}

}  // namespace sallyport::proxy
