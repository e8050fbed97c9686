// SPDX-License-Identifier: Apache-2.0

#include "CPKCS11.h"

#include <dlfcn.h>
#include <p11-kit/pkcs11.h>
#include <stdlib.h>
#include <string.h>

enum { NONCE = 12, TAG = 16, SLOTS_MAX = 256 };

struct cpkcs11_key {
  CK_FUNCTION_LIST_PTR api;
  CK_SESSION_HANDLE session;
  CK_OBJECT_HANDLE object;
};

static cpkcs11_outcome failed(CK_RV rv, unsigned long *status) {
  *status = rv;
  return CPKCS11_FAILED;
}

static cpkcs11_outcome load(const char *module, CK_FUNCTION_LIST_PTR *api, unsigned long *status) {
  // Never unloaded: other keys of this process may use it.
  void *library = dlopen(module, RTLD_NOW | RTLD_LOCAL);
  if (!library) return CPKCS11_NO_MODULE;
  CK_C_GetFunctionList list = (CK_C_GetFunctionList)dlsym(library, "C_GetFunctionList");
  if (!list || list(api) != CKR_OK || !*api) return CPKCS11_NO_MODULE;
  CK_C_INITIALIZE_ARGS arguments = {.flags = CKF_OS_LOCKING_OK};
  CK_RV rv = (*api)->C_Initialize(&arguments);
  return rv == CKR_OK || rv == CKR_CRYPTOKI_ALREADY_INITIALIZED ? CPKCS11_OK : failed(rv, status);
}

static cpkcs11_outcome find_slot(CK_FUNCTION_LIST_PTR api, const char *token, CK_SLOT_ID *found, unsigned long *status) {
  CK_SLOT_ID slots[SLOTS_MAX];
  CK_ULONG count = SLOTS_MAX;
  CK_RV rv = api->C_GetSlotList(CK_TRUE, slots, &count);
  if (rv != CKR_OK) return failed(rv, status);
  for (CK_ULONG index = 0; index < count; index++) {
    CK_TOKEN_INFO info;
    if (api->C_GetTokenInfo(slots[index], &info) != CKR_OK) continue;
    // The label is padded with spaces.
    size_t length = sizeof info.label;
    while (length > 0 && info.label[length - 1] == ' ') length--;
    if (length == strlen(token) && memcmp(info.label, token, length) == 0) {
      *found = slots[index];
      return CPKCS11_OK;
    }
  }
  return CPKCS11_NO_TOKEN;
}

/// - Returns: how many keys have the label, two at most; negative when the token fails.
static int find_key(struct cpkcs11_key *key, const char *label, unsigned long *status) {
  CK_OBJECT_CLASS class = CKO_SECRET_KEY;
  CK_KEY_TYPE type = CKK_AES;
  CK_ATTRIBUTE wanted[] = {{CKA_CLASS, &class, sizeof class},
                           {CKA_KEY_TYPE, &type, sizeof type},
                           {CKA_LABEL, (void *)label, strlen(label)}};
  CK_RV rv = key->api->C_FindObjectsInit(key->session, wanted, 3);
  CK_OBJECT_HANDLE objects[2];
  CK_ULONG count = 0;
  if (rv == CKR_OK) {
    rv = key->api->C_FindObjects(key->session, objects, 2, &count);
    key->api->C_FindObjectsFinal(key->session);
  }
  if (rv != CKR_OK) {
    *status = rv;
    return -1;
  }
  if (count == 1) key->object = objects[0];
  return (int)count;
}

static cpkcs11_outcome generate(struct cpkcs11_key *key, const char *label, unsigned long *status) {
  CK_BBOOL yes = CK_TRUE, no = CK_FALSE;
  CK_ULONG length = 32;
  CK_MECHANISM mechanism = {CKM_AES_KEY_GEN, NULL, 0};
  CK_ATTRIBUTE attributes[] = {{CKA_LABEL, (void *)label, strlen(label)}, {CKA_VALUE_LEN, &length, sizeof length},
                               {CKA_TOKEN, &yes, sizeof yes},             {CKA_PRIVATE, &yes, sizeof yes},
                               {CKA_SENSITIVE, &yes, sizeof yes},         {CKA_EXTRACTABLE, &no, sizeof no},
                               {CKA_ENCRYPT, &yes, sizeof yes},           {CKA_DECRYPT, &yes, sizeof yes}};
  CK_RV rv = key->api->C_GenerateKey(key->session, &mechanism, attributes, sizeof attributes / sizeof *attributes,
                                     &key->object);
  if (rv != CKR_OK) return failed(rv, status);
  // Another machine may have made one of the same name meanwhile. Every later start would find two and use neither.
  CK_OBJECT_HANDLE own = key->object;
  if (find_key(key, label, status) == 1) return CPKCS11_OK;
  key->api->C_DestroyObject(key->session, own);
  return CPKCS11_NO_KEY;
}

bool cpkcs11_takes_try(unsigned long flags) { return (flags & (CKF_USER_PIN_FINAL_TRY | CKF_USER_PIN_LOCKED)) == 0; }

/// A service with a wrong PIN is started again and again. A token that its tries have locked serves no node any more,
/// and is opened by its security officer alone.
static bool is_last_try(struct cpkcs11_key *key, CK_SLOT_ID slot) {
  CK_SESSION_INFO session;
  CK_TOKEN_INFO token;
  if (key->api->C_GetSessionInfo(key->session, &session) == CKR_OK &&
      (session.state == CKS_RO_USER_FUNCTIONS || session.state == CKS_RW_USER_FUNCTIONS))
    return false;
  return key->api->C_GetTokenInfo(slot, &token) == CKR_OK && !cpkcs11_takes_try(token.flags);
}

cpkcs11_outcome cpkcs11_open(const char *module, const char *token, const char *label, const char *pin, bool generates,
                             cpkcs11_key **key, unsigned long *status) {
  *status = 0;
  CK_FUNCTION_LIST_PTR api = NULL;
  CK_SLOT_ID slot = 0;
  cpkcs11_outcome outcome = load(module, &api, status);
  if (outcome == CPKCS11_OK) outcome = find_slot(api, token, &slot, status);
  if (outcome != CPKCS11_OK) return outcome;
  struct cpkcs11_key *made = calloc(1, sizeof *made);
  if (!made) return failed(CKR_HOST_MEMORY, status);
  made->api = api;
  CK_FLAGS flags = CKF_SERIAL_SESSION | (generates ? CKF_RW_SESSION : 0);
  CK_RV rv = api->C_OpenSession(slot, flags, NULL, NULL, &made->session);
  if (rv != CKR_OK) {
    free(made);
    return failed(rv, status);
  }
  bool is_last = is_last_try(made, slot);
  if (!is_last) rv = api->C_Login(made->session, CKU_USER, (unsigned char *)pin, strlen(pin));
  if (is_last) {
    outcome = CPKCS11_LAST_TRY;
  } else if (rv == CKR_PIN_INCORRECT || rv == CKR_PIN_LEN_RANGE || rv == CKR_PIN_LOCKED || rv == CKR_PIN_INVALID) {
    outcome = CPKCS11_LOGIN;
  } else if (rv != CKR_OK && rv != CKR_USER_ALREADY_LOGGED_IN) {
    outcome = failed(rv, status);
  } else {
    int count = find_key(made, label, status);
    if (count < 0) outcome = CPKCS11_FAILED;
    else if (count == 0 && generates) outcome = generate(made, label, status);
    else if (count != 1) outcome = CPKCS11_NO_KEY;
  }
  if (outcome == CPKCS11_OK) *key = made;
  else cpkcs11_close(made);
  return outcome;
}

void cpkcs11_close(cpkcs11_key *key) {
  key->api->C_CloseSession(key->session);
  free(key);
}

static CK_MECHANISM gcm(CK_GCM_PARAMS *parameters, const uint8_t *nonce, const uint8_t *context, size_t context_size) {
  *parameters = (CK_GCM_PARAMS){.pIv = (CK_BYTE_PTR)nonce,
                                .ulIvLen = NONCE,
                                .ulIvBits = NONCE * 8,
                                .pAAD = (CK_BYTE_PTR)context,
                                .ulAADLen = context_size,
                                .ulTagBits = TAG * 8};
  return (CK_MECHANISM){CKM_AES_GCM, parameters, sizeof *parameters};
}

cpkcs11_outcome cpkcs11_seal(cpkcs11_key *key, const uint8_t *context, size_t context_size, const uint8_t *bytes,
                             size_t size, uint8_t *sealed, unsigned long *status) {
  *status = 0;
  CK_RV rv = key->api->C_GenerateRandom(key->session, sealed, NONCE);
  CK_GCM_PARAMS parameters;
  CK_MECHANISM mechanism = gcm(&parameters, sealed, context, context_size);
  if (rv == CKR_OK) rv = key->api->C_EncryptInit(key->session, &mechanism, key->object);
  CK_ULONG length = size + TAG;
  if (rv == CKR_OK) rv = key->api->C_Encrypt(key->session, (CK_BYTE_PTR)bytes, size, sealed + NONCE, &length);
  if (rv == CKR_OK && length != size + TAG) rv = CKR_GENERAL_ERROR;
  return rv == CKR_OK ? CPKCS11_OK : failed(rv, status);
}

cpkcs11_outcome cpkcs11_unseal(cpkcs11_key *key, const uint8_t *context, size_t context_size, const uint8_t *sealed,
                               size_t size, uint8_t *bytes, unsigned long *status) {
  *status = 0;
  if (size < CPKCS11_OVERHEAD) return CPKCS11_NOT_SEALED;
  // Some modules want room for the tag, too.
  CK_ULONG length = size - NONCE;
  uint8_t *plain = malloc(length);
  if (!plain) return failed(CKR_HOST_MEMORY, status);
  CK_GCM_PARAMS parameters;
  CK_MECHANISM mechanism = gcm(&parameters, sealed, context, context_size);
  CK_RV rv = key->api->C_DecryptInit(key->session, &mechanism, key->object);
  bool begun = rv == CKR_OK;
  if (begun) rv = key->api->C_Decrypt(key->session, (CK_BYTE_PTR)sealed + NONCE, size - NONCE, plain, &length);
  if (rv == CKR_OK && length == size - CPKCS11_OVERHEAD) memcpy(bytes, plain, length);
  else if (rv == CKR_OK) rv = CKR_GENERAL_ERROR;
  explicit_bzero(plain, size - NONCE);
  free(plain);
  if (rv == CKR_OK) return CPKCS11_OK;
  *status = rv;
  // Modules name a wrong tag in several ways.
  return begun && (rv == CKR_ENCRYPTED_DATA_INVALID || rv == CKR_ENCRYPTED_DATA_LEN_RANGE || rv == CKR_GENERAL_ERROR ||
                   rv == CKR_SIGNATURE_INVALID)
             ? CPKCS11_NOT_SEALED
             : CPKCS11_FAILED;
}
