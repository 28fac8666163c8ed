#include "cli/reload_request.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

namespace sallyport::cli {
namespace {

TEST(ReloadRequest, GoesToNoProcessThatIsNotAProxy) {
  auto const asked = ask_for_reload(::getpid());  // SIGHUP would end this test
  ASSERT_FALSE(asked);
  EXPECT_NE(asked.error().what.find("is not a 'sallyport proxy'"), std::string::npos);
}

TEST(ReloadRequest, ProcessThatIsNotThereIsNamed) {
  auto const asked = ask_for_reload(0x3fffffff);
  ASSERT_FALSE(asked);
  EXPECT_NE(asked.error().what.find("process 1073741823"), std::string::npos);
}

}  // namespace
}  // namespace sallyport::cli
