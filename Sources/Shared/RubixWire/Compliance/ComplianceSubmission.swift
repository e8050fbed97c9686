// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// The body of `POST /compliance/crs|fatca|kyc` (Rubix §6.12).
public struct ComplianceSubmission<Results: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  /// The id of the template that was shown.
  public var templateID: String
  /// The version of the template that was shown.
  public var version: Int
  /// The answers.
  public var results: Results
  /// What else the customer has to say.
  public var remarks: String?

  /// Creates the value from its members.
  public init(templateID: String, version: Int, results: Results, remarks: String? = nil) {
    self.templateID = templateID
    self.version = version
    self.results = results
    self.remarks = remarks
  }

  enum CodingKeys: String, CodingKey, CaseIterable {
    case version, results, remarks
    case templateID = "template_id"
  }
}

/// The body of `POST /compliance/crs`.
public typealias CRSSubmission = ComplianceSubmission<CRSResults>
/// The body of `POST /compliance/fatca`.
public typealias FATCASubmission = ComplianceSubmission<FATCAResults>
/// The body of `POST /compliance/kyc`.
public typealias KYCSubmission = ComplianceSubmission<[KYCAnswer]>

/// The answer to a submission that was taken.
public struct ComplianceReceipt: Codable, Equatable, Sendable {
  /// The id of this submission.
  public var id: String
  /// Which form was submitted.
  public var form: ComplianceForm
  /// The version of the template that was answered.
  public var version: Int
  /// 1 for the first submission of this form in the application; each later one replaces the one before (§5.3).
  public var revision: Int
  /// What the bank will look at, without any answer in it.
  public var flags: [Flag]
  /// The last day on which a W-8BEN counts; nil for the other forms.
  @ExplicitNull public var validUntil: WireDate?
  public var submittedOn: WireInstant

  /// Creates the value from its members.
  public init(
    id: String, form: ComplianceForm, version: Int, revision: Int, flags: [Flag] = [], validUntil: WireDate? = nil,
    submittedOn: WireInstant
  ) {
    self.id = id
    self.form = form
    self.version = version
    self.revision = revision
    self.flags = flags
    self.validUntil = validUntil
    self.submittedOn = submittedOn
  }

  enum CodingKeys: String, CodingKey {
    case id, form, version, revision, flags
    case validUntil = "valid_until"
    case submittedOn = "submitted_on"
  }

  /// An answer that was accepted and that an agent will ask about.
  public struct Flag: Codable, Hashable, Sendable {
    /// JSON pointer (RFC 6901) into the submission.
    public var field: String
    /// A short stable word for what was flagged.
    public var code: String
    /// The same for people.
    public var message: String

    /// Creates the value from its members.
    public init(field: String, code: String, message: String) {
      self.field = field
      self.code = code
      self.message = message
    }
  }
}
