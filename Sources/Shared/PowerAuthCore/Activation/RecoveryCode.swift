// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives
import Foundation

/// A code that brings an identity back without its device: the form of an activation code, in QR codes behind `R:`.
public struct RecoveryCode: Hashable, Sendable, Redacted {
  private static let prefix = "R:"

  public let code: ActivationCode

  public init(_ code: ActivationCode) {
    self.code = code
  }

  /// - Throws: `malformed`.
  public init(text: String) throws(PowerAuthError) {
    let bare = text.hasPrefix(Self.prefix) ? String(text.dropFirst(Self.prefix.count)) : text
    guard let code = try? ActivationCode(text: bare) else { throw .malformed(.recoveryCode) }
    self.code = code
  }

  public var text: String { code.text }
  /// What a QR code holds.
  public var scannable: String { Self.prefix + code.text }
}

/// The secret beside a recovery code: ten decimal digits.
public struct RecoveryPUK: Equatable, Sendable, Redacted {
  public static let digits = 10

  public let text: String

  /// - Throws: `malformed`.
  public init(text: String) throws(PowerAuthError) {
    guard text.utf8.count == Self.digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw .malformed(.recoveryCode)
    }
    self.text = text
  }

  public static func == (left: RecoveryPUK, right: RecoveryPUK) -> Bool {
    Data(left.text.utf8).equalsInConstantTime(Data(right.text.utf8))
  }
}
