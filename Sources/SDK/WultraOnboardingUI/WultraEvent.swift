// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import Foundation
public import GatehouseUI
public import GatehouseWire
public import OnboardingScreens
public import WultraDigitalOnboarding

/// What the institution knows its clients by, such as a client number: one field of the first screen.
public struct IdentityField: Sendable, Equatable {
  /// The member of the credentials.
  public var name: String
  /// In the user's language.
  public var label: String
  /// Which keyboard.
  public var kind: ScreenInputKind

  /// Creates the value from its members.
  public init(name: String, label: String, kind: ScreenInputKind = .text) {
    (self.name, self.label, self.kind) = (name, label, kind)
  }
}

/// Why a call gave no result, as far as a screen tells it.
public enum WultraRefusal: Sendable, Equatable {
  case offline
  /// The code of the activation was wrong; how many are left, nil when the server does not say.
  case wrongCode(Int?)
  /// No code may be tried any more, or it came too late.
  case codeOver
  /// The chosen documents will not do.
  case tooFewDocuments
  /// The device is blocked or removed.
  case notActive
  case other
}

/// What happens to an onboarding: what the user does, and what calls answer.
public enum WultraEvent: Sendable, Redacted {
  /// The app comes up.
  case started
  // MARK: What calls answer
  /// The device is not activated, and no process was begun.
  case stranger
  /// A process was begun, and a code sent. Where another can be asked for later, when.
  case codeSent(resendAt: WireInstant?)
  /// The device is activated, and a PIN has to be chosen.
  case activated
  /// The device is activated: what to show is followed from now on.
  case verifies
  /// What the server says to show.
  case stands(WDOVerificationState)
  case requirements(WDODocumentRequirements?)
  case refused(WultraRefusal)
  // MARK: What the user does
  case retry
  case typed(String, field: String)
  case identify
  case code(CodeScreen.Event)
  case pin(String)
  case begin, approve, decline
  case toggled(WDODocumentType, Bool)
  case chosen
  case capture(CaptureScreen.Event)
  case presence
  case restart, cancel
}

/// What the screens want done: each is one call of the SDK or of the device.
public enum WultraEffect: ScreenEffect, Redacted {
  /// Asks whether the device is activated, and whether a process was begun.
  case look
  /// Follows what the server says to show.
  case follow
  case endFollow
  case start([String: String])
  case activate(TypedDigitsOnly)
  case resendActivation
  case persist(TypedDigitsOnly)
  case getConsent, approve
  case loadRequirements
  case select([WDODocumentType])
  case submit([WultraPicture])
  case checkPresence
  case verify(TypedDigitsOnly)
  case resend
  case restart
  /// Gives the process up, and the activation with it.
  case cancel

  /// Calls follow each other; following goes on beside them.
  public var lane: String? {
    switch self {
    case .follow, .endFollow: "follow"
    case .loadRequirements: "requirements"
    default: "call"
    }
  }

  /// Whether it only ends what runs in its lane.
  public var endsLane: Bool { self == .endFollow }

  /// Following goes on by itself.
  public var isWatch: Bool { self == .follow }
}

/// A code or a PIN as it was typed, never printed.
public struct TypedDigitsOnly: Sendable, Equatable, Redacted {
  /// ASCII digits.
  public let digits: String
}

/// A picture of one side of a document.
public struct WultraPicture: Sendable, Equatable, Redacted {
  /// Which document.
  public let type: WDODocumentType
  /// Which side of it.
  public let side: WDODocumentSide
  /// The bytes of a JPEG file.
  public let data: Data
  /// The picture of that side that the server has; nil for the first one.
  public let replaces: String?
}
