#pragma once
// Makes any bytes safe to write: as part of a JSON string, or on a terminal. Pure; any thread. Assumes hostile input.
//
// The output is always valid UTF-8 (RFC 3629). Bytes that are not become the visible text \xNN. Control characters
// (C0, DEL, C1), bidirectional overrides, line separators and other characters that show nothing become \uNNNN (RFC 8259
// section 7), so that neither a line-based tool nor a terminal nor a reader can be led astray.
// Does not: undo itself. The text "\xff" and the byte 0xff read the same afterwards.

#include <cstddef>
#include <string>
#include <string_view>

namespace sallyport::audit {

enum class EscapeFor {
  json,      // quotation mark and backslash are escaped too; the caller writes the quotation marks around it
  terminal,  // quotation mark and backslash stand for themselves
};

/// Whether all of a text was written.
enum class Fit { whole, cut };

/// Appends `text`, at most `max_bytes` of output; never cuts inside a character or an escape.
Fit append_escaped(std::string& out, std::string_view text, EscapeFor target, std::size_t max_bytes);

/// All of `text`, for people.
std::string printable(std::string_view text);

}  // namespace sallyport::audit
