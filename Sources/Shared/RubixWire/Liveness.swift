// SPDX-License-Identifier: Apache-2.0

public import Foundation
import GatehouseWire

/// Body of `POST /faces/liveness/upload` (rubix-onboarding §6.6). The answer is a `DocumentView` of type `LIVENESS`.
public struct LivenessUploadRequest: Codable, Sendable, Equatable {
  /// An image or a short video, base64 on the wire.
  public var file: Data
  /// Its media type.
  public var mediaType: String
  /// The challenge it answers; nil for a passive check.
  @ExplicitNull public var challengeID: String?

  /// Creates the value from its members.
  public init(file: Data, mediaType: String = "image/jpeg", challengeID: String? = nil) {
    self.file = file
    self.mediaType = mediaType
    self.challengeID = challengeID
  }

  enum CodingKeys: String, CodingKey {
    case file
    case mediaType = "media_type"
    case challengeID = "challenge_id"
  }
}

/// What the liveness check said (rubix-onboarding §6.6).
public struct LivenessResult: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `live`.
  public static let live = LivenessResult(rawValue: "live")
  /// `spoof`.
  public static let spoof = LivenessResult(rawValue: "spoof")
  /// `undetermined`.
  public static let undetermined = LivenessResult(rawValue: "undetermined")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [LivenessResult] = [.live, .spoof, .undetermined]
}

/// The liveness part of a `DocumentView` (rubix-onboarding §6.6).
public struct LivenessOutcome: Codable, Sendable, Equatable {
  /// What the check said.
  public var result: LivenessResult
  /// 0…1; nil when the check gives none or the reader may not see it.
  @ExplicitNull public var score: Double?

  /// Creates the value from its members.
  public init(result: LivenessResult, score: Double? = nil) {
    self.result = result
    self.score = score
  }

  enum CodingKeys: String, CodingKey {
    case result
    case score
  }
}

/// What the customer is asked to do (rubix-onboarding §6.6).
public struct LivenessChallengeKind: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `passive`.
  public static let passive = LivenessChallengeKind(rawValue: "passive")
  /// `head_turn`.
  public static let headTurn = LivenessChallengeKind(rawValue: "head_turn")
  /// `blink`.
  public static let blink = LivenessChallengeKind(rawValue: "blink")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [LivenessChallengeKind] = [.passive, .headTurn, .blink]
}

/// Answer of `GET /faces/liveness/challenge` (rubix-onboarding §6.6).
public struct LivenessChallenge: Codable, Sendable, Equatable {
  /// To be sent back with the capture.
  public var challengeID: String
  /// What the person is asked to do.
  public var kind: LivenessChallengeKind
  /// The capture must be in by then.
  public var expiresOn: WireInstant

  /// Creates the value from its members.
  public init(challengeID: String, kind: LivenessChallengeKind, expiresOn: WireInstant) {
    self.challengeID = challengeID
    self.kind = kind
    self.expiresOn = expiresOn
  }

  enum CodingKeys: String, CodingKey {
    case challengeID = "challenge_id"
    case kind
    case expiresOn = "expires_on"
  }
}
