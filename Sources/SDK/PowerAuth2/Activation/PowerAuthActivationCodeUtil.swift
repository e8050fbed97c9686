// SPDX-License-Identifier: Apache-2.0

internal import PowerAuthCore

/// An activation or recovery code, taken apart.
public final class PowerAuthActivationCode: Sendable {
  /// `XXXXX-XXXXX-XXXXX-XXXXX`.
  public let activationCode: String
  /// Base64 of the server's signature of the code; nil when it is absent.
  public let activationSignature: String?

  init(activationCode: String, activationSignature: String?) {
    self.activationCode = activationCode
    self.activationSignature = activationSignature
  }
}

/// Helps a user to type or scan a code (powerauth.md §3.1).
public enum PowerAuthActivationCodeUtil {
  /// Takes a scanned or typed activation code apart.
  /// - Returns: nil when the text is not valid.
  public static func parse(fromActivationCode text: String) -> PowerAuthActivationCode? {
    guard let scanned = try? ScannedCode(text: text) else { return nil }
    return PowerAuthActivationCode(
      activationCode: scanned.code.text, activationSignature: scanned.signature?.base64EncodedString())
  }

  /// Takes a scanned or typed recovery code apart, with or without `R:`.
  /// - Returns: nil when the text is not valid.
  public static func parse(fromRecoveryCode text: String) -> PowerAuthActivationCode? {
    guard let code = try? RecoveryCode(text: text) else { return nil }
    return PowerAuthActivationCode(activationCode: code.text, activationSignature: nil)
  }

  /// Whether a typed text is a whole activation code. One with a signature is not typed.
  public static func validateActivationCode(_ text: String) -> Bool { (try? ActivationCode(text: text)) != nil }

  /// Whether a text is a whole recovery code, with or without `R:`.
  public static func validateRecoveryCode(_ text: String) -> Bool { (try? RecoveryCode(text: text)) != nil }

  /// Whether a text is the PUK of a recovery code: ten digits.
  public static func validateRecoveryPuk(_ text: String) -> Bool { (try? RecoveryPUK(text: text)) != nil }

  /// Whether a typed character, by its number in Unicode, can be in a code as it is.
  public static func validateTypedCharacter(_ character: UInt32) -> Bool {
    character != 0 && correctTypedCharacter(character) == character
  }

  /// The character that was meant: zero for the letter O, one for I, small letters for capitals.
  /// - Returns: 0 for a character that no code has.
  public static func correctTypedCharacter(_ character: UInt32) -> UInt32 {
    guard let typed = Unicode.Scalar(character), let meant = ActivationCode.correctedCharacter(Character(typed)) else {
      return 0
    }
    return meant.unicodeScalars.first?.value ?? 0
  }

  /// The same by its published name: the character that was meant, or 0.
  public static func validateAndCorrectTypedCharacter(_ character: UInt32) -> UInt32 {
    correctTypedCharacter(character)
  }
}
