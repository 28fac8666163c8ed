#include "jail/terminal.hpp"

#include <signal.h>
#include <unistd.h>

namespace sallyport::jail {

Terminal::Terminal() : own_group_(::getpgrp()), ours_(::isatty(STDIN_FILENO) == 1 && ::tcgetpgrp(STDIN_FILENO) == own_group_) {}

void Terminal::lend_to(pid_t process_group) {
  if (ours_) set_foreground(process_group);
}

void Terminal::take_back() {
  if (ours_) set_foreground(own_group_);
}

/// tcsetpgrp(3) from the background stops the caller with SIGTTOU unless that is blocked.
void Terminal::set_foreground(pid_t process_group) {
  sigset_t block, before;
  sigemptyset(&block);
  sigaddset(&block, SIGTTOU);
  ::sigprocmask(SIG_BLOCK, &block, &before);
  ::tcsetpgrp(STDIN_FILENO, process_group);
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace sallyport::jail
