// SPDX-License-Identifier: Apache-2.0

import CSodium
import Foundation

/// The price of one password guess: Argon2id (RFC 9106), a memory-hard function, with one lane.
package struct PasswordCost: Sendable, Equatable {
  /// In KiB; at least 8.
  package let memory: Int
  /// Over the whole memory.
  package let passes: Int

  package init(memory: Int, passes: Int) { (self.memory, self.passes) = (memory, passes) }

  /// The least that OWASP's Password Storage Cheat Sheet recommends for Argon2id, which it names first.
  package static let standard = PasswordCost(memory: 19_456, passes: 2)

  static let saltLength = Int(crypto_pwhash_argon2id_SALTBYTES)

  /// What a stored hash may ask of us: a changed row must not make a server run out of memory.
  var isReasonable: Bool { (8...1 << 18).contains(memory) && (1...16).contains(passes) }

  var work: Int { memory * passes }

  private static let isReady = sodium_init() >= 0

  /// - Parameter salt: of `saltLength` bytes.
  /// - Throws: `PasswordHash.Failure`.
  func derive(_ password: Data, salt: Data, length: Int) throws -> Data {
    guard Self.isReady, salt.count == Self.saltLength else { throw PasswordHash.Failure() }
    var output = [UInt8](repeating: 0, count: length)
    // It takes no nil, which an empty password would be without the byte behind it.
    let text = password.map { CChar(bitPattern: $0) } + [0]
    let failed = crypto_pwhash_argon2id(
      &output, UInt64(length), text, UInt64(password.count), Array(salt), UInt64(passes), memory * 1024,
      crypto_pwhash_argon2id_ALG_ARGON2ID13)
    guard failed == 0 else { throw PasswordHash.Failure() }
    return Data(output)
  }
}
