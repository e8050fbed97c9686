// SPDX-License-Identifier: Apache-2.0

import Foundation
import Locks

/// Encrypts a request of an application and decrypts its answer, as published networking code expects it
/// (powerauth.md §10). Comes from `PowerAuthSDK`; one request and its answer each.
public final class PowerAuthCoreEciesEncryptor: Sendable {
  /// What one request is encrypted with, at the moment when it is.
  public struct Moment: Sendable {
    public let encryptor: ECIESEncryptor
    /// Milliseconds since 1970, of the corrected clock.
    public let timestamp: UInt64

    public init(encryptor: ECIESEncryptor, timestamp: UInt64) {
      self.encryptor = encryptor
      self.timestamp = timestamp
    }
  }

  private struct Answer {
    let version: ProtocolVersion
    let decryptor: ECIESResponseDecryptor
  }

  /// The header for requests without a signature.
  public let associatedMetaData: PowerAuthCoreEciesMetaData?
  /// The same by the version that the app is configured with, of an encryptor that speaks an older one because of who
  /// may use it. Networking that sends every member of that version takes this one.
  package let configured: PowerAuthCoreEciesEncryptor?
  /// Whether what is too long is replaced by an empty request that no server can decrypt. Networking for SDK 1.8 posts
  /// in the clear what an encryptor gives nil for, and an empty request that can be decrypted might be taken for the
  /// whole.
  private let isNeverNil: Bool
  private let moment: @Sendable () -> Moment?
  private let randomness: Randomness
  private let answer = Guarded<Answer?>(nil)

  /// - Parameter moment: called for each request, since keys are replaced and clocks are set; nil when there is no key
  ///   yet or the time is not known.
  public convenience init(
    header: EncryptionHeader, randomness: Randomness, moment: @escaping @Sendable () -> Moment?
  ) {
    self.init(header: header, randomness: randomness, configured: nil, isNeverNil: false, moment: moment)
  }

  package init(
    header: EncryptionHeader, randomness: Randomness, configured: PowerAuthCoreEciesEncryptor?, isNeverNil: Bool,
    moment: @escaping @Sendable () -> Moment?
  ) {
    associatedMetaData = PowerAuthCoreEciesMetaData(header)
    (self.configured, self.isNeverNil) = (configured, isNeverNil)
    self.randomness = randomness
    self.moment = moment
  }

  /// - Parameter data: the plaintext; nil is empty.
  /// - Returns: nil when it cannot be encrypted now. Nothing may be sent then.
  public func encryptRequest(_ data: Data?) -> PowerAuthCoreEciesCryptogram? {
    guard let moment = moment() else { return nil }
    let sealed = seal(data ?? Data(), by: moment.encryptor, at: moment.timestamp)
    guard let (request, decryptor) = sealed ?? unreadable(at: moment) else { return nil }
    answer.withLock { $0 = Answer(version: moment.encryptor.parameters.version, decryptor: decryptor) }
    return PowerAuthCoreEciesCryptogram(request)
  }

  private typealias Sealed = (request: ECIESRequest, answer: ECIESResponseDecryptor)

  private func seal(_ plaintext: Data, by encryptor: ECIESEncryptor, at timestamp: UInt64) -> Sealed? {
    try? encryptor.encrypt(plaintext, timestamp: timestamp, randomness: randomness)
  }

  private func unreadable(at moment: Moment) -> Sealed? {
    guard isNeverNil else { return nil }
    let encryptor = ECIESEncryptor(withoutReader: moment.encryptor.parameters, randomness: randomness)
    return seal(Data(), by: encryptor, at: moment.timestamp)
  }

  /// - Returns: nil when there was no request, or this is not its answer.
  public func decryptResponse(_ cryptogram: PowerAuthCoreEciesCryptogram) -> Data? {
    guard let answer = answer.withLock({ $0 }), let response = cryptogram.response(of: answer.version) else {
      return nil
    }
    return try? answer.decryptor.decrypt(response)
  }
}
