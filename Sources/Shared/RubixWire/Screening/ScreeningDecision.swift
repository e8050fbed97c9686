// SPDX-License-Identifier: Apache-2.0

/// Body of `POST /customers/{id}/aml/decision`, by a compliance officer; ours. The answer is a `ScreeningResult`.
/// Every open hit needs a disposition; one true match rejects.
public struct ScreeningDecisionRequest: Codable, Sendable, Equatable {
  /// One per hit.
  public var hits: [HitDecision]
  /// The officer's reasons, kept in the audit log.
  public var notes: String
  /// Of the result that the officer looked at: when another one took its place meanwhile, the decision is refused with
  /// `case-changed`. Nil decides on the latest.
  public var screeningID: String?

  /// Creates the value from its members.
  public init(hits: [HitDecision], notes: String, screeningID: String? = nil) {
    self.hits = hits
    self.notes = notes
    self.screeningID = screeningID
  }

  enum CodingKeys: String, CodingKey {
    case hits
    case notes
    case screeningID = "screening_id"
  }
}

/// What an officer makes of one hit.
public struct HitDecision: Codable, Sendable, Equatable {
  /// Code of the list.
  public var list: String
  /// The entry.
  public var entityID: String
  /// False positive or true match.
  public var disposition: HitDisposition

  /// Creates the value from its members.
  public init(list: String, entityID: String, disposition: HitDisposition) {
    self.list = list
    self.entityID = entityID
    self.disposition = disposition
  }

  enum CodingKeys: String, CodingKey {
    case list
    case entityID = "entity_id"
    case disposition
  }
}

/// Body of `POST /callback/aml/alert`, from the provider (rubix-onboarding §6.11); idempotent on `reference_no`.
public struct ScreeningAlertCallback: Codable, Sendable, Equatable {
  /// Of the screening that was pending.
  public var referenceNo: String
  /// The provider's code.
  public var responseCode: String
  /// How it came out.
  public var status: ScreeningStatus

  /// Creates the value from its members.
  public init(referenceNo: String, responseCode: String, status: ScreeningStatus) {
    self.referenceNo = referenceNo
    self.responseCode = responseCode
    self.status = status
  }

  enum CodingKeys: String, CodingKey {
    case referenceNo = "reference_no"
    case responseCode = "response_code"
    case status
  }
}
