// SPDX-License-Identifier: Apache-2.0

import Foundation

/// PowerAuth's headers (chapter “Computing and Validating Signatures”): whatever is taken is written and read again.
func fuzz(_ bytes: Data) {
  let value = text(bytes)
  if let header = try? SignatureHeader(value: value) {
    precondition((try? SignatureHeader(value: header.value)) == header)
  }
  if let header = try? TokenHeader(value: value) { precondition((try? TokenHeader(value: header.value)) == header) }
  if let header = try? EncryptionHeader(value: value) {
    precondition((try? EncryptionHeader(value: header.value)) == header)
  }
  _ = try? CompactJWT(text: value, algorithm: .es256)
}
