// SPDX-License-Identifier: Apache-2.0

/// Why a call failed (finaptic §9).
public struct FinapticError: Error, Sendable, CustomStringConvertible {
  /// The most specific code that is known.
  public let code: FinapticErrorCode
  /// For a person to read; never empty.
  public let message: String
  /// What lies under it on this side of the network, if anything.
  public let cause: (any Error)?
  /// The status behind `code`; itself for codes that are one.
  public let genericCode: FinapticErrorCode
  /// What to tell support.
  public let refNumber: String?
  /// Which members of the request were not taken, all of them; filled for `invalidArgument` and missing consents.
  public let fieldViolations: [FieldViolation]

  /// The same as `message`.
  public var msg: String { message }

  /// The code's word and the message.
  public var description: String { "\(code.rawValue): \(message)" }

  /// Creates the error.
  /// - Parameter genericCode: nil for the family of `code`.
  public init(
    code: FinapticErrorCode, message: String, cause: (any Error)? = nil, genericCode: FinapticErrorCode? = nil,
    refNumber: String? = nil, fieldViolations: [FieldViolation] = []
  ) {
    self.code = code
    self.message = message.isEmpty ? code.rawValue : message
    self.cause = cause
    self.genericCode = genericCode ?? code.family
    self.refNumber = refNumber
    self.fieldViolations = fieldViolations
  }
}
