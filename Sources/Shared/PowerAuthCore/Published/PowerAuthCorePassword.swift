// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation
import Locks

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A password or PIN that does not show in logs and whose memory is cleared when it goes (powerauth.md §10).
public final class PowerAuthCorePassword: Sendable, Equatable, Redacted {
  /// Bytes of the longest password that can be typed character by character.
  static let typedBytesMax = UnlockKey.passwordBytesMax

  private let content: Guarded<SymmetricKey>
  /// Whether it is typed character by character.
  private let isMutable: Bool

  /// The UTF-8 of a text.
  public convenience init(string: String) { self.init(data: Data(string.utf8)) }

  public init(data: Data) {
    content = Guarded(SymmetricKey(data: data))
    isMutable = false
  }

  /// An empty one, to be typed character by character: `PowerAuthCoreMutablePassword()`.
  public init() {
    content = Guarded(SymmetricKey(data: Data()))
    isMutable = true
  }

  private init(typed secret: SymmetricKey) {
    content = Guarded(secret)
    isMutable = false
  }

  /// As it is now: what is typed later does not change this one.
  package var unchanging: PowerAuthCorePassword { isMutable ? PowerAuthCorePassword(typed: secret) : self }

  private var secret: SymmetricKey { content.withLock { $0 } }

  /// Bytes, not characters; of one that is typed, characters of Unicode.
  public func length() -> Int {
    isMutable ? secret.withUnsafeBytes { $0.count(where: Self.beginsCharacter) } : secret.bitCount / 8
  }

  /// Whether both are the same, in a time that depends on the lengths only.
  public func isEqual(to other: PowerAuthCorePassword) -> Bool { self == other }

  /// Lends the bytes to a check of the app's own, such as one for simple PINs.
  public func validatePasswordComplexity<Verdict>(_ check: (UnsafeRawBufferPointer) throws -> Verdict) rethrows
    -> Verdict
  {
    try secret.withUnsafeBytes(check)
  }

  /// Lends the bytes and their number to a check of the app's own, and gives what it says.
  public func validateComplexity(_ check: (UnsafePointer<Int8>, Int) -> Int) -> Int {
    secret.withUnsafeBytes { bytes in
      let signed = bytes.bindMemory(to: Int8.self)
      // Without a byte there may be no address.
      guard let start = signed.baseAddress else { return withUnsafePointer(to: 0) { check($0, 0) } }
      return check(start, signed.count)
    }
  }

  /// The password in the open, to derive a key from.
  public var bytes: Data { secret.withUnsafeBytes { Data($0) } }

  public static func == (left: PowerAuthCorePassword, right: PowerAuthCorePassword) -> Bool {
    left.bytes.equalsInConstantTime(right.bytes)
  }
}

/// A password or PIN that is typed character by character, on a keyboard of the app's own (powerauth.md §10).
public typealias PowerAuthCoreMutablePassword = PowerAuthCorePassword

/// Typing. Each call gives false, and changes nothing, for a password that was made of a text or of data.
extension PowerAuthCorePassword {
  /// Takes every character away.
  @discardableResult
  public func clear() -> Bool {
    edit { bytes, _ in
      bytes.removeAll(keepingCapacity: true)
      return true
    }
  }

  /// Adds a character, by its number in Unicode, at the end.
  /// - Returns: false also for what is no character, and when the password would become too long.
  @discardableResult
  public func addCharacter(_ character: UInt32) -> Bool {
    edit { bytes, _ in Self.insert(character, into: &bytes, at: bytes.count) }
  }

  /// Puts a character, by its number in Unicode, in front of the one at this place.
  /// - Returns: false also for what is no character, for a place that there is not, and when the password would become
  ///   too long.
  @discardableResult
  public func insertCharacter(_ character: UInt32, at index: Int) -> Bool {
    edit { bytes, starts in
      let places = starts + [bytes.count]
      return places.indices.contains(index) && Self.insert(character, into: &bytes, at: places[index])
    }
  }

  /// Takes the last character away.
  /// - Returns: false also when it is empty.
  @discardableResult
  public func removeLastCharacter() -> Bool {
    edit { bytes, starts in
      guard let last = starts.last else { return false }
      bytes.removeSubrange(last...)
      return true
    }
  }

  /// Takes the character at this place away.
  /// - Returns: false also for a place that there is not.
  @discardableResult
  public func removeCharacter(at index: Int) -> Bool {
    edit { bytes, starts in
      guard starts.indices.contains(index) else { return false }
      let next = starts.indices.contains(index + 1) ? starts[index + 1] : bytes.count
      bytes.removeSubrange(starts[index]..<next)
      return true
    }
  }

  private static func insert(_ character: UInt32, into bytes: inout [UInt8], at place: Int) -> Bool {
    guard let typed = Unicode.Scalar(character), let encoded = UTF8.encode(typed) else { return false }
    guard bytes.count + encoded.count <= typedBytesMax else { return false }
    bytes.insert(contentsOf: encoded, at: place)
    return true
  }

  /// - Parameter change: gets the bytes, and where each character begins in them; false leaves all as it is.
  private func edit(_ change: (inout [UInt8], [Int]) -> Bool) -> Bool {
    guard isMutable else { return false }
    return content.withLock { secret in
      var bytes: [UInt8] = []
      // Room for one more character, so that no copy stays behind in memory that was outgrown.
      bytes.reserveCapacity(secret.bitCount / 8 + 4)
      secret.withUnsafeBytes { bytes.append(contentsOf: $0) }
      let starts = bytes.indices.filter { Self.beginsCharacter(bytes[$0]) }
      defer { for place in bytes.indices { bytes[place] = 0 } }
      guard change(&bytes, starts) else { return false }
      secret = SymmetricKey(data: bytes)
      return true
    }
  }

  /// Whether a byte of UTF-8 is the first one of a character (RFC 3629 §3).
  private static func beginsCharacter(_ byte: UInt8) -> Bool { byte & 0xc0 != 0x80 }
}
