// SPDX-License-Identifier: Apache-2.0

import SaltEdgeCore
import Synchronization

/// RSA keys of tests. A key takes long to make, so each is made once in a run.
package enum TestKeys {
  private static let made = Mutex<[String: RSAPrivateKey]>([:])

  package static func named(_ name: String) throws(SaltEdgeError) -> RSAPrivateKey {
    if let key = made.withLock({ $0[name] }) { return key }
    let key = try RSAPrivateKey.generate()
    return made.withLock { keys in
      if let other = keys[name] { return other }
      keys[name] = key
      return key
    }
  }

  package static func bank() throws(SaltEdgeError) -> RSAPrivateKey { try named("bank") }
  package static func device() throws(SaltEdgeError) -> RSAPrivateKey { try named("device") }
}

/// Draws the keys of one app under test: another key at each call, and the same ones in each app.
package final class KeySequence: Sendable {
  private let drawn = Mutex(0)

  package init() {}

  package func next() throws -> RSAPrivateKey {
    let number = drawn.withLock { count in
      count += 1
      return count
    }
    return try TestKeys.named("drawn \(number)")
  }
}
