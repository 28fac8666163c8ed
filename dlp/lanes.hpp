#pragma once
// Which vector instructions the scanner's searches may use. Any thread.

#include <vector>

/// Compiles a function for Lanes::avx512.
#define SALLYPORT_AVX512 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vbmi")))

namespace sallyport::dlp {

/// All of them find the same. avx2 asks for AVX2, BMI and POPCNT; avx512 for F, BW and VBMI, BMI2 and LZCNT beside these (Ice Lake, Zen 4).
enum class Lanes { scalar, avx2, avx512 };

/// The best this processor can do.
Lanes best_lanes();

/// Every one that this processor can do, for tests.
std::vector<Lanes> possible_lanes();

}  // namespace sallyport::dlp
