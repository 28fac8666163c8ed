#include "jail/net_guard_rules.hpp"

#include "jail/net_transaction.hpp"

#include <arpa/inet.h>
#include <netinet/icmp6.h>

#include <array>

namespace sallyport::jail {
namespace {

using namespace nft;

constexpr std::uint32_t kReportsPerSecond = 1000;
constexpr std::uint32_t kLoopbackIndex = 1;
constexpr std::uint32_t kGatewayMark = 0x5a11;  // of conntrack entries, on the gateway's outgoing TCP connections
constexpr std::uint8_t kTcp = IPPROTO_TCP, kUdp = IPPROTO_UDP, kIcmpv6 = IPPROTO_ICMPV6, kIpv4 = NFPROTO_IPV4;
constexpr std::uint8_t kSyn = 0x02, kSynAck = 0x12;  // bits of byte 13 of the TCP header
constexpr std::uint8_t kOriginal = IP_CT_DIR_ORIGINAL, kReply = IP_CT_DIR_REPLY;
// Before the chains at the usual priority for destinations, where Docker sends port 53 to its own resolver.
constexpr std::int32_t kBeforeOthers = -110;

Expr load_port(std::uint16_t port) {
  std::uint16_t const network_order = htons(port);
  return load(&network_order, sizeof network_order);
}
Expr tcp_flags() { return payload(NFT_PAYLOAD_TRANSPORT_HEADER, 13, 1); }
Expr limit() { return report_limit(kReportsPerSecond); }
Expr note(char const* prefix) { return report(kPacketLogGroup, prefix); }

void add_redirects(Transaction& t, NetPorts const& ports, std::uint32_t gateway) {
  constexpr char kChain[] = "redirect_out";
  t.add_chain(kChain, {"nat", NF_INET_LOCAL_OUT, kBeforeOthers, NF_ACCEPT});
  t.add_rule(kChain, {meta(NFT_META_SKUID), equals(gateway), accept()});
  for (std::uint8_t l4 : {kUdp, kTcp}) {
    t.add_rule(kChain, {meta(NFT_META_L4PROTO), equals(l4), payload(NFT_PAYLOAD_TRANSPORT_HEADER, 2, 2), equals(htons(53)),
                        load_port(ports.dns), redirect()});
  }
  accept_loopback(t, kChain);
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), equals(kTcp), load_port(ports.transparent), redirect()});
}

/// What the gateway sends. A closed socket has no owner any more while it sends what is left: its connection is known by the mark, and a
/// packet that would open a new connection is not taken for one of these.
void accept_gateway(Transaction& t, char const* chain, std::uint32_t gateway) {
  std::uint8_t const none = 0;
  t.add_rule(chain, {meta(NFT_META_SKUID), equals(gateway), meta(NFT_META_L4PROTO), equals(kTcp), conntrack(NFT_CT_DIRECTION),
                     equals(kOriginal), load(&kGatewayMark, sizeof kGatewayMark), set_conntrack(NFT_CT_MARK), accept()});
  t.add_rule(chain, {meta(NFT_META_SKUID), equals(gateway), accept()});
  t.add_rule(chain, {meta(NFT_META_L4PROTO), equals(kTcp), tcp_flags(), mask(kSyn), equals(none), conntrack(NFT_CT_DIRECTION),
                     equals(kOriginal), conntrack(NFT_CT_MARK), equals(kGatewayMark), accept()});
}

/// Answers on redirected connections, and the kernel's own errors.
void accept_answers(Transaction& t, char const* chain) {
  std::uint32_t const dnat = IPS_DST_NAT, none = 0;
  std::uint32_t const related = NF_CT_STATE_BIT(IP_CT_RELATED);
  t.add_rule(chain, {conntrack(NFT_CT_DIRECTION), equals(kReply), conntrack(NFT_CT_STATUS), mask(dnat), differs(none), accept()});
  t.add_rule(chain, {conntrack(NFT_CT_DIRECTION), equals(kReply), conntrack(NFT_CT_STATE), mask(related), differs(none), accept()});
}

/// IPv6 finds its neighbours by ICMPv6 (RFC 4861); they are on the link, and no router passes these on.
void accept_neighbours(Transaction& t, char const* chain) {
  constexpr std::array<std::uint8_t, 4> kTypes = {ND_ROUTER_SOLICIT, ND_ROUTER_ADVERT, ND_NEIGHBOR_SOLICIT, ND_NEIGHBOR_ADVERT};
  for (std::uint8_t type : kTypes) {
    t.add_rule(chain, {meta(NFT_META_L4PROTO), equals(kIcmpv6), payload(NFT_PAYLOAD_TRANSPORT_HEADER, 0, 1), equals(type), accept()});
  }
}

void add_output_filter(Transaction& t, std::uint32_t gateway) {
  constexpr char kChain[] = "filter_out";
  t.add_chain(kChain, {"filter", NF_INET_LOCAL_OUT, 0, NF_DROP});
  accept_gateway(t, kChain, gateway);
  std::array<std::uint8_t, 4> const docker_resolver = {127, 0, 0, 11};
  t.add_rule(kChain, {meta(NFT_META_NFPROTO), equals(kIpv4), payload(NFT_PAYLOAD_NETWORK_HEADER, 16, 4),
                      equals(docker_resolver), limit(), note(kLoopbackPrefix)});
  t.add_rule(kChain, {meta(NFT_META_NFPROTO), equals(kIpv4), payload(NFT_PAYLOAD_NETWORK_HEADER, 16, 4),
                      equals(docker_resolver), reject_unreachable()});
  accept_answers(t, kChain);
  accept_loopback(t, kChain);
  accept_neighbours(t, kChain);
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), equals(kUdp), limit(), note(kUdpPrefix)});
  t.add_rule(kChain, {meta(NFT_META_L4PROTO), differs(kUdp), limit(), note(kProtocolPrefix)});
  t.add_rule(kChain, {reject_unreachable()});
}

/// A connection that was there before the rules is first seen in the middle, often by a packet that comes in. Dropped here, it is never
/// entered into the connection table, and so nothing that goes out counts as its answer.
void add_input_filter(Transaction& t) {
  constexpr char kChain[] = "filter_in";
  t.add_chain(kChain, {"filter", NF_INET_LOCAL_IN, 0, NF_DROP});
  t.add_rule(kChain, {meta(NFT_META_IIF), equals(kLoopbackIndex), has_socket(), accept()});
  t.add_rule(kChain, {meta(NFT_META_IIF), equals(kLoopbackIndex), meta(NFT_META_L4PROTO), equals(kTcp), tcp_flags(), mask(kSynAck),
                      equals(kSyn), limit(), note(kLoopbackPrefix)});
  t.add_rule(kChain, {meta(NFT_META_IIF), equals(kLoopbackIndex), meta(NFT_META_L4PROTO), equals(kTcp), tcp_flags(), mask(kSynAck),
                      equals(kSyn), reject_reset()});
  t.add_rule(kChain, {meta(NFT_META_IIF), equals(kLoopbackIndex), accept()});
  t.add_rule(kChain, {conntrack(NFT_CT_DIRECTION), equals(kReply), accept()});
  accept_neighbours(t, kChain);
}

}  // namespace

std::vector<std::uint8_t> build_guard_rules(NetPorts const& ports, std::uint32_t gateway_uid) {
  Transaction transaction;
  transaction.add_table(TableLife::as_the_namespace);  // so that there is one to delete
  transaction.delete_table();
  transaction.add_table(TableLife::as_the_namespace);
  add_redirects(transaction, ports, gateway_uid);
  add_output_filter(transaction, gateway_uid);
  add_input_filter(transaction);
  transaction.add_chain("forward", {"filter", NF_INET_FORWARD, 0, NF_DROP});
  return transaction.finish();
}

}  // namespace sallyport::jail
