#pragma once
// A request body that counts against the limits of its rule as it goes upstream. Thread: its worker's.

#include "proxy/message_body.hpp"
#include "proxy/refusal.hpp"
#include "proxy/rule_budget.hpp"

#include <optional>

namespace sallyport::proxy {

class BudgetedBody final : public BodySource {
 public:
  /// Lifetime: all outlive it.
  BudgetedBody(BodySource& from, RuleBudget& budget, policies::Rule const& rule) : from_(from), budget_(budget), rule_(rule) {}

  /// Code::denied when refusal() is set.
  awaitable<Result<BodyPiece>> read() override;
  std::vector<Field> const& trailers() const override { return from_.trailers(); }
  std::optional<Refusal> const& refusal() const { return refusal_; }

 private:
  BodySource& from_;
  RuleBudget& budget_;
  policies::Rule const& rule_;
  std::uint64_t passed_ = 0;
  std::optional<Refusal> refusal_;
};

}  // namespace sallyport::proxy
