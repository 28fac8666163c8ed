#pragma once
// Decides whether a detector's secret stands where one of its literals was found. Pure; any thread.
// Cheap tests come first: the bytes behind the literal, what stands beside the token, then the pattern, then its checksum.

#include "dlp/checks.hpp"
#include "dlp/rule_set.hpp"

#include <optional>
#include <string_view>

namespace sallyport::dlp {

enum class Certainty {
  verified,    // checksum or structure is right
  shaped,      // the vendor's shape, which has no checksum
  look_alike,  // the vendor's shape with a wrong checksum
  guess,       // something random or password-like beside a telling name
};

struct Match {
  std::uint16_t detector = 0;  // index in the RuleSet
  Certainty certainty = Certainty::guess;
  std::size_t begin = 0;  // of the secret, in the text that was searched
  std::size_t end = 0;
  Span whole{};        // with the words around it that the pattern needs
  std::string joined;  // the secret, if it stands in pieces between begin and end; empty otherwise
};

/// Tries one detector at a literal found in `text`. `hit.literal` is one of rules.plain().
std::optional<Match> match_at(RuleSet const& rules, std::uint16_t detector, std::string_view text, LiteralHit hit);

/// The same for a detector with a `word`, at a word of base-64 digits. Does not put split tokens together.
std::optional<Match> match_word(RuleSet const& rules, std::uint16_t detector, std::string_view text, Span word);

/// Whether a token of such a detector may begin at `begin`, as far as the byte before it tells.
bool left_edge_accepts(Edge edge, std::string_view text, std::size_t begin);

/// How many bytes from a literal on must be seen before match_at's answer is final.
std::size_t reach_of(Detector const& detector);

}  // namespace sallyport::dlp
