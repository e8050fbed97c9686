// SPDX-License-Identifier: Apache-2.0

/// What a rule, or all of them, came to (rubix-onboarding §6.9).
package struct VerificationOutcome: Codable, Equatable, Sendable {
  package enum Status: String, Codable, Sendable {
    case match = "MATCH"
    case mismatch = "MISMATCH"
    case undetermined = "UNDETERMINED"
  }

  package var status: Status
  package var rules: [Rule]
  /// Images to take again, none twice; empty for a match.
  package var retake: [CapturedImage]
  /// A person must look at it even though nothing speaks against it: a check had no model to decide with.
  package var agentRequired: Bool

  package func rule(_ code: RuleCode) -> Rule? { rules.first { $0.code == code } }

  package struct Rule: Codable, Equatable, Sendable {
    package var code: RuleCode
    package var result: EvidenceCheck.Result
    /// For agents only.
    package var score: Double?
    package var threshold: Double?
    /// Fields or codes behind the result, for agents only.
    package var reasons: [String]

    package init(
      _ code: RuleCode, _ result: EvidenceCheck.Result, score: Double? = nil, threshold: Double? = nil,
      reasons: [String] = []
    ) {
      self.code = code
      self.result = result
      self.score = score
      self.threshold = threshold
      self.reasons = reasons
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      code = try container.decode(RuleCode.self, forKey: .code)
      result = try container.decode(EvidenceCheck.Result.self, forKey: .result)
      score = try container.decodeIfPresent(Double.self, forKey: .score)
      threshold = try container.decodeIfPresent(Double.self, forKey: .threshold)
      reasons = try container.decodeIfPresent([String].self, forKey: .reasons) ?? []
    }

    enum CodingKeys: String, CodingKey {
      case code, result, score, threshold, reasons
    }
  }

  package enum RuleCode: String, Codable, Sendable, CaseIterable {
    case faceSelfieVsDocument = "face-selfie-vs-document"
    case faceSelfieVsLiveness = "face-selfie-vs-liveness"
    case faceAcrossDocuments = "face-across-documents"
    case liveness
    case selfieLooks = "selfie-looks"
    case documentType = "document-type"
    case mrzCheckDigits = "mrz-check-digits"
    case mrzLegibility = "mrz-legibility"
    case mrzVsVisual = "mrz-vs-visual"
    case barcodeVsVisual = "barcode-vs-visual"
    case barcodeConsistency = "barcode-consistency"
    case qrConsistency = "qr-consistency"
    case stateCodes = "state-codes"
    case nameAcrossDocuments = "name-across-documents"
    case birthDateAcrossDocuments = "dob-across-documents"
    case documentNumberFrontBack = "document-number-front-back"
    case sex, nationality
    case personalNumber = "personal-number"
    case expiry
    case minimumAge = "minimum-age"
    case applicationVsDocument = "application-vs-document"
    case specimen
  }

  enum CodingKeys: String, CodingKey {
    case status, rules
    case retake = "reupload"
    case agentRequired = "agent_required"
  }
}

extension VerificationOutcome {
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    status = try container.decode(Status.self, forKey: .status)
    rules = try container.decode(StoredRules.self, forKey: .rules).rules
    retake = try container.decode([CapturedImage].self, forKey: .retake)
    agentRequired = try container.decode(Bool.self, forKey: .agentRequired)
  }

  /// Rules as they were stored. Those that only a newer release knows are left out: both serve during an upgrade.
  package struct StoredRules: Decodable {
    package let rules: [Rule]

    package init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      var rules: [Rule] = []
      while !container.isAtEnd {
        let rule = try container.superDecoder()
        let code = try rule.container(keyedBy: Rule.CodingKeys.self).decode(String.self, forKey: .code)
        if RuleCode(rawValue: code) != nil { rules.append(try Rule(from: rule)) }
      }
      self.rules = rules
    }
  }
}
