// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseUI
public import SaltEdgeAuthenticator

/// What the screens of the Authenticator want done. Each is one call of `Authenticator`, or of the device.
public enum AuthenticatorEffect: ScreenEffect, Redacted {
  /// Asks where the lock stands.
  case askLock
  case createPasscode(TypedPasscode, again: TypedPasscode)
  case changePasscode(TypedPasscode, to: TypedPasscode, again: TypedPasscode)
  case unlock(Presence)
  case useBiometrics(Bool)
  case lock
  case wipe
  /// The user did something: the minute until the app locks begins anew.
  case touch
  /// Tells where the lock stands when the app has locked itself.
  case watchLock
  case endLockWatch
  case watchList
  case endList
  case watch(Authorization.ID)
  case endWatch
  case open(PushPayload)
  case confirm(Authorization, Presence)
  case deny(Authorization)
  case loadConnections
  /// Takes a scanned or opened text apart.
  case read(String)
  case connect(ConnectLink)
  case reconnect(String)
  /// The connecting screen is left: what its enrolment still answers is not heard.
  case endConnect
  /// The bank's page ended there; nil when the user left it.
  case endPage(String?)
  case find(ActionLink)
  case submit(ActionLink, on: String)
  case rename(String, to: String)
  case remove(String)
  case loadConsents(String)
  case revoke(Consent)
  case keepLanguage(ScreenLanguage)
  /// Waits as long as something final is shown.
  case closeSoon
  case cancelClosing
  /// Leaves the app: to the address where the user came from, else as the system has it.
  case leave(URL?)

  /// Effects that wait for the user or poll have a lane each, and so have those whose late answer another screen of
  /// the same kind could take for its own.
  public var lane: String? {
    switch self {
    case .watchList, .endList: "list"
    case .open, .watch, .endWatch: "authorization"
    case .connect, .reconnect, .endConnect: "connect"
    case .loadConsents: "consents"
    case .watchLock, .endLockWatch: "lock"
    case .closeSoon, .cancelClosing: "closing"
    default: nil
    }
  }

  /// Whether it only ends what runs in its lane.
  public var endsLane: Bool {
    switch self {
    case .endList, .endWatch, .endConnect, .endLockWatch, .cancelClosing: true
    default: false
    }
  }

  /// Polling and the watch over the lock go on by themselves.
  public var isWatch: Bool {
    switch self {
    case .watchList, .watch, .watchLock: true
    default: false
    }
  }
}

/// How the user shows to be there.
public enum Presence: Sendable, Equatable {
  case passcode(TypedPasscode)
  case biometrics
  /// By what opened the app a moment ago (specification §1.2: from a push the user is asked once).
  case opening
}

/// A passcode as it was typed: ASCII digits, never printed.
public struct TypedPasscode: Sendable, Equatable, Redacted {
  /// Of a passcode (specification §10.4).
  public static let digitsMax = 4

  /// What stands in the field.
  public let digits: String

  /// - Parameter text: digits of any script; what is too much, and what is no digit, is left out.
  public init(_ text: String = "") { digits = TypedDigits.ascii(text, max: Self.digitsMax) }

  /// Whether nothing is missing.
  public var isWhole: Bool { digits.count == Self.digitsMax }
}
