import Foundation
import Kit
import PowerAuthCore

/// A request that was authentic, timely and new.
package struct Decrypted: Sendable {
  package let plaintext: Data
  /// Encrypts the one answer.
  let answer: ECIESResponseEncryptor
  /// Whose keys it was encrypted with; nil in the scope of the application.
  package let activation: Activation?
  package let application: PowerAuthApplication
  let world: World

  /// The answer's envelope.
  /// - Throws: `PowerAuthError.tooLong`.
  package func encrypt(_ answer: Data) throws(PowerAuthError) -> ECIESResponse {
    try self.answer.encrypt(
      answer, timestamp: UInt64(max(0, world.now().milliseconds)), randomness: Randomness(world.random))
  }
}
