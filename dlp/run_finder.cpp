#include "dlp/run_finder.hpp"

#include "base/check.hpp"

#include <algorithm>

namespace sallyport::dlp {

RunFinder::RunFinder(ByteSet set, std::size_t min) : set_(set), min_(min) { check(min >= kMinRun, "runs are long"); }

/// Whole words of 64 bytes; where the first that is none begins.
__attribute__((target("avx2"))) std::size_t RunFinder::take_all_avx2(std::string_view text, MaskRuns& runs) const {
  std::size_t at = 0;
  for (; at + 64 <= text.size(); at += 64) runs.take(set_.of_avx2(text.data() + at), at);
  return at;
}

SALLYPORT_AVX512 std::size_t RunFinder::take_all_avx512(std::string_view text, MaskRuns& runs) const {
  std::size_t at = 0;
  for (; at + 64 <= text.size(); at += 64) runs.take(set_.of_avx512(text.data() + at, 64), at);
  return at;
}

void RunFinder::find(std::string_view text, std::vector<Span>& found, Lanes lanes) const {
  MaskRuns runs(min_, found);
  std::size_t at = 0;
  if (lanes == Lanes::avx2) at = take_all_avx2(text, runs);
  if (lanes == Lanes::avx512) at = take_all_avx512(text, runs);
  for (; at < text.size(); at += 64) runs.take(set_.of(text.data() + at, std::min<std::size_t>(64, text.size() - at), lanes), at);
  runs.finish(text.size());
}

}  // namespace sallyport::dlp
