#pragma once
// A decoded stretch of a text, and the functions that find such stretches. Each is linear in the text. Pure; any thread.

#include "dlp/finding.hpp"
#include "dlp/run_finder.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp {

/// How a layer is searched.
enum class Depth {
  all,      // for tokens and for codings within
  tokens,   // for tokens only
  brotli,   // for nothing but a stream of brotli that it may be
  deflate,  // the same for raw deflate
};

struct Layer {
  Coding coding = Coding::base64;
  Span source;                  // in the text that was searched
  std::string bytes;            // what it decodes to
  std::size_t skip_digits = 0;  // numerals: how many were left out to try another alignment
  Depth depth = Depth::all;
};

using LayerSink = std::function<void(Layer&&)>;

/// Percent escapes, JSON \u, \u{} and \x, octal, HTML entities, quoted-printable, each with some of the text around it,
/// decoded again until nothing changes. Sources: RFC 3986, RFC 8259, HTML 13.1.4, RFC 2045.
void peel_escapes(std::string_view text, LayerSink const& sink);

/// Runs of digits of base 64, either alphabet, that are long enough to hold a secret.
std::vector<Span> digit_runs(std::string_view text);

/// Base 64 at each of its four alignments (folded lines are joined), base 32, hexadecimal with and without separators,
/// base 85, ascii85. Sources: RFC 4648, RFC 2045, RFC 1924. REQUIRES `runs` to be digit_runs(text).
void peel_numerals(std::string_view text, std::vector<Span> const& runs, LayerSink const& sink);

/// Base 58 of Bitcoin, and numbers of characters one after another ("103, 104"). The same REQUIRES.
void peel_numbers(std::string_view text, std::vector<Span> const& runs, LayerSink const& sink);

/// Text in UTF-16, either byte order; and UTF-8 text with characters that look like ASCII or cannot be seen, as ASCII.
void peel_characters(std::string_view text, LayerSink const& sink);

}  // namespace sallyport::dlp
