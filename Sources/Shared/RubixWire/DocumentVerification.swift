// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// Answer of `POST /documents/verification` (rubix-onboarding §6.9): all images against the tenant's rules.
public struct DocumentVerification: Codable, Sendable, Equatable {
  /// This evaluation.
  public var id: String
  /// How it came out.
  public var status: VerificationStatus
  /// Counted from 1.
  public var attempt: Int
  /// Before people take over.
  public var attemptsLeft: Int
  /// Each rule and how it came out.
  public var rules: [VerificationRule]
  /// On a mismatch: what to take again.
  public var reupload: [DocumentType]

  /// Creates the value from its members.
  public init(
    id: String,
    status: VerificationStatus,
    attempt: Int,
    attemptsLeft: Int,
    rules: [VerificationRule],
    reupload: [DocumentType] = []
  ) {
    self.id = id
    self.status = status
    self.attempt = attempt
    self.attemptsLeft = attemptsLeft
    self.rules = rules
    self.reupload = reupload
  }

  enum CodingKeys: String, CodingKey {
    case id
    case status
    case attempt
    case attemptsLeft = "attempts_left"
    case rules
    case reupload
  }
}

/// How an evaluation came out (rubix-onboarding §6.9).
public struct VerificationStatus: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, also one that this version does not know.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// `MATCH`.
  public static let match = VerificationStatus(rawValue: "MATCH")
  /// `MISMATCH`.
  public static let mismatch = VerificationStatus(rawValue: "MISMATCH")
  /// Nothing decided, no step reached: try later.
  public static let undetermined = VerificationStatus(rawValue: "UNDETERMINED")

  /// Every word that this version knows, in the order of the specification.
  public static let known: [VerificationStatus] = [.match, .mismatch, .undetermined]
}

/// One rule of an evaluation, such as `name-across-documents`.
public struct VerificationRule: Codable, Sendable, Equatable {
  /// Which rule.
  public var code: String
  /// How it came out.
  public var result: CheckResult
  /// 0…1; left out for readers who may not see it.
  public var score: Double?
  /// What the score had to reach; left out with the score.
  public var threshold: Double?

  /// Creates the value from its members.
  public init(code: String, result: CheckResult, score: Double? = nil, threshold: Double? = nil) {
    self.code = code
    self.result = result
    self.score = score
    self.threshold = threshold
  }
}
