#pragma once
// Searches one text that is in memory, and everything coded in it, to a bounded depth. One thread at a time.
// The parts of a stream are put together by Scanner; this sees one window of it.

#include "dlp/decode_budget.hpp"
#include "dlp/decompressor.hpp"
#include "dlp/finding_log.hpp"
#include "dlp/known_values.hpp"
#include "dlp/layer.hpp"
#include "dlp/matcher.hpp"
#include "dlp/rule_set.hpp"

#include <functional>
#include <string_view>

namespace sallyport::dlp {

/// A compressed stream that goes on behind the text, or is too large to be unpacked in one piece.
struct OpenStream {
  Coding coding = Coding::gzip;
  std::size_t position = 0;  // in the text: of the stream, or of the base-64 digits that hold it
  bool in_base64 = false;
  std::size_t skip_digits = 0;  // before base 64 is decoded from there
  std::size_t skip_bytes = 0;   // of what is decoded, before the stream begins
};

class TextScan {
 public:
  /// All outlive the TextScan. `known` may be empty.
  TextScan(RuleSet const& rules, KnownValues const& known, DecodeBudget& budget, FindingLog& log)
      : rules_(rules), known_(known), budget_(budget), log_(log) {}

  /// Tokens are looked for whose literal begins within `starts`; codings in all of `text`.
  void scan(std::string_view text, Span starts, Origin const& origin);

  /// Streams in the text last scanned at depth 0 that need a Scanner of their own.
  std::vector<OpenStream> const& open_streams() const { return open_streams_; }

 private:
  /// `source` is what decodes to `text`, empty if nothing does: what stands in it as often is no finding of the coding.
  void scan_inside(std::string_view text, Span starts, Origin const& origin, std::string_view source);
  void scan_layers(std::string_view text, std::vector<Span> const& runs, Origin const& origin);
  std::vector<Match> matches_in(std::string_view text, Span starts) const;
  void find_tokens(std::string_view text, Span starts, Origin const& origin, std::string_view source);
  void find_words(std::string_view text, Span starts, std::vector<Span> const& runs, Origin const& origin,
                  std::string_view source);
  void try_word(std::string_view text, Span run, std::vector<Match>& matches) const;
  void find_phrases(std::string_view text, Span starts, Origin const& origin, std::string_view source);
  void add_uncoded(std::vector<Match> const& matches, std::string_view text, Origin const& origin, std::string_view source);
  void find_joined(std::string_view text, Origin const& origin);
  void find_known(std::string_view text, Origin const& origin, std::string_view source);
  void find_disguised(std::string_view text, std::vector<Span> const& runs, Origin const& origin);
  void find_compressed(std::string_view text, Origin const& origin);
  void find_unmarked(std::string_view bytes, Coding coding, Origin const& origin);
  bool note_open_stream(PackedStart const& start, Origin const& origin);
  void scan_large_stream(std::string_view text, Coding coding, Origin inner);
  void scan_layer(Layer&& layer, Origin const& origin, std::string_view text);

  RuleSet const& rules_;
  KnownValues const& known_;
  DecodeBudget& budget_;
  FindingLog& log_;
  std::vector<OpenStream> open_streams_;
  Span base64_source_;  // of the layer being scanned at depth 1, if it is one
  std::size_t base64_skip_ = 0;
};

}  // namespace sallyport::dlp
