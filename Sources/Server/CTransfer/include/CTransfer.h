// SPDX-License-Identifier: Apache-2.0

#ifndef GATEHOUSE_CTRANSFER_H
#define GATEHOUSE_CTRANSFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libcurl behind two blocking calls, because its variadic setters cannot be called from Swift. Each call has a handle to
// itself, so calls may run on any number of threads. Nothing is read from the environment, no proxy, no .netrc, and no
// redirect is followed. Over TLS, HTTP/2 is spoken to peers that take it.

#ifdef __cplusplus
extern "C" {
#endif

/// How a call ended.
typedef enum {
  CTRANSFER_OK = 0,
  /// No address, no route, refused, or the connection broke.
  CTRANSFER_UNREACHABLE = 1,
  CTRANSFER_TIMED_OUT = 2,
  /// The peer's certificate is not trusted, or TLS was required and not offered.
  CTRANSFER_TLS = 3,
  /// The user name or password was refused, or no common mechanism.
  CTRANSFER_LOGIN = 4,
  /// The peer answered that it does not take this message; `status` says with which code.
  CTRANSFER_REFUSED = 5,
  /// A setting that libcurl does not take.
  CTRANSFER_MISUSE = 6,
  /// Anything else.
  CTRANSFER_FAILED = 7,
  /// Every address of the peer that was tried is one that must not be called: see `public_only`.
  CTRANSFER_FORBIDDEN = 8,
} ctransfer_outcome;

/// Where SMTP gets its TLS from.
typedef enum {
  CTRANSFER_TLS_NONE = 0,
  CTRANSFER_TLS_IF_OFFERED = 1,
  CTRANSFER_TLS_REQUIRED = 2,
} ctransfer_starttls;

/// A network whose addresses may be connected to although they are not public.
typedef struct {
  /// Of IPv4 or IPv6.
  const char *address;
  /// Bits that all of its addresses share.
  int bits;
} ctransfer_network;

/// What both protocols need. All strings are UTF-8 and end in NUL; NULL where said.
typedef struct {
  const char *url;
  /// PEM file of trusted certificates; NULL for the system's.
  const char *ca_file;
  long connect_timeout_ms;
  /// For the whole call.
  long timeout_ms;
  /// Whether the connection of an HTTP request is kept for the next one to the same scheme, host and port. A request
  /// that finds a kept connection dead is sent again over a new one.
  bool keeps_open;
  /// Whether only public addresses are connected to, and none of a network that this machine is in. Asked of each
  /// address when it is about to be connected to, so that a name that changes its mind after it was looked at gains
  /// nothing.
  bool public_only;
  /// With `public_only`: networks that are connected to as well, but for what never is: see `ctransfer_is_admitted`.
  const ctransfer_network *networks;
  size_t network_count;
} ctransfer_peer;

typedef struct {
  ctransfer_starttls starttls;
  /// NULL without login.
  const char *user;
  const char *password;
  /// Envelope sender and recipient, without angle brackets.
  const char *from;
  const char *to;
  /// The whole message, lines ending in CR LF. Leading dots are doubled here.
  const uint8_t *message;
  size_t message_length;
} ctransfer_mail;

typedef struct {
  const char *method;
  /// `Name: value` each.
  const char *const *headers;
  size_t header_count;
  const uint8_t *body;
  size_t body_length;
} ctransfer_request;

/// Sends one message. `status` becomes the last SMTP reply code, 0 when there was none.
ctransfer_outcome ctransfer_send_mail(const ctransfer_peer *peer, const ctransfer_mail *mail, long *status);

/// Whether an address, IPv4 or IPv6 in text, is one of the public Internet: none of those that IANA's registries of
/// special-purpose addresses keep for machines, networks, links, groups, documentation and tests (RFC 6890), also where
/// an IPv6 address carries an IPv4 one. What is no address is not public.
bool ctransfer_is_public(const char *address);

/// Whether an address is of a network that this machine has an address in.
typedef enum {
  CTRANSFER_OWN_NO = 0,
  CTRANSFER_OWN_YES = 1,
  /// The system did not tell its addresses.
  CTRANSFER_OWN_UNKNOWN = 2,
} ctransfer_own;

/// Whether an address, IPv4 or IPv6 in text, is one of this machine or of a network that one of its interfaces is in,
/// now, or the other end of a line between two: such a network may have public addresses, as every one of IPv6 has, and
/// what stands in it may be open to its neighbours alone. What is no address is of no network.
ctransfer_own ctransfer_is_own(const char *address);

/// Whether an address in text is in one of the networks, and none that no network admits: loopback, link-local
/// addresses, groups, and those by which clouds answer their machines for metadata. An address of this machine itself
/// is turned away when it is about to be connected to.
bool ctransfer_is_admitted(const char *text, const ctransfer_network *networks, size_t count);

/// Whether two addresses of one kind, in text, are in one network of so many bits. One of fewer bits than a network of
/// machines has, 8 of IPv4 and 32 of IPv6, is a tunnel to everywhere: then only the same address is.
bool ctransfer_shares_network(const char *address, const char *own, int bits);

/// What became of the addresses of one call that goes to public ones only.
typedef struct {
  /// Whether one was turned away.
  bool refused;
  /// Whether one was let through.
  bool opened;
} ctransfer_guard;

/// Notes one address of a call, and says whether it may be connected to.
bool ctransfer_admit(ctransfer_guard *guard, bool is_public);

/// How a guarded call ended: `CTRANSFER_UNREACHABLE` becomes `CTRANSFER_FORBIDDEN` only when every address was
/// turned away. A name with one public address and one private one was called, and may answer the next time.
ctransfer_outcome ctransfer_guarded(const ctransfer_guard *guard, ctransfer_outcome outcome);

/// Where the body of an answer goes.
typedef struct {
  uint8_t *bytes;
  size_t capacity;
  /// How many bytes came; a body that does not fit ends the call as failed.
  size_t length;
} ctransfer_answer;

/// Sends one HTTP request. `status` becomes the HTTP status, 0 when there was none. When `answer` is NULL the body is
/// dropped, and the status is the answer: whether the body is too long, or breaks off, changes nothing.
ctransfer_outcome ctransfer_send_request(
  const ctransfer_peer *peer, const ctransfer_request *request, ctransfer_answer *answer, long *status);

#ifdef __cplusplus
}
#endif

#endif
