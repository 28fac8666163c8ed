#pragma once
// Words to write nf_tables rules with: expressions, and the transaction that collects tables, chains and rules as netlink bytes.
// Pure: builds bytes, sends nothing. One thread. Only jail/net_* uses it.
// Sources: nft(8), libnftnl, Linux include/uapi/linux/netfilter/nf_tables.h.

#include "jail/net_rules.hpp"

#include <netinet/in.h>  // before linux/netfilter.h, which brings linux/in.h otherwise

#include <libmnl/libmnl.h>
#include <libnftnl/expr.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/netfilter/nf_conntrack_tuple_common.h>
#include <linux/netfilter/nf_tables.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace sallyport::jail::nft {

/// One expression of a rule, owned until a rule takes it. They work on one register.
using Expr = nftnl_expr*;

Expr meta(std::uint32_t key);
Expr payload(std::uint32_t base, std::uint32_t offset, std::uint32_t length);
Expr conntrack(std::uint32_t key);
/// Stores the register as this conntrack key.
Expr set_conntrack(std::uint32_t key);
Expr compare(std::uint32_t op, void const* data, std::uint32_t size);
Expr mask_bytes(void const* bits, void const* zero, std::uint32_t size);
Expr load(void const* data, std::uint32_t size);
Expr verdict(std::uint32_t value);
Expr redirect();
/// True when the packet has a socket, listening or connected; otherwise the rule does not match.
Expr has_socket();
Expr report_limit(std::uint32_t per_second);
Expr report(std::uint16_t group, char const* prefix);
Expr reject_unreachable();
Expr reject_reset();

template <class T>
Expr equals(T const& value) {
  return compare(NFT_CMP_EQ, &value, sizeof value);
}
template <class T>
Expr differs(T const& value) {
  return compare(NFT_CMP_NEQ, &value, sizeof value);
}
template <class T>
Expr mask(T const& bits) {
  T const zero{};
  return mask_bytes(&bits, &zero, sizeof bits);
}
inline Expr accept() { return verdict(NF_ACCEPT); }
inline Expr drop() { return verdict(NF_DROP); }

/// Collects the messages of one transaction on the table `inet sallyport`.
class Transaction {
 public:
  Transaction();
  Transaction(Transaction const&) = delete;
  Transaction& operator=(Transaction const&) = delete;
  ~Transaction() { mnl_nlmsg_batch_stop(batch_); }

  void add_table(TableLife life);
  /// The table must exist.
  void delete_table();

  struct Hook {
    char const* type;
    std::uint32_t number;
    std::int32_t priority;
    std::uint32_t policy;
  };
  void add_chain(char const* name, Hook const& hook);
  void add_rule(char const* chain, std::initializer_list<Expr> expressions);

  /// Only the last message asks for an acknowledgement: it comes when the whole transaction was committed.
  std::vector<std::uint8_t> finish();

 private:
  char* position() { return static_cast<char*>(mnl_nlmsg_batch_current(batch_)); }
  nlmsghdr* begin(std::uint16_t type, std::uint16_t flags);
  std::vector<std::uint8_t> bytes_;
  mnl_nlmsg_batch* batch_;
  nlmsghdr* last_ = nullptr;
  std::uint32_t sequence_ = 0;
};

/// Accepts packets to 127.0.0.0/8 and ::1.
void accept_loopback(Transaction& t, char const* chain);

}  // namespace sallyport::jail::nft
