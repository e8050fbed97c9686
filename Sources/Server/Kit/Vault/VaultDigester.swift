// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

/// A keyed digest of bytes that come in pieces (`Vault.digester`).
package struct VaultDigester {
  private var code: HMAC<SHA256>

  init(code: HMAC<SHA256>) { self.code = code }

  package mutating func update(_ bytes: Data) { code.update(data: bytes) }

  /// Of what came so far, in hexadecimal digits.
  package var digest: String { code.finalize().withUnsafeBytes { $0.hex } }
}
