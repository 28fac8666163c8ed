#pragma once
// `sallyport dlp scan --jsonl`: one message a line in, one verdict a line out, in the same order. One thread.
//   in   {"id": any, "text": string | "base64": string, "channel": "url"|"header"|"body"|"dns", "host": string,
//         "content_encoding": string}                           channel, host and content_encoding may be missing
//   out  {"id": any, "verdict": "block"|"redact"|"alert"|"allow", "detector": string|null, "offset": n, "length": n}
//   or   {"id": any, "error": string}

#include "cli/command.hpp"
#include "dlp/scanner.hpp"

#include <istream>
#include <string>
#include <string_view>

namespace sallyport::cli {

/// 0 if every verdict is allow, 1 if not, 2 if a line is no message.
int scan_jsonl(Console const& console, dlp::Scanner::Setup const& setup, std::istream& input);

}  // namespace sallyport::cli
