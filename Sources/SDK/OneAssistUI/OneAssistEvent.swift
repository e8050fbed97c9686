// SPDX-License-Identifier: Apache-2.0

public import CryptoPrimitives
public import GatehouseUI
public import GatehouseWire
public import OneAssistCore
public import OneAssistSDK

/// What the app's own server knows of the membership; the SDK's calls tell none of it.
public struct MembershipCard: Sendable, Equatable, Redacted {
  /// Where a membership stands (oneassist §3).
  public typealias Status = MembershipStatus

  /// The plan's name, for people.
  public var plan: String
  /// As on the order, such as `iPhone 14`.
  public var device: String
  /// The status of the membership.
  public var status: Status
  /// First and last day of the cover; nil before they are known.
  public var from, to: WireInstant?

  /// Creates the value from its members.
  public init(plan: String, device: String, status: Status, from: WireInstant? = nil, to: WireInstant? = nil) {
    (self.plan, self.device, self.status, self.from, self.to) = (plan, device, status, from, to)
  }
}

/// What happens to an activation: what the user does, and what calls answer.
public enum OneAssistEvent: Sendable, Redacted {
  /// A field to type into; the raw value is its id.
  public enum Field: String, Sendable, CaseIterable {
    case code, pincode, address, mobile
  }

  /// The app comes up.
  case started
  // MARK: What calls answer
  case stands(OAAction)
  case refused(OAError)
  /// Nil when the app's server did not tell.
  case card(MembershipCard?)
  // MARK: What the user does
  case typed(String, Field)
  /// Does what the screen's first button says.
  case next
  /// Opens the secure screen.
  case show
  /// Asks where the activation stands.
  case look
  /// Ends what waits for the user.
  case cancel
}

/// What the screens want done: each is one call of the SDK, or one of the app.
public enum OneAssistEffect: ScreenEffect, Redacted {
  /// Gets a token from the app, sets the SDK up with it, and starts the activation with this code.
  case begin(String)
  /// Asks where the activation stands.
  case look
  /// Waits for a screenshot of the phone's identifiers.
  case readDevice
  case submit(pincode: String, address: String)
  case sendLink(String)
  /// Shows the secure screen until it is closed.
  case showScreen
  case loadCard
  /// Ends what runs.
  case stop

  /// Calls follow each other.
  public var lane: String? { "call" }

  /// Whether it only ends what runs in its lane.
  public var endsLane: Bool { self == .stop }

  /// Whether it lasts as long as the user likes.
  public var isWatch: Bool { self == .readDevice || self == .showScreen }
}
