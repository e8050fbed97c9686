// SPDX-License-Identifier: Apache-2.0

import Crypto
import CryptoExtras
import Foundation

/// The price of a guess at a password that was stored before Argon2id was used: scrypt (RFC 7914).
struct ScryptCost: Sendable, Equatable {
  /// Binary logarithm of the rounds N; memory is 128 · r · N bytes.
  let logRounds: Int
  let blockSize: Int
  let parallelism: Int

  /// What a stored hash may ask of us: a changed row must not make a server run out of memory.
  var isReasonable: Bool {
    (1...20).contains(logRounds) && (1...32).contains(blockSize) && (1...16).contains(parallelism)
      && blockSize << logRounds <= 1 << 21
  }

  func derive(_ password: Data, salt: Data, length: Int) throws -> Data {
    try KDF.Scrypt.deriveKey(
      from: password, salt: salt, outputByteCount: length, rounds: 1 << logRounds, blockSize: blockSize,
      parallelism: parallelism
    ).withUnsafeBytes { Data($0) }
  }
}
