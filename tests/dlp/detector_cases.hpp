#pragma once
// Runs a table of detectors through the whole scanner, each with its own example and near miss.

#include "dlp/detector.hpp"
#include "dlp/scanner.hpp"

#include <span>
#include <string_view>

namespace sallyport::dlp::test {

/// A setup with all shipped detectors; made once a process.
Scanner::Setup const& builtin_setup();

/// The finding of one detector in a text, if there is one.
std::optional<Finding> finding_of(std::string_view detector, std::string_view text,
                                  Scanner::Setup const& setup = builtin_setup());

/// Expands a template with seed 7; fails the test if it is malformed.
std::string example(std::string_view text, std::uint64_t seed = 7);

/// Each example is found, with nothing and with much around it; each near miss is not, or only as a look-alike.
void expect_examples_hold(std::span<Detector const> table);

}  // namespace sallyport::dlp::test
