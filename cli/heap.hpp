#pragma once
// The first half MiB of the heap, mapped with one system call.

namespace sallyport::cli {

/// Call it first in main(). A start touches some hundred pages of the heap; each would be a page fault of its own (half a microsecond on
/// bare metal, twelve in some virtual machines). A kernel that cannot do it (before 5.14) faults as ever: no error.
void populate_heap();

}  // namespace sallyport::cli
