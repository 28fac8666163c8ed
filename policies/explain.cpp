#include "policies/explain.hpp"

#include <boost/json.hpp>

namespace sallyport::policies {

std::string explain_line(Verdict const& verdict) {
  auto line = std::string(to_string(verdict.action)) + " by " + (verdict.rule == "default" ? "" : "rule ") + verdict.rule;
  if (!verdict.file.empty()) line += " (" + verdict.file + ":" + std::to_string(verdict.line) + ")";
  if (verdict.action == Action::allow) return line;
  line += ": " + verdict.reason;
  return verdict.hint.empty() ? line : line + ". " + verdict.hint;
}

std::string explain_json(Verdict const& verdict) {
  boost::json::object object = {{"verdict", to_string(verdict.action)},
                                {"rule", verdict.rule},
                                {"reason", verdict.reason},
                                {"file", verdict.file},
                                {"line", verdict.line}};
  return boost::json::serialize(object);
}

}  // namespace sallyport::policies
