#include "proxy/websocket_extensions.hpp"

namespace sallyport::proxy {
namespace {

std::vector<Field> said(std::string value) { return {{"Sec-WebSocket-Extensions", std::move(value)}}; }

std::string passed_on(std::string offer) {
  std::string all;
  for (auto const& each : offered_deflate(said(std::move(offer)))) all += to_text(each) + "|";
  return all;
}

TEST(OfferedDeflate, KeepsWhatItKnowsAndNothingElse) {
  EXPECT_EQ(passed_on("permessage-deflate"), "permessage-deflate|");
  EXPECT_EQ(passed_on("permessage-deflate; client_max_window_bits"), "permessage-deflate; client_max_window_bits|");
  EXPECT_EQ(passed_on("permessage-deflate;server_max_window_bits=\"10\";client_max_window_bits=15 , permessage-deflate"),
            "permessage-deflate; server_max_window_bits=10; client_max_window_bits=15|permessage-deflate|");
  EXPECT_EQ(passed_on("x-webkit-deflate-frame, permessage-deflate; server_no_context_takeover; client_no_context_takeover"),
            "permessage-deflate; server_no_context_takeover; client_no_context_takeover|");
  EXPECT_EQ(passed_on("permessage-bzip2, bbf-usp-protocol; eid=\"doc::id\""), "");
}

TEST(OfferedDeflate, LeavesOutOffersThatADeclineIsDueTo) {
  for (auto const* parameters :
       {"unknown", "server_max_window_bits", "server_max_window_bits=7", "server_max_window_bits=16",
        "server_max_window_bits=08", "client_max_window_bits=x", "server_no_context_takeover=1",
        "server_no_context_takeover; server_no_context_takeover", "client_max_window_bits; client_max_window_bits",
        "server_max_window_bits=9; server_max_window_bits=9", "a b"})
    EXPECT_EQ(passed_on("permessage-deflate; " + std::string(parameters)), "") << parameters;
}

/// What the server may say to an offer.
bool fits(std::string answer, std::string offer) {
  return accepted_deflate(said(std::move(answer)), offered_deflate(said(std::move(offer)))).has_value();
}

TEST(AcceptedDeflate, IsWithinTheOffer) {
  std::string const deflate = "permessage-deflate";
  EXPECT_TRUE(fits(deflate, deflate));
  EXPECT_TRUE(fits(deflate + "; server_no_context_takeover; client_no_context_takeover", deflate))
      << "a server may say so by itself";
  EXPECT_TRUE(fits(deflate + "; server_max_window_bits=12", deflate));
  EXPECT_TRUE(fits(deflate + "; client_max_window_bits=12", deflate + "; client_max_window_bits"));
  EXPECT_TRUE(fits(deflate + "; server_max_window_bits=9", deflate + "; server_max_window_bits=10"));
  EXPECT_TRUE(fits(deflate, deflate + "; server_max_window_bits=8, " + deflate)) << "the second offer";
  EXPECT_FALSE(fits(deflate + "; client_max_window_bits=12", deflate)) << "the client cannot";
  EXPECT_FALSE(fits(deflate + "; client_max_window_bits=12", deflate + "; client_max_window_bits=10"));
  EXPECT_FALSE(fits(deflate + "; client_max_window_bits", deflate + "; client_max_window_bits")) << "an answer has a value";
  EXPECT_FALSE(fits(deflate, deflate + "; server_no_context_takeover"));
  EXPECT_FALSE(fits(deflate, deflate + "; server_max_window_bits=10"));
  EXPECT_FALSE(fits(deflate + "; server_max_window_bits=11", deflate + "; server_max_window_bits=10"));
}

TEST(AcceptedDeflate, NothingElseAndNothingTwice) {
  EXPECT_FALSE(fits("permessage-deflate", "")) << "not offered";
  EXPECT_FALSE(fits("permessage-bzip2", "permessage-bzip2")) << "offered, and removed from the offer";
  EXPECT_FALSE(fits("permessage-deflate, permessage-deflate", "permessage-deflate"));
  EXPECT_FALSE(fits("permessage-deflate; unknown", "permessage-deflate"));
  auto const none = accepted_deflate({}, offered_deflate(said("permessage-deflate")));
  EXPECT_TRUE(none.has_value() && !none->has_value());
}

}  // namespace
}  // namespace sallyport::proxy
