#pragma once
// Labelled messages for measuring the scanner: secrets in every place and coding, and traffic that holds none.
// Deterministic.

#include "dlp/verdict.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace sallyport::dlp::test {

struct Sample {
  std::string_view kind;    // coding of a secret, or kind of benign traffic
  std::string_view secret;  // id of the detector, empty for benign traffic
  Place place = Place::body;
  std::string message;
};

using SampleSink = std::function<void(Sample const&)>;

/// Every detector, `rounds` times, in every coding, each time in one of the places in turn.
void make_secret_samples(int rounds, SampleSink const& sink);

/// `count` messages of every kind of benign traffic.
void make_benign_samples(int count, SampleSink const& sink);

/// Names of the benign kinds.
std::vector<std::string_view> benign_kinds();
/// `size` bytes of one kind.
std::string benign_text(std::string_view kind, std::size_t size, std::uint64_t seed);

}  // namespace sallyport::dlp::test
