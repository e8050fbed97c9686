// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Body of `POST /sessions` (rubix-onboarding §6.4).
public struct CreateSessionRequest: Codable, Sendable, Equatable {
  /// True archives the active session with its images; only before the documents matched.
  public var restart: Bool?

  /// Creates the value from its members.
  public init(restart: Bool? = nil) {
    self.restart = restart
  }
}

/// The state of a capture session (rubix-onboarding §6.4).
public struct SessionStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `ACTIVE`.
  public static let active = SessionStatus(rawValue: "ACTIVE")
  /// `ARCHIVED`.
  public static let archived = SessionStatus(rawValue: "ARCHIVED")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [SessionStatus] = [.active, .archived]
}

/// A capture session: answer of `POST /sessions`, 201 for a new one, 200 for the active one (rubix-onboarding §6.4).
public struct SessionView: Codable, Sendable, Equatable {
  /// Ours; the provider's id never leaves the server.
  public var id: String
  /// Active or archived.
  public var status: SessionStatus
  /// When it began.
  public var createdOn: WireInstant
  /// What an image must be like.
  public var captureRequirements: CaptureRequirements
  /// The selfies to take, in this order.
  public var selfieSubTypes: [SelfieSubType]
  /// Which way the face looks in each of them; nil where the institution asks for no looks.
  public var selfieLooks: [SelfieLook]?

  /// Creates the value from its members.
  public init(
    id: String,
    status: SessionStatus,
    createdOn: WireInstant,
    captureRequirements: CaptureRequirements,
    selfieSubTypes: [SelfieSubType],
    selfieLooks: [SelfieLook]? = nil
  ) {
    self.id = id
    self.status = status
    self.createdOn = createdOn
    self.captureRequirements = captureRequirements
    self.selfieSubTypes = selfieSubTypes
    self.selfieLooks = selfieLooks
  }

  enum CodingKeys: String, CodingKey {
    case id
    case status
    case createdOn = "created_on"
    case captureRequirements = "capture_requirements"
    case selfieSubTypes = "selfie_sub_types"
    case selfieLooks = "selfie_looks"
  }
}

/// A capture session inside an `OnboardingView` (rubix-onboarding §6.3).
public struct SessionSummary: Codable, Sendable, Equatable {
  /// The session.
  public var id: String
  /// Active or archived.
  public var status: SessionStatus
  /// The selfies that are in.
  public var selfies: [SelfieSubType]
  /// Which way the face looks in each of the three; nil where the institution asks for no looks.
  public var selfieLooks: [SelfieLook]?

  /// Creates the value from its members.
  public init(id: String, status: SessionStatus, selfies: [SelfieSubType], selfieLooks: [SelfieLook]? = nil) {
    self.id = id
    self.status = status
    self.selfies = selfies
    self.selfieLooks = selfieLooks
  }

  enum CodingKeys: String, CodingKey {
    case id
    case status
    case selfies
    case selfieLooks = "selfie_looks"
  }
}
