#pragma once
// Appends JSON to a string, within a budget of text. One thread. Assumes hostile texts and trusted keys.
// Must hold: the string outlives the writer. Does not: check that braces match.

#include "audit/json_text.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sallyport::audit {

/// How many bytes texts may take, as written. What goes beyond is cut.
struct TextLimits {
  std::size_t one;  // a single text
  std::size_t all;  // all texts and list elements together
};

class JsonWriter {
 public:
  JsonWriter(std::string& out, TextLimits limits) : out_(out), limits_(limits) {}

  void open(char brace) { out_ += brace; }
  void close(char brace) { out_ += brace; }
  /// Begins a member of an object.
  void key(std::string_view name);

  void text(std::string_view value);
  void number(std::uint64_t value);
  void number(std::int64_t value);
  void boolean(bool value) { out_ += value ? "true" : "false"; }
  /// A JSON array. `write_element` is called for each element until the budget is used up.
  template <class List, std::invocable<typename List::value_type const&> Write>
  void list(List const& values, Write write_element) {
    open('[');
    for (auto const& value : values) {
      if (!spend(kElementBytes)) break;
      separate('[');
      write_element(value);
    }
    close(']');
  }

  /// Whether something was left out for want of room.
  Fit fit() const { return fit_; }

 private:
  static constexpr std::size_t kElementBytes = 24;  // quotation marks and comma, or the longest number

  void separate(char brace) {
    if (out_.back() != brace) out_ += ',';
  }
  bool spend(std::size_t bytes);

  std::string& out_;
  TextLimits limits_;
  Fit fit_ = Fit::whole;
};

}  // namespace sallyport::audit
