#pragma once
// Query and header conditions of a rule against a request. Pure; any thread. Hardened against hostile requests: a parameter
// or field that is given more than once cannot hide behind another one.

#include "policies/policy.hpp"
#include "policies/request.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace sallyport::policies {

/// How many of several values with one name have to fit.
enum class Quantifier {
  every,  // at least one is there, and all fit: for rules that allow
  any,    // one fits: for rules that deny or ask
};

/// `query` is CanonicalPath::query(). Names and values are compared with their escapes undone, '+' as a space. For
/// Quantifier::any a ';' separates parameters as well, because some servers read it so.
bool query_holds(std::vector<Condition> const& conditions, std::string_view query, Quantifier quantifier);

/// Names are compared without case, values with case.
bool headers_hold(std::vector<Condition> const& conditions, std::vector<HeaderField> const& fields, Quantifier quantifier);

/// A parameter's name or value with its escapes undone.
std::string decoded_parameter(std::string_view text);

}  // namespace sallyport::policies
