// SPDX-License-Identifier: Apache-2.0

internal import FinapticWire
public import Foundation

/// Money sent to an alias goes to an account by itself. Give exactly one alias.
public struct Registration: Hashable, Codable, Sendable {
  /// Given by the server.
  public internal(set) var registrationId: String?
  /// Given by the server: when the alias is forgotten unless it is used.
  public internal(set) var expiryDate: Date?
  public var accountId: String
  public var aliasEmail: String?
  public var aliasPhoneNumber: PhoneNumber?

  /// Creates what the app decides.
  public init(accountId: String, aliasEmail: String? = nil, aliasPhoneNumber: PhoneNumber? = nil) {
    (self.accountId, self.aliasEmail, self.aliasPhoneNumber) = (accountId, aliasEmail, aliasPhoneNumber)
  }
}

extension Registration {
  var wire: FinapticAPI.Registration {
    FinapticAPI.Registration(
      accountId: accountId, aliasEmail: aliasEmail,
      aliasPhoneNumber: aliasPhoneNumber.map { FinapticAPI.InteracPhone(phoneNumber: $0.phoneNumber) })
  }

  init(_ wire: FinapticAPI.Registration) {
    self.init(
      accountId: wire.accountId ?? "", aliasEmail: wire.aliasEmail,
      aliasPhoneNumber: wire.aliasPhoneNumber?.phoneNumber.map { PhoneNumber(phoneNumber: $0) })
    registrationId = wire.registrationId
    expiryDate = wire.expiryDate?.date
  }
}
