#pragma once
// A console whose output a test can read. One thread.

#include "cli/command.hpp"

#include <cstdio>
#include <string>

namespace sallyport::cli {

class ConsoleCapture {
 public:
  ConsoleCapture() {
    console_.out = out_.file;
    console_.err = err_.file;
  }
  ConsoleCapture(ConsoleCapture const&) = delete;
  ConsoleCapture& operator=(ConsoleCapture const&) = delete;

  Console& console() { return console_; }
  std::string out() { return out_.text(); }
  std::string err() { return err_.text(); }

 private:
  struct Stream {
    char* bytes = nullptr;
    std::size_t size = 0;
    std::FILE* file = ::open_memstream(&bytes, &size);

    Stream() = default;
    Stream(Stream const&) = delete;
    Stream& operator=(Stream const&) = delete;
    ~Stream() {
      std::fclose(file);
      std::free(bytes);
    }
    std::string text() {
      std::fflush(file);
      return {bytes, size};
    }
  };

  Stream out_;
  Stream err_;
  Console console_;
};

}  // namespace sallyport::cli
