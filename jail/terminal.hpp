#pragma once
// The caller's terminal, lent to the command: its process group becomes the foreground one, so that Ctrl-C, Ctrl-Z and job control work
// in the jail as they would without it. One thread. Source: tcsetpgrp(3), credentials(7).

#include <sys/types.h>

namespace sallyport::jail {

class Terminal {
 public:
  /// Looks at standard input: lends nothing when it is no terminal or we are in the background.
  Terminal();
  Terminal(Terminal const&) = delete;
  Terminal& operator=(Terminal const&) = delete;
  ~Terminal() { take_back(); }

  void lend_to(pid_t process_group);
  void take_back();

 private:
  void set_foreground(pid_t process_group);
  pid_t own_group_;
  bool ours_;
};

}  // namespace sallyport::jail
