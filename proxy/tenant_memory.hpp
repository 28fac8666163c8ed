#pragma once
// What a tenant's requests leave behind for those after them, whichever worker serves them. Any thread.

#include "proxy/name_budget.hpp"
#include "proxy/rule_budget.hpp"
#include "proxy/trails.hpp"

namespace sallyport::proxy {

struct TenantMemory {
  RuleBudget budget;
  NameBudget names;
  Trails trails;
};

}  // namespace sallyport::proxy
