// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Foundation
public import GatehouseUI
public import RubixOnboarding

/// What the screens of the Rubix onboarding want done: each is one call of the SDK, after which it is asked where the
/// application stands.
public enum RubixEffect: ScreenEffect, Redacted {
  /// Asks where the application stands.
  case resume
  /// The customer has just agreed to these.
  case noteConsents([ConsentDocument])
  case register(RegistrationDetails)
  case createSession
  case loadChallenge
  case sendSelfie(Data, SelfieSubType)
  case sendLiveness(Data, LivenessChallenge?)
  case sendDocument(Data, DocumentKind)
  case read(DocumentKind)
  case compare
  case sendCode(OTPChannel)
  case checkCode(OTPChannel, TypedCode)
  case screen
  case loadForm(ComplianceForm)
  case submit(FormSubmission)
  case loadSlots
  case book(WireInstant)
  /// Looks again and again while the institution decides.
  case watch
  case endWatch
  /// Opens the video call.
  case open(URL)

  /// Calls follow each other, since each begins a screen; looking has a lane of its own.
  public var lane: String? {
    switch self {
    case .watch, .endWatch: "watch"
    case .noteConsents, .open: nil
    default: "call"
    }
  }

  /// Whether it only ends what runs in its lane.
  public var endsLane: Bool { self == .endWatch }

  /// Looking goes on by itself.
  public var isWatch: Bool { self == .watch }
}

/// What the customer entered to register.
public struct RegistrationDetails: Sendable, Equatable, Redacted {
  /// E.164.
  public let phone: String
  /// Nil when none was given.
  public let email: String?
}

/// A code as it was typed, never printed.
public struct TypedCode: Sendable, Equatable, Redacted {
  /// ASCII digits.
  public let digits: String
}
