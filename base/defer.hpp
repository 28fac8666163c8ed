#pragma once
// Runs a function at the end of the scope. Does not move, so it runs exactly once.

#include <utility>

namespace sallyport {

template <class F>
class [[nodiscard]] Defer {
 public:
  explicit Defer(F f) : f_(std::move(f)) {}
  Defer(Defer const&) = delete;  // also suppresses the move
  Defer& operator=(Defer const&) = delete;
  ~Defer() { f_(); }

 private:
  F f_;
};

}  // namespace sallyport
