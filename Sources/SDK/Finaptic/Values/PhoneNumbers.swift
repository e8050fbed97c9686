// SPDX-License-Identifier: Apache-2.0

/// A telephone in the international form, such as `+15141234567`.
public struct PhoneNumberType: Hashable, Codable, Sendable {
  /// Whether it takes text messages.
  public var smsCompatible: Bool
  public var number: String

  /// Creates the value from its members.
  public init(smsCompatible: Bool, number: String) {
    (self.smsCompatible, self.number) = (smsCompatible, number)
  }
}

/// A telephone as an alias of Interac: `+<country code>-<digits>`.
public struct PhoneNumber: Hashable, Codable, Sendable {
  public var phoneNumber: String

  /// Creates the value from its members.
  public init(phoneNumber: String) {
    self.phoneNumber = phoneNumber
  }
}
