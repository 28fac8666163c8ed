#include "cli/listen_address.hpp"

#include "tests/support/temp_dir.hpp"

#include <gtest/gtest.h>

namespace sallyport::cli {
namespace {

void bad(std::string const& text, std::string const& why) {
  auto const place = parse_listen_place("--listen", text);
  ASSERT_FALSE(place) << text;
  EXPECT_NE(place.error().what.find(why), std::string::npos) << place.error().what;
}

TEST(ListenAddress, IsAnAddressAndAPortOrAUnixPath) {
  EXPECT_EQ(std::get<TcpPlace>(parse_listen_place("--listen", "127.0.0.1:3128").value()).port, 3128);
  EXPECT_EQ(std::get<TcpPlace>(parse_listen_place("--listen", "[::1]:3128").value()).address.to_string(), "::1");
  EXPECT_EQ(std::get<UnixPlace>(parse_listen_place("--listen", "unix:/run/x").value()).path, "/run/x");
  bad("localhost:3128", "'localhost:3128' is not ADDRESS:PORT");
  bad("127.0.0.1", "is not ADDRESS:PORT");
  bad("127.0.0.1:00", "is not ADDRESS:PORT");
  bad("unix:relative", "absolute path");
  bad("unix:/" + std::string(200, 'x'), "at most 107 bytes");
}

TEST(ListenAddress, OnlyLoopbackAndUnixAreNotExposed) {
  auto const exposed = [](char const* text) { return is_exposed(parse_listen_place("--listen", text).value()); };
  EXPECT_FALSE(exposed("127.0.0.1:1"));
  EXPECT_FALSE(exposed("[::1]:1"));
  EXPECT_FALSE(exposed("unix:/run/x"));
  EXPECT_TRUE(exposed("0.0.0.0:1"));
  EXPECT_TRUE(exposed("[::]:1"));
  EXPECT_TRUE(exposed("10.0.0.1:1"));
}

TEST(ListenAddress, AUnixSocketThatIsThereAlreadyIsAnErrorWithTheFix) {
  test::TempDir const directory;
  ListenPlace const place = UnixPlace{(directory / "proxy").string()};
  auto const first = open_listener(place);
  ASSERT_TRUE(first) << first.error().what;
  auto const second = open_listener(place);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().what.find("remove it if no other proxy uses it"), std::string::npos) << second.error().what;
}

TEST(ListenAddress, ThePlaceOfASocketHasThePortThatTheKernelChose) {
  test::TempDir const directory;
  auto const place_at = [](std::string const& text) { return place_of(open_listener(parse_listen_place("--listen", text).value()).value()); };
  auto const v4 = place_at("127.0.0.1:0"), v6 = place_at("[::1]:0");
  EXPECT_TRUE(v4.starts_with("127.0.0.1:") && v4 != "127.0.0.1:0") << v4;
  EXPECT_TRUE(v6.starts_with("[::1]:") && v6 != "[::1]:0") << v6;
  auto const file = "unix:" + (directory / "proxy").string();
  EXPECT_EQ(place_at(file), file);
}

}  // namespace
}  // namespace sallyport::cli
