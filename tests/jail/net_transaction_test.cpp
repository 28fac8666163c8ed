#include "jail/net_transaction.hpp"

#include "jail/net_bridge.hpp"
#include "tests/jail/forked.hpp"

#include <gtest/gtest.h>

#include <linux/netlink.h>
#include <unistd.h>

#include <cerrno>

namespace sallyport::jail::nft {
namespace {

std::vector<std::uint8_t> table(TableLife life) {
  Transaction transaction;
  transaction.add_table(life);
  return transaction.finish();
}

std::vector<std::uint8_t> removal() {
  Transaction transaction;
  transaction.delete_table();
  return transaction.finish();
}

int send(std::vector<std::uint8_t> const& bytes) {
  int const fd = netlink_socket(NETLINK_NETFILTER, 0);
  int const error = transact(fd, bytes);
  ::close(fd);
  return error;
}

TEST(NetTransaction, ATableLivesAsLongAsItsNamespace) {
  in_own_network([] {
    EXPECT_EQ(send(removal()), ENOENT);
    EXPECT_EQ(send(table(TableLife::as_the_namespace)), 0);
    EXPECT_EQ(send(removal()), 0);
  });
}

TEST(NetTransaction, ATableOfASocketIsNobodyElsesAndGoesWithIt) {
  in_own_network([] {
    int const owner = netlink_socket(NETLINK_NETFILTER, 0);
    EXPECT_EQ(transact(owner, table(TableLife::as_the_socket)), 0);
    EXPECT_EQ(send(removal()), EPERM);
    ::close(owner);
    EXPECT_EQ(send(removal()), ENOENT);
  });
}

}  // namespace
}  // namespace sallyport::jail::nft
