// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A key that finds every signature right: what is read only behind a right one is read here too.
public struct RSAPublicKey {
  let modulusBytes = 256

  func isValidSignature(_ signature: Data, for bytes: Data) -> Bool { true }
}

public struct RSAPrivateKey {
  func signature(for bytes: Data) throws(SaltEdgeError) -> Data { Data(count: 256) }
}
