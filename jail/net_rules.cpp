#include "jail/net_rules.hpp"

#include <netinet/in.h>  // before linux/netfilter.h, which brings linux/in.h otherwise

#include <libmnl/libmnl.h>
#include <libnftnl/chain.h>
#include <libnftnl/common.h>
#include <libnftnl/expr.h>
#include <libnftnl/rule.h>
#include <libnftnl/table.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/netfilter/nf_conntrack_tuple_common.h>
#include <linux/netfilter/nf_tables.h>

#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>

namespace sallyport::jail {
namespace {

constexpr char kTable[] = "sallyport";
constexpr std::size_t kBatchBytes = 64 * 1024;
constexpr std::uint32_t kReg = NFT_REG_1;
constexpr std::uint32_t kReportsPerSecond = 1000;

/// One expression of a rule, owned until the rule takes it.
using Expr = nftnl_expr*;

Expr make(char const* kind) { return nftnl_expr_alloc(kind); }

Expr meta(std::uint32_t key) {
  Expr e = make("meta");
  nftnl_expr_set_u32(e, NFTNL_EXPR_META_KEY, key);
  nftnl_expr_set_u32(e, NFTNL_EXPR_META_DREG, kReg);
  return e;
}

Expr payload(std::uint32_t base, std::uint32_t offset, std::uint32_t length) {
  Expr e = make("payload");
  nftnl_expr_set_u32(e, NFTNL_EXPR_PAYLOAD_BASE, base);
  nftnl_expr_set_u32(e, NFTNL_EXPR_PAYLOAD_OFFSET, offset);
  nftnl_expr_set_u32(e, NFTNL_EXPR_PAYLOAD_LEN, length);
  nftnl_expr_set_u32(e, NFTNL_EXPR_PAYLOAD_DREG, kReg);
  return e;
}

Expr conntrack(std::uint32_t key) {
  Expr e = make("ct");
  nftnl_expr_set_u32(e, NFTNL_EXPR_CT_KEY, key);
  nftnl_expr_set_u32(e, NFTNL_EXPR_CT_DREG, kReg);
  return e;
}

Expr compare(std::uint32_t op, void const* data, std::uint32_t size) {
  Expr e = make("cmp");
  nftnl_expr_set_u32(e, NFTNL_EXPR_CMP_SREG, kReg);
  nftnl_expr_set_u32(e, NFTNL_EXPR_CMP_OP, op);
  nftnl_expr_set(e, NFTNL_EXPR_CMP_DATA, data, size);
  return e;
}

template <class T>
Expr equals(T const& value) {
  return compare(NFT_CMP_EQ, &value, sizeof value);
}

template <class T>
Expr mask(T const& bits) {
  T const zero{};
  Expr e = make("bitwise");
  nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_SREG, kReg);
  nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_DREG, kReg);
  nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_LEN, sizeof bits);
  nftnl_expr_set(e, NFTNL_EXPR_BITWISE_MASK, &bits, sizeof bits);
  nftnl_expr_set(e, NFTNL_EXPR_BITWISE_XOR, &zero, sizeof zero);
  return e;
}

Expr accept() {
  Expr e = make("immediate");
  nftnl_expr_set_u32(e, NFTNL_EXPR_IMM_DREG, NFT_REG_VERDICT);
  nftnl_expr_set_u32(e, NFTNL_EXPR_IMM_VERDICT, NF_ACCEPT);
  return e;
}

Expr load_port(std::uint16_t port) {
  std::uint16_t const network_order = htons(port);
  Expr e = make("immediate");
  nftnl_expr_set_u32(e, NFTNL_EXPR_IMM_DREG, kReg);
  nftnl_expr_set(e, NFTNL_EXPR_IMM_DATA, &network_order, sizeof network_order);
  return e;
}

Expr redirect() {
  Expr e = make("redir");
  nftnl_expr_set_u32(e, NFTNL_EXPR_REDIR_REG_PROTO_MIN, kReg);
  return e;
}

/// True when the packet has a socket, listening or connected; otherwise the rule does not match.
Expr has_socket() {
  Expr e = make("socket");
  nftnl_expr_set_u32(e, NFTNL_EXPR_SOCKET_KEY, NFT_SOCKET_WILDCARD);
  nftnl_expr_set_u32(e, NFTNL_EXPR_SOCKET_DREG, kReg);
  return e;
}

Expr report_limit() {
  Expr e = make("limit");
  nftnl_expr_set_u64(e, NFTNL_EXPR_LIMIT_RATE, kReportsPerSecond);
  nftnl_expr_set_u64(e, NFTNL_EXPR_LIMIT_UNIT, 1);  // seconds
  nftnl_expr_set_u32(e, NFTNL_EXPR_LIMIT_BURST, kReportsPerSecond);
  nftnl_expr_set_u32(e, NFTNL_EXPR_LIMIT_TYPE, NFT_LIMIT_PKTS);
  return e;
}

Expr report(char const* prefix) {
  Expr e = make("log");
  nftnl_expr_set_u16(e, NFTNL_EXPR_LOG_GROUP, kPacketLogGroup);
  nftnl_expr_set_str(e, NFTNL_EXPR_LOG_PREFIX, prefix);
  return e;
}

Expr reject_unreachable() {
  Expr e = make("reject");
  nftnl_expr_set_u32(e, NFTNL_EXPR_REJECT_TYPE, NFT_REJECT_ICMPX_UNREACH);
  nftnl_expr_set_u8(e, NFTNL_EXPR_REJECT_CODE, NFT_REJECT_ICMPX_ADMIN_PROHIBITED);
  return e;
}

Expr reject_reset() {
  Expr e = make("reject");
  nftnl_expr_set_u32(e, NFTNL_EXPR_REJECT_TYPE, NFT_REJECT_TCP_RST);
  return e;
}

/// Collects the messages of one transaction.
class Transaction {
 public:
  Transaction() : bytes_(kBatchBytes), batch_(mnl_nlmsg_batch_start(bytes_.data(), kBatchBytes)) {
    nftnl_batch_begin(position(), sequence_++);
    mnl_nlmsg_batch_next(batch_);
  }
  Transaction(Transaction const&) = delete;
  Transaction& operator=(Transaction const&) = delete;
  ~Transaction() { mnl_nlmsg_batch_stop(batch_); }

  void add_table() {
    std::unique_ptr<nftnl_table, decltype(&nftnl_table_free)> table(nftnl_table_alloc(), nftnl_table_free);
    nftnl_table_set_str(table.get(), NFTNL_TABLE_NAME, kTable);
    nftnl_table_set_u32(table.get(), NFTNL_TABLE_FAMILY, NFPROTO_INET);
    nftnl_table_nlmsg_build_payload(begin(NFT_MSG_NEWTABLE, NLM_F_CREATE), table.get());
    mnl_nlmsg_batch_next(batch_);
  }

  struct Hook {
    char const* type;
    std::uint32_t number;
    std::int32_t priority;
    std::uint32_t policy;
  };
  void add_chain(char const* name, Hook const& hook) {
    std::unique_ptr<nftnl_chain, decltype(&nftnl_chain_free)> chain(nftnl_chain_alloc(), nftnl_chain_free);
    nftnl_chain_set_str(chain.get(), NFTNL_CHAIN_TABLE, kTable);
    nftnl_chain_set_str(chain.get(), NFTNL_CHAIN_NAME, name);
    nftnl_chain_set_str(chain.get(), NFTNL_CHAIN_TYPE, hook.type);
    nftnl_chain_set_u32(chain.get(), NFTNL_CHAIN_HOOKNUM, hook.number);
    nftnl_chain_set_s32(chain.get(), NFTNL_CHAIN_PRIO, hook.priority);
    nftnl_chain_set_u32(chain.get(), NFTNL_CHAIN_POLICY, hook.policy);
    nftnl_chain_nlmsg_build_payload(begin(NFT_MSG_NEWCHAIN, NLM_F_CREATE), chain.get());
    mnl_nlmsg_batch_next(batch_);
  }

  void add_rule(char const* chain, std::initializer_list<Expr> expressions) {
    std::unique_ptr<nftnl_rule, decltype(&nftnl_rule_free)> rule(nftnl_rule_alloc(), nftnl_rule_free);
    nftnl_rule_set_str(rule.get(), NFTNL_RULE_TABLE, kTable);
    nftnl_rule_set_str(rule.get(), NFTNL_RULE_CHAIN, chain);
    for (Expr e : expressions) nftnl_rule_add_expr(rule.get(), e);  // the rule owns it from here
    nftnl_rule_nlmsg_build_payload(begin(NFT_MSG_NEWRULE, NLM_F_CREATE | NLM_F_APPEND), rule.get());
    mnl_nlmsg_batch_next(batch_);
  }

  /// Only the last message asks for an acknowledgement: it comes when the whole transaction was committed.
  std::vector<std::uint8_t> finish() {
    last_->nlmsg_flags |= NLM_F_ACK;
    nftnl_batch_end(position(), sequence_++);
    mnl_nlmsg_batch_next(batch_);
    bytes_.resize(mnl_nlmsg_batch_size(batch_));
    return std::move(bytes_);
  }

 private:
  char* position() { return static_cast<char*>(mnl_nlmsg_batch_current(batch_)); }
  nlmsghdr* begin(std::uint16_t type, std::uint16_t flags) {
    last_ = nftnl_nlmsg_build_hdr(position(), type, NFPROTO_INET, flags, sequence_++);
    return last_;
  }
  std::vector<std::uint8_t> bytes_;
  mnl_nlmsg_batch* batch_;
  nlmsghdr* last_ = nullptr;
  std::uint32_t sequence_ = 0;
};

Expr ipv4() { return equals<std::uint8_t>(NFPROTO_IPV4); }
Expr ipv6() { return equals<std::uint8_t>(NFPROTO_IPV6); }
Expr protocol(std::uint8_t number) { return equals(number); }

void accept_loopback(Transaction& t, char const* chain) {
  std::uint8_t const net127 = 127;  // first byte of the destination, IPv4 header offset 16
  t.add_rule(chain, {meta(NFT_META_NFPROTO), ipv4(), payload(NFT_PAYLOAD_NETWORK_HEADER, 16, 1), equals(net127), accept()});
  t.add_rule(chain, {meta(NFT_META_NFPROTO), ipv6(), payload(NFT_PAYLOAD_NETWORK_HEADER, 24, 16),
                     equals(in6addr_loopback), accept()});
}

void add_redirects(Transaction& t, NetPorts const& ports) {
  constexpr char kChain[] = "redirect_out";
  t.add_chain(kChain, {"nat", NF_INET_LOCAL_OUT, -100, NF_ACCEPT});
  for (std::uint8_t l4 : {std::uint8_t{IPPROTO_UDP}, std::uint8_t{IPPROTO_TCP}}) {
    t.add_rule(kChain, {meta(NFT_META_L4PROTO), protocol(l4), payload(NFT_PAYLOAD_TRANSPORT_HEADER, 2, 2),
                        equals(htons(53)), load_port(ports.dns), redirect()});
  }
  accept_loopback(t, kChain);
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), protocol(IPPROTO_TCP), load_port(ports.transparent), redirect()});
}

void add_output_filter(Transaction& t) {
  constexpr char kChain[] = "filter_out";
  t.add_chain(kChain, {"filter", NF_INET_LOCAL_OUT, 0, NF_DROP});
  std::uint32_t const dnat = IPS_DST_NAT, none = 0;
  std::uint8_t const reply = IP_CT_DIR_REPLY;
  t.add_rule(kChain, {conntrack(NFT_CT_STATUS), mask(dnat), compare(NFT_CMP_NEQ, &none, sizeof none), accept()});
  t.add_rule(kChain, {conntrack(NFT_CT_DIRECTION), equals(reply), accept()});
  accept_loopback(t, kChain);
  std::uint8_t const udp = IPPROTO_UDP;
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), equals(udp), report_limit(), report(kUdpPrefix)});
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), compare(NFT_CMP_NEQ, &udp, sizeof udp), report_limit(),
                      report(kProtocolPrefix)});
  t.add_rule(kChain, {reject_unreachable()});
}

/// A connection to a loopback port without a listener would get a reset anyway; here it is reported, too.
void add_input_filter(Transaction& t) {
  constexpr char kChain[] = "filter_in";
  t.add_chain(kChain, {"filter", NF_INET_LOCAL_IN, 0, NF_ACCEPT});
  std::uint8_t const syn_ack = 0x12, syn = 0x02;  // bits of byte 13 of the TCP header
  t.add_rule(kChain, {has_socket(), accept()});
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), protocol(IPPROTO_TCP), payload(NFT_PAYLOAD_TRANSPORT_HEADER, 13, 1),
                      mask(syn_ack), equals(syn), report_limit(), report(kLoopbackPrefix)});
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), protocol(IPPROTO_TCP), payload(NFT_PAYLOAD_TRANSPORT_HEADER, 13, 1),
                      mask(syn_ack), equals(syn), reject_reset()});
}

}  // namespace

std::vector<std::uint8_t> build_net_rules(NetPorts const& ports) {
  Transaction transaction;
  transaction.add_table();
  add_redirects(transaction, ports);
  add_output_filter(transaction);
  add_input_filter(transaction);
  return transaction.finish();
}

}  // namespace sallyport::jail
