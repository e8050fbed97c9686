// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Keys whose signatures are not looked at: only the form of what carries them is read.
public struct ECPublicKey {
  func isValidSignature(_ signature: Data, for bytes: Data) -> Bool { true }
}

public struct ECPrivateKey {
  func signature(for bytes: Data) throws(PowerAuthError) -> Data { Data(count: 72) }
}
