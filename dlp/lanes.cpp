#include "dlp/lanes.hpp"

namespace sallyport::dlp {
namespace {

Lanes widest() {
  __builtin_cpu_init();
  bool const avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
  // BMI2 and LZCNT came to processors with AVX2; clang 14 has no name for the second.
  bool const avx512 = __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi");
  return avx2 && avx512 ? Lanes::avx512 : avx2 ? Lanes::avx2 : Lanes::scalar;
}

}  // namespace

Lanes best_lanes() {
  static Lanes const widest_here = widest();
  return widest_here;
}

std::vector<Lanes> possible_lanes() {
  std::vector<Lanes> possible;
  for (auto lanes : {Lanes::scalar, Lanes::avx2, Lanes::avx512}) {
    if (lanes <= best_lanes()) possible.push_back(lanes);
  }
  return possible;
}

}  // namespace sallyport::dlp
