#include "policies/verdict.hpp"

namespace sallyport::policies {

std::string_view to_string(Action action) {
  switch (action) {
    case Action::deny:
      return "deny";
    case Action::allow:
      return "allow";
    case Action::ask:
      return "ask";
  }
  return "deny";
}

}  // namespace sallyport::policies
