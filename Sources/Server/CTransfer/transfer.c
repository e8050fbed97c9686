// SPDX-License-Identifier: Apache-2.0

#include "CTransfer.h"

#include "guard.h"

#include <curl/curl.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>

/// The answer's body is of no use, but it must not be endless either.
static const curl_off_t answer_bytes_max = 1 << 20;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode started = CURLE_FAILED_INIT;

static void start(void) { started = curl_global_init(CURL_GLOBAL_DEFAULT); }

typedef struct {
  const uint8_t *bytes;
  size_t left;
} source;

static size_t read_source(char *into, size_t size, size_t count, void *context) {
  source *from = context;
  size_t length = size * count < from->left ? size * count : from->left;
  if (length == 0) return 0;
  memcpy(into, from->bytes, length);
  from->bytes += length;
  from->left -= length;
  return length;
}

typedef struct {
  curl_off_t seen;
} drain;

static size_t drop_answer(char *bytes, size_t size, size_t count, void *context) {
  (void)bytes;
  drain *into = context;
  into->seen += (curl_off_t)(size * count);
  return into->seen > answer_bytes_max ? 0 : size * count;
}

static ctransfer_outcome outcome(CURLcode code) {
  switch (code) {
    case CURLE_OK: return CTRANSFER_OK;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_RECV_ERROR: return CTRANSFER_UNREACHABLE;
    case CURLE_OPERATION_TIMEDOUT: return CTRANSFER_TIMED_OUT;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_USE_SSL_FAILED: return CTRANSFER_TLS;
    case CURLE_LOGIN_DENIED: return CTRANSFER_LOGIN;
    case CURLE_QUOTE_ERROR:
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UPLOAD_FAILED: return CTRANSFER_REFUSED;
    case CURLE_URL_MALFORMAT:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_UNKNOWN_OPTION:
    case CURLE_FAILED_INIT: return CTRANSFER_MISUSE;
    default: return CTRANSFER_FAILED;
  }
}

/// Handles that are not in use, the oldest first, with the connections that they opened.
typedef struct {
  CURL *curl;
  char origin[256];
} idle_handle;

enum { idle_handles_max = 16 };
static idle_handle idle[idle_handles_max];
static size_t idle_count;
static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;

/// Scheme, host and port of a URL; 0 when it does not fit.
static size_t origin_length(const char *url) {
  const char *host = strstr(url, "://");
  if (host == NULL) return 0;
  size_t length = (size_t)(host + 3 - url) + strcspn(host + 3, "/?#");
  return length < sizeof(idle[0].origin) ? length : 0;
}

static CURL *take_idle(const char *url) {
  size_t length = origin_length(url);
  CURL *taken = NULL;
  pthread_mutex_lock(&idle_lock);
  for (size_t index = idle_count; index > 0 && taken == NULL && length > 0; index--) {
    idle_handle *found = &idle[index - 1];
    if (strncmp(found->origin, url, length) != 0 || found->origin[length] != 0) continue;
    taken = found->curl;
    memmove(found, found + 1, (idle_count - index) * sizeof(*found));
    idle_count--;
  }
  pthread_mutex_unlock(&idle_lock);
  return taken;
}

/// Forgets every setting and every secret of the call, but not the connection.
static void keep_idle(CURL *curl, const char *url) {
  size_t length = origin_length(url);
  curl_easy_reset(curl);
  CURL *surplus = length == 0 ? curl : NULL;
  pthread_mutex_lock(&idle_lock);
  if (surplus == NULL) {
    if (idle_count == idle_handles_max) {
      surplus = idle[0].curl;
      memmove(idle, idle + 1, --idle_count * sizeof(*idle));
    }
    idle[idle_count].curl = curl;
    memcpy(idle[idle_count].origin, url, length);
    idle[idle_count++].origin[length] = 0;
  }
  pthread_mutex_unlock(&idle_lock);
  if (surplus != NULL) curl_easy_cleanup(surplus);
}

/// What decides on the sockets of one call.
typedef struct {
  ctransfer_guard *watch;
  const ctransfer_peer *peer;
} admission;

/// Opens the sockets of one call.
static curl_socket_t open_public(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  const admission *call = context;
  // The networks that the operator named come first: this machine is often in one of them, with the receiver.
  if (purpose == CURLSOCKTYPE_IPCXN &&
      ctransfer_is_in_networks(&address->addr, call->peer->networks, call->peer->network_count)) {
    ctransfer_own own = ctransfer_is_this_machine(&address->addr);
    if (own == CTRANSFER_OWN_UNKNOWN) return CURL_SOCKET_BAD;
    if (!ctransfer_admit(call->watch, own == CTRANSFER_OWN_NO)) return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype, address->protocol);
  }
  ctransfer_own own = ctransfer_is_own_address(&address->addr);
  bool is_public = purpose == CURLSOCKTYPE_IPCXN && own != CTRANSFER_OWN_YES &&
    ctransfer_is_public_address(&address->addr);
  // What the system does not tell now it may tell the next time: the call is not forbidden for good.
  if (is_public && own == CTRANSFER_OWN_UNKNOWN) return CURL_SOCKET_BAD;
  if (!ctransfer_admit(call->watch, is_public)) return CURL_SOCKET_BAD;
  return socket(address->family, address->socktype, address->protocol);
}

static CURL *open_handle(const ctransfer_peer *peer, const char *protocols, drain *answer, admission *call) {
  pthread_once(&once, start);
  if (started != CURLE_OK) return NULL;
  CURL *curl = peer->keeps_open ? take_idle(peer->url) : NULL;
  if (curl == NULL) curl = curl_easy_init();
  if (curl == NULL) return NULL;
  // Every setter's answer matters: a security option that did not take must not be ignored.
  CURLcode code = curl_easy_setopt(curl, CURLOPT_URL, peer->url);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, protocols);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_PROXY, "");
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 0L);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_SSL_VERIFYPEER, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_SSL_VERIFYHOST, 2L);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, peer->connect_timeout_ms);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, peer->timeout_ms);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop_answer);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, answer);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_2TLS);
  if (code == CURLE_OK && peer->public_only) {
    code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETFUNCTION, open_public);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_OPENSOCKETDATA, call);
    // A connection that was opened without the guard must not serve a call with it.
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_FRESH_CONNECT, 1L);
  }
  if (code == CURLE_OK && peer->ca_file != NULL) {
    // Only these certificates: the system's directory must not widen what the operator named.
    code = curl_easy_setopt(curl, CURLOPT_CAINFO, peer->ca_file);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_CAPATH, NULL);
  }
  if (code == CURLE_OK) return curl;
  curl_easy_cleanup(curl);
  return NULL;
}

static ctransfer_outcome perform(CURL *curl, CURLcode prepared, long *status) {
  CURLcode code = prepared == CURLE_OK ? curl_easy_perform(curl) : prepared;
  if (curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, status) != CURLE_OK) *status = 0;
  // libcurl has the same code for an answer that is no HTTP, as a proxy gives while it starts: the address is right
  // then, and the next try may be answered.
  long sent = 0;
  if (curl_easy_getinfo(curl, CURLINFO_REQUEST_SIZE, &sent) != CURLE_OK) sent = 0;
  if (code == CURLE_UNSUPPORTED_PROTOCOL && sent > 0) return CTRANSFER_FAILED;
  return outcome(code);
}

ctransfer_outcome ctransfer_send_mail(const ctransfer_peer *peer, const ctransfer_mail *mail, long *status) {
  *status = 0;
  drain answer = {0};
  source message = {mail->message, mail->message_length};
  ctransfer_guard watch = {false, false};
  admission call = {&watch, peer};
  CURL *curl = open_handle(peer, "smtp,smtps", &answer, &call);
  if (curl == NULL) return CTRANSFER_MISUSE;
  struct curl_slist *recipients = curl_slist_append(NULL, mail->to);
  long use_ssl = CURLUSESSL_ALL;
  if (mail->starttls == CTRANSFER_TLS_NONE) use_ssl = CURLUSESSL_NONE;
  if (mail->starttls == CTRANSFER_TLS_IF_OFFERED) use_ssl = CURLUSESSL_TRY;

  CURLcode code = recipients == NULL ? CURLE_FAILED_INIT : CURLE_OK;
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_USE_SSL, use_ssl);
  if (code == CURLE_OK && mail->user != NULL) {
    code = curl_easy_setopt(curl, CURLOPT_USERNAME, mail->user);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_PASSWORD, mail->password);
  }
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_MAIL_FROM, mail->from);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_MAIL_RCPT, recipients);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_UPLOAD, 1L);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_READFUNCTION, read_source);
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_READDATA, &message);
  ctransfer_outcome result = perform(curl, code, status);
  // libcurl reports a refused sender or recipient as a failed send; the reply code tells it from a broken line.
  result = ctransfer_guarded(&watch, result);
  if (result == CTRANSFER_UNREACHABLE && *status >= 400) result = CTRANSFER_REFUSED;
  curl_slist_free_all(recipients);
  curl_easy_cleanup(curl);
  return result;
}

static size_t keep_answer(char *bytes, size_t size, size_t count, void *context) {
  ctransfer_answer *into = context;
  size_t length = size * count;
  if (length > into->capacity - into->length) return 0;
  memcpy(into->bytes + into->length, bytes, length);
  into->length += length;
  return length;
}

ctransfer_outcome ctransfer_send_request(
  const ctransfer_peer *peer, const ctransfer_request *request, ctransfer_answer *kept, long *status) {
  *status = 0;
  drain answer = {0};
  ctransfer_guard watch = {false, false};
  admission call = {&watch, peer};
  CURL *curl = open_handle(peer, "http,https", &answer, &call);
  if (curl == NULL) return CTRANSFER_MISUSE;
  struct curl_slist *headers = NULL;
  CURLcode code = CURLE_OK;
  for (size_t index = 0; index < request->header_count && code == CURLE_OK; index++) {
    struct curl_slist *longer = curl_slist_append(headers, request->headers[index]);
    if (longer == NULL) code = CURLE_OUT_OF_MEMORY;
    else headers = longer;
  }
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
  if (code == CURLE_OK && request->body_length > 0) {
    code = curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_POSTFIELDS, (const char *)request->body);
  }
  if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, request->method);
  if (code == CURLE_OK && kept != NULL) {
    kept->length = 0;
    code = curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, keep_answer);
    if (code == CURLE_OK) code = curl_easy_setopt(curl, CURLOPT_WRITEDATA, kept);
  }
  ctransfer_outcome result = perform(curl, code, status);
  result = ctransfer_guarded(&watch, result);
  // The body is not read. A status below 200 is not the answer yet.
  if (kept == NULL && result != CTRANSFER_OK && *status >= 200) result = CTRANSFER_OK;
  if (result == CTRANSFER_OK && peer->keeps_open) keep_idle(curl, peer->url);
  else curl_easy_cleanup(curl);
  curl_slist_free_all(headers);
  return result;
}
