// SPDX-License-Identifier: Apache-2.0

#include "guard.h"

#include "CTransfer.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  uint32_t base;
  int bits;
} block;

/// IANA IPv4 Special-Purpose Address Registry, multicast, and what a cloud answers its machines by.
static const block special[] = {
  {0x00000000, 8},   // this network
  {0x0a000000, 8},   // private
  {0x64400000, 10},  // shared by carriers; Alibaba's machines ask 100.100.100.200 for their metadata
  {0x7f000000, 8},   // this machine
  {0xa9fe0000, 16},  // link-local, where clouds answer for their metadata
  {0xa83f8110, 32},  // a public address that means the host itself to Azure's machines
  {0xac100000, 12},  // private
  {0xc0000000, 24},  // protocol assignments
  {0xc0000200, 24},  // documentation
  {0xc0586300, 24},  // 6to4 relays of old
  {0xc0a80000, 16},  // private
  {0xc6120000, 15},  // benchmarks
  {0xc6336400, 24},  // documentation
  {0xcb007100, 24},  // documentation
  {0xe0000000, 4},   // groups
  {0xf0000000, 4},   // reserved, and broadcast
};

static bool is_public_v4(uint32_t address) {
  for (size_t index = 0; index < sizeof(special) / sizeof(*special); index++) {
    uint32_t mask = UINT32_MAX << (32 - special[index].bits);
    if ((address & mask) == special[index].base) return false;
  }
  return true;
}

static uint32_t word(const uint8_t *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | (uint32_t)bytes[3];
}

static bool is_public_v6(const uint8_t *bytes) {
  static const uint8_t zeros[12] = {0};
  static const uint8_t translated[12] = {0x00, 0x64, 0xff, 0x9b};
  static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (memcmp(bytes, mapped, sizeof(mapped)) == 0 || memcmp(bytes, translated, sizeof(translated)) == 0)
    return is_public_v4(word(bytes + 12));
  if (memcmp(bytes, zeros, sizeof(zeros)) == 0) return false;
  // Global unicast is 2000::/3 and nothing else so far.
  if ((bytes[0] & 0xe0) != 0x20) return false;
  // Protocol assignments with Teredo, 2001::/23, and documentation, 2001:db8::/32 and 3fff::/20.
  if (bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] <= 0x01) return false;
  if (bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] == 0x0d && bytes[3] == 0xb8) return false;
  if (bytes[0] == 0x3f && bytes[1] == 0xff && (bytes[2] & 0xf0) == 0) return false;
  // 6to4 carries an IPv4 address.
  if (bytes[0] == 0x20 && bytes[1] == 0x02) return is_public_v4(word(bytes + 2));
  return true;
}

bool ctransfer_is_public_address(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return is_public_v4(ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr));
  if (address->sa_family == AF_INET6)
    return is_public_v6(((const struct sockaddr_in6 *)address)->sin6_addr.s6_addr);
  return false;
}

/// The bytes of an address, of IPv4 also where IPv6 carries them as they are or for a translator (NAT64, RFC 6052 §2.1);
/// their number, 0 for what is no address.
static size_t bytes_of(const struct sockaddr *address, uint8_t bytes[16]) {
  static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  static const uint8_t translated[12] = {0x00, 0x64, 0xff, 0x9b};
  if (address->sa_family == AF_INET) {
    memcpy(bytes, &((const struct sockaddr_in *)address)->sin_addr, 4);
    return 4;
  }
  if (address->sa_family != AF_INET6) return 0;
  memcpy(bytes, &((const struct sockaddr_in6 *)address)->sin6_addr, 16);
  if (memcmp(bytes, mapped, sizeof(mapped)) != 0 && memcmp(bytes, translated, sizeof(translated)) != 0) return 16;
  memmove(bytes, bytes + 12, 4);
  return 4;
}

static bool shares_bits(const uint8_t *one, const uint8_t *other, int bits) {
  if (memcmp(one, other, (size_t)bits / 8) != 0) return false;
  uint8_t mask = (uint8_t)(0xff00 >> bits % 8);
  return mask == 0 || ((one[bits / 8] ^ other[bits / 8]) & mask) == 0;
}

static bool shares(const uint8_t *one, const uint8_t *other, size_t length, int bits) {
  int all = (int)length * 8;
  if (bits > all || bits < (length == 4 ? 8 : 32)) bits = all;
  return shares_bits(one, other, bits);
}

ctransfer_own ctransfer_is_own_address(const struct sockaddr *address) {
  uint8_t given[16], own[16], mask[16];
  size_t length = bytes_of(address, given);
  struct ifaddrs *all;
  if (getifaddrs(&all) != 0) return CTRANSFER_OWN_UNKNOWN;
  ctransfer_own is_own = CTRANSFER_OWN_NO;
  for (struct ifaddrs *next = all; next != NULL && length > 0; next = next->ifa_next) {
    if (next->ifa_addr == NULL || next->ifa_netmask == NULL || bytes_of(next->ifa_addr, own) != length) continue;
    int bits = 0;
    size_t masked = bytes_of(next->ifa_netmask, mask);
    while (bits < (int)masked * 8 && (mask[bits / 8] & (0x80 >> bits % 8))) bits++;
    if (shares(given, own, length, bits)) is_own = CTRANSFER_OWN_YES;
    // The other end of a line between two, or the broadcast address of the same network.
    if (next->ifa_dstaddr != NULL && bytes_of(next->ifa_dstaddr, own) == length && shares(given, own, length, bits))
      is_own = CTRANSFER_OWN_YES;
  }
  freeifaddrs(all);
  return is_own;
}

/// An address in text; false for anything else.
static bool parse(const char *text, struct sockaddr_storage *address) {
  memset(address, 0, sizeof(*address));
  struct sockaddr_in *four = (struct sockaddr_in *)address;
  struct sockaddr_in6 *six = (struct sockaddr_in6 *)address;
  if (inet_pton(AF_INET, text, &four->sin_addr) == 1) address->ss_family = AF_INET;
  else if (inet_pton(AF_INET6, text, &six->sin6_addr) == 1) address->ss_family = AF_INET6;
  else return false;
  return true;
}

ctransfer_own ctransfer_is_own(const char *text) {
  struct sockaddr_storage address;
  return parse(text, &address) ? ctransfer_is_own_address((struct sockaddr *)&address) : CTRANSFER_OWN_NO;
}

/// What no network admits: this machine's loopback, links on which clouds answer for their metadata, and groups.
static bool is_never_admitted(const uint8_t *bytes, size_t length) {
  static const block never[] = {
    {0x00000000, 8}, {0x7f000000, 8}, {0xa9fe0000, 16}, {0x646464c8, 32}, {0xa83f8110, 32}, {0xc00000c0, 32},
    {0xe0000000, 4}, {0xf0000000, 4},
  };
  if (length == 4) {
    for (size_t index = 0; index < sizeof(never) / sizeof(*never); index++)
      if ((word(bytes) & (UINT32_MAX << (32 - never[index].bits))) == never[index].base) return true;
    return false;
  }
  static const uint8_t zeros[12] = {0};
  // AWS's services for its machines: fd00:ec2::254 has the metadata, and fd00:ec2::23 gives credentials.
  static const uint8_t services[4] = {0xfd, 0x00, 0x0e, 0xc2};
  // Oracle's fd00:c1::a9fe:a9fe, Scaleway's fd00:42::42 and Google's fd20:ce::254.
  static const uint8_t metadata[][16] = {
    {0xfd, 0x00, 0x00, 0xc1, [12] = 0xa9, [13] = 0xfe, [14] = 0xa9, [15] = 0xfe},
    {0xfd, 0x00, 0x00, 0x42, [15] = 0x42},
    {0xfd, 0x20, 0x00, 0xce, [14] = 0x02, [15] = 0x54},
  };
  for (size_t index = 0; index < sizeof(metadata) / sizeof(*metadata); index++)
    if (memcmp(bytes, metadata[index], sizeof(*metadata)) == 0) return true;
  bool is_link = bytes[0] == 0xfe && (bytes[1] & 0xc0) == 0x80;
  return memcmp(bytes, zeros, sizeof(zeros)) == 0 || is_link || bytes[0] == 0xff ||
    memcmp(bytes, services, sizeof(services)) == 0;
}

bool ctransfer_is_in_networks(const struct sockaddr *address, const ctransfer_network *networks, size_t count) {
  uint8_t given[16], own[16];
  size_t length = bytes_of(address, given);
  if (length == 0 || is_never_admitted(given, length)) return false;
  for (size_t index = 0; index < count; index++) {
    struct sockaddr_storage network;
    if (!parse(networks[index].address, &network)) continue;
    int bits = networks[index].bits;
    if (bytes_of((struct sockaddr *)&network, own) == length && bits > 0 && bits <= (int)length * 8 &&
        shares_bits(given, own, bits))
      return true;
  }
  return false;
}

bool ctransfer_is_admitted(const char *text, const ctransfer_network *networks, size_t count) {
  struct sockaddr_storage address;
  return parse(text, &address) && ctransfer_is_in_networks((struct sockaddr *)&address, networks, count);
}

ctransfer_own ctransfer_is_this_machine(const struct sockaddr *address) {
  uint8_t given[16], own[16];
  size_t length = bytes_of(address, given);
  struct ifaddrs *all;
  if (getifaddrs(&all) != 0) return CTRANSFER_OWN_UNKNOWN;
  ctransfer_own is_own = CTRANSFER_OWN_NO;
  for (struct ifaddrs *next = all; next != NULL && length > 0; next = next->ifa_next)
    if (next->ifa_addr != NULL && bytes_of(next->ifa_addr, own) == length && memcmp(given, own, length) == 0)
      is_own = CTRANSFER_OWN_YES;
  freeifaddrs(all);
  return is_own;
}

bool ctransfer_shares_network(const char *address, const char *own, int bits) {
  struct sockaddr_storage one, other;
  uint8_t first[16], second[16];
  if (!parse(address, &one) || !parse(own, &other)) return false;
  size_t length = bytes_of((struct sockaddr *)&one, first);
  return bytes_of((struct sockaddr *)&other, second) == length && shares(first, second, length, bits);
}

bool ctransfer_admit(ctransfer_guard *guard, bool is_public) {
  if (is_public) guard->opened = true;
  else guard->refused = true;
  return is_public;
}

ctransfer_outcome ctransfer_guarded(const ctransfer_guard *guard, ctransfer_outcome outcome) {
  bool is_forbidden = outcome == CTRANSFER_UNREACHABLE && guard->refused && !guard->opened;
  return is_forbidden ? CTRANSFER_FORBIDDEN : outcome;
}

bool ctransfer_is_public(const char *text) {
  struct in_addr four;
  struct in6_addr six;
  if (inet_pton(AF_INET, text, &four) == 1) return is_public_v4(ntohl(four.s_addr));
  if (inet_pton(AF_INET6, text, &six) == 1) return is_public_v6(six.s6_addr);
  return false;
}
