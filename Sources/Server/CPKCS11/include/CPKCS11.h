// SPDX-License-Identifier: Apache-2.0

#ifndef GATEHOUSE_CPKCS11_H
#define GATEHOUSE_CPKCS11_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A PKCS#11 module (version 2.40) behind four blocking calls. The module is loaded with `dlopen` and stays loaded. One AES
// key of a token encrypts and decrypts with GCM inside the module; it never leaves it. A key does one call at a time: its
// owner sees to that.

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  CPKCS11_OK = 0,
  /// The module cannot be loaded, or is no PKCS#11 module.
  CPKCS11_NO_MODULE = 1,
  /// No token has that label.
  CPKCS11_NO_TOKEN = 2,
  /// The PIN was refused.
  CPKCS11_LOGIN = 3,
  /// The token has no AES key of that label, or more than one.
  CPKCS11_NO_KEY = 4,
  /// The bytes were not sealed with this key and context, or were changed.
  CPKCS11_NOT_SEALED = 5,
  /// Anything else; `CK_RV` of the call is in `status`.
  CPKCS11_FAILED = 6,
  /// A wrong PIN would lock the token, or has: none was tried.
  CPKCS11_LAST_TRY = 7,
} cpkcs11_outcome;

typedef struct cpkcs11_key cpkcs11_key;

/// Loads the module, signs in to the token and finds its key.
/// - generates: makes the key when the token has none of the label: AES-256, sensitive, not extractable.
/// - key: to be closed by `cpkcs11_close`; set on CPKCS11_OK only.
cpkcs11_outcome cpkcs11_open(const char *module, const char *token, const char *label, const char *pin, bool generates,
                             cpkcs11_key **key, unsigned long *status);

/// Whether a token with these flags of its `CK_TOKEN_INFO` takes a PIN that may be wrong without being locked by it.
bool cpkcs11_takes_try(unsigned long flags);

void cpkcs11_close(cpkcs11_key *key);

/// What `cpkcs11_seal` adds to a text: nonce (12) before it, tag (16) after it.
#define CPKCS11_OVERHEAD 28

/// Nonce, AES-GCM ciphertext and tag of `size` bytes; `sealed` has room for `size + CPKCS11_OVERHEAD`.
cpkcs11_outcome cpkcs11_seal(cpkcs11_key *key, const uint8_t *context, size_t context_size, const uint8_t *bytes,
                             size_t size, uint8_t *sealed, unsigned long *status);

/// The opposite; `bytes` has room for `size - CPKCS11_OVERHEAD`.
cpkcs11_outcome cpkcs11_unseal(cpkcs11_key *key, const uint8_t *context, size_t context_size, const uint8_t *sealed,
                               size_t size, uint8_t *bytes, unsigned long *status);

#ifdef __cplusplus
}
#endif

#endif
