// SPDX-License-Identifier: Apache-2.0

import CArgon2
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

  static let saltLength = 16

  /// What a stored hash may ask of us: a changed row must not make a server run out of memory.
  var isReasonable: Bool { (8...1 << 16).contains(memory) && (1...16).contains(passes) }

  var work: Int { memory * passes }

  /// - Throws: `PasswordHash.Failure`.
  func derive(_ password: Data, salt: Data, length: Int) throws -> Data {
    var output = [UInt8](repeating: 0, count: length)
    let (text, salt) = (Array(password), Array(salt))
    let result = argon2id_hash_raw(
      UInt32(passes), UInt32(memory), 1, text, text.count, salt, salt.count, &output, output.count)
    guard result == ARGON2_OK.rawValue else { throw PasswordHash.Failure() }
    return Data(output)
  }
}
