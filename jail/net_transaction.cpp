#include "jail/net_transaction.hpp"

#include <libnftnl/chain.h>
#include <libnftnl/common.h>
#include <libnftnl/rule.h>
#include <libnftnl/table.h>

#include <memory>

namespace sallyport::jail::nft {
namespace {

constexpr char kTable[] = "sallyport";
constexpr std::size_t kBatchBytes = 64 * 1024;
constexpr std::uint32_t kReg = NFT_REG_1;

Expr make(char const* kind) { return nftnl_expr_alloc(kind); }

Expr reject(std::uint32_t type) {
  Expr e = make("reject");
  nftnl_expr_set_u32(e, NFTNL_EXPR_REJECT_TYPE, type);
  return e;
}

std::unique_ptr<nftnl_table, decltype(&nftnl_table_free)> table_of_ours() {
  std::unique_ptr<nftnl_table, decltype(&nftnl_table_free)> table(nftnl_table_alloc(), nftnl_table_free);
  nftnl_table_set_str(table.get(), NFTNL_TABLE_NAME, kTable);
  nftnl_table_set_u32(table.get(), NFTNL_TABLE_FAMILY, NFPROTO_INET);
  return table;
}

}  // namespace

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

Expr set_conntrack(std::uint32_t key) {
  Expr e = make("ct");
  nftnl_expr_set_u32(e, NFTNL_EXPR_CT_KEY, key);
  nftnl_expr_set_u32(e, NFTNL_EXPR_CT_SREG, kReg);
  return e;
}

Expr compare(std::uint32_t op, void const* data, std::uint32_t size) {
  Expr e = make("cmp");
  nftnl_expr_set_u32(e, NFTNL_EXPR_CMP_SREG, kReg);
  nftnl_expr_set_u32(e, NFTNL_EXPR_CMP_OP, op);
  nftnl_expr_set(e, NFTNL_EXPR_CMP_DATA, data, size);
  return e;
}

Expr mask_bytes(void const* bits, void const* zero, std::uint32_t size) {
  Expr e = make("bitwise");
  nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_SREG, kReg);
  nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_DREG, kReg);
  nftnl_expr_set_u32(e, NFTNL_EXPR_BITWISE_LEN, size);
  nftnl_expr_set(e, NFTNL_EXPR_BITWISE_MASK, bits, size);
  nftnl_expr_set(e, NFTNL_EXPR_BITWISE_XOR, zero, size);
  return e;
}

Expr load(void const* data, std::uint32_t size) {
  Expr e = make("immediate");
  nftnl_expr_set_u32(e, NFTNL_EXPR_IMM_DREG, kReg);
  nftnl_expr_set(e, NFTNL_EXPR_IMM_DATA, data, size);
  return e;
}

Expr verdict(std::uint32_t value) {
  Expr e = make("immediate");
  nftnl_expr_set_u32(e, NFTNL_EXPR_IMM_DREG, NFT_REG_VERDICT);
  nftnl_expr_set_u32(e, NFTNL_EXPR_IMM_VERDICT, value);
  return e;
}

Expr redirect() {
  Expr e = make("redir");
  nftnl_expr_set_u32(e, NFTNL_EXPR_REDIR_REG_PROTO_MIN, kReg);
  return e;
}

Expr has_socket() {
  Expr e = make("socket");
  nftnl_expr_set_u32(e, NFTNL_EXPR_SOCKET_KEY, NFT_SOCKET_WILDCARD);
  nftnl_expr_set_u32(e, NFTNL_EXPR_SOCKET_DREG, kReg);
  return e;
}

Expr report_limit(std::uint32_t per_second) {
  Expr e = make("limit");
  nftnl_expr_set_u64(e, NFTNL_EXPR_LIMIT_RATE, per_second);
  nftnl_expr_set_u64(e, NFTNL_EXPR_LIMIT_UNIT, 1);  // seconds
  nftnl_expr_set_u32(e, NFTNL_EXPR_LIMIT_BURST, per_second);
  nftnl_expr_set_u32(e, NFTNL_EXPR_LIMIT_TYPE, NFT_LIMIT_PKTS);
  return e;
}

Expr report(std::uint16_t group, char const* prefix) {
  Expr e = make("log");
  nftnl_expr_set_u16(e, NFTNL_EXPR_LOG_GROUP, group);
  nftnl_expr_set_str(e, NFTNL_EXPR_LOG_PREFIX, prefix);
  return e;
}

Expr reject_unreachable() {
  Expr e = reject(NFT_REJECT_ICMPX_UNREACH);
  nftnl_expr_set_u8(e, NFTNL_EXPR_REJECT_CODE, NFT_REJECT_ICMPX_ADMIN_PROHIBITED);
  return e;
}

Expr reject_reset() { return reject(NFT_REJECT_TCP_RST); }

Transaction::Transaction() : bytes_(kBatchBytes), batch_(mnl_nlmsg_batch_start(bytes_.data(), kBatchBytes)) {
  nftnl_batch_begin(position(), sequence_++);
  mnl_nlmsg_batch_next(batch_);
}

void Transaction::add_table(TableLife life) {
  auto const table = table_of_ours();
  if (life == TableLife::as_the_socket) nftnl_table_set_u32(table.get(), NFTNL_TABLE_FLAGS, NFT_TABLE_F_OWNER);
  nftnl_table_nlmsg_build_payload(begin(NFT_MSG_NEWTABLE, NLM_F_CREATE), table.get());
  mnl_nlmsg_batch_next(batch_);
}

void Transaction::delete_table() {
  auto const table = table_of_ours();
  nftnl_table_nlmsg_build_payload(begin(NFT_MSG_DELTABLE, 0), table.get());
  mnl_nlmsg_batch_next(batch_);
}

void Transaction::add_chain(char const* name, Hook const& hook) {
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

void Transaction::add_rule(char const* chain, std::initializer_list<Expr> expressions) {
  std::unique_ptr<nftnl_rule, decltype(&nftnl_rule_free)> rule(nftnl_rule_alloc(), nftnl_rule_free);
  nftnl_rule_set_str(rule.get(), NFTNL_RULE_TABLE, kTable);
  nftnl_rule_set_str(rule.get(), NFTNL_RULE_CHAIN, chain);
  for (Expr e : expressions) nftnl_rule_add_expr(rule.get(), e);  // the rule owns it from here
  nftnl_rule_nlmsg_build_payload(begin(NFT_MSG_NEWRULE, NLM_F_CREATE | NLM_F_APPEND), rule.get());
  mnl_nlmsg_batch_next(batch_);
}

std::vector<std::uint8_t> Transaction::finish() {
  last_->nlmsg_flags |= NLM_F_ACK;
  nftnl_batch_end(position(), sequence_++);
  mnl_nlmsg_batch_next(batch_);
  bytes_.resize(mnl_nlmsg_batch_size(batch_));
  return std::move(bytes_);
}

nlmsghdr* Transaction::begin(std::uint16_t type, std::uint16_t flags) {
  last_ = nftnl_nlmsg_build_hdr(position(), type, NFPROTO_INET, flags, sequence_++);
  return last_;
}

void accept_loopback(Transaction& t, char const* chain) {
  std::uint8_t const v4 = NFPROTO_IPV4, v6 = NFPROTO_IPV6;
  std::uint8_t const net127 = 127;  // first byte of the destination, IPv4 header offset 16
  t.add_rule(chain, {meta(NFT_META_NFPROTO), equals(v4), payload(NFT_PAYLOAD_NETWORK_HEADER, 16, 1), equals(net127), accept()});
  t.add_rule(chain, {meta(NFT_META_NFPROTO), equals(v6), payload(NFT_PAYLOAD_NETWORK_HEADER, 24, 16), equals(in6addr_loopback),
                     accept()});
}

}  // namespace sallyport::jail::nft
