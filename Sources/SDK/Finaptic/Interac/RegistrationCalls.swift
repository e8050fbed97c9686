// SPDX-License-Identifier: Apache-2.0

/// What to ask `createRegistration` for.
public struct CreateRegistrationRequest: Hashable, Codable, Sendable {
  public var registration: Registration

  /// Creates the value from its members.
  public init(registration: Registration) {
    self.registration = registration
  }
}

/// What `createRegistration` answers.
public struct CreateRegistrationResponse: Hashable, Codable, Sendable {
  public var registration: Registration

  /// Creates the value from its members.
  public init(registration: Registration) {
    self.registration = registration
  }
}

/// What to ask `listAutodepositRegistrations` for.
public struct ListAutodepositRegistrationsRequest: Hashable, Codable, Sendable {
  public var accountId: String

  /// Creates the value from its members.
  public init(accountId: String) {
    self.accountId = accountId
  }
}

/// What `listAutodepositRegistrations` answers.
public struct ListAutodepositRegistrationsResponse: Hashable, Codable, Sendable {
  public var registrations: [Registration]

  /// Creates the value from its members.
  public init(registrations: [Registration]) {
    self.registrations = registrations
  }
}

/// What to ask `updateRegistration` for.
public struct UpdateRegistrationRequest: Hashable, Codable, Sendable {
  /// Which registration.
  public var registrationId: String
  public var accountId: String

  /// Creates the value from its members.
  public init(registrationId: String, accountId: String) {
    (self.registrationId, self.accountId) = (registrationId, accountId)
  }
}

/// What `updateRegistration` answers.
public struct UpdateRegistrationResponse: Hashable, Codable, Sendable {
  public var registration: Registration

  /// Creates the value from its members.
  public init(registration: Registration) {
    self.registration = registration
  }
}

/// What to ask `deleteRegistration` for.
public struct DeleteRegistrationRequest: Hashable, Codable, Sendable {
  /// Which registration.
  public var registrationId: String

  /// Creates the value from its members.
  public init(registrationId: String) {
    self.registrationId = registrationId
  }
}

/// What `deleteRegistration` answers.
public struct DeleteRegistrationResponse: Hashable, Codable, Sendable {
  public var registration: Registration

  /// Creates the value from its members.
  public init(registration: Registration) {
    self.registration = registration
  }
}
