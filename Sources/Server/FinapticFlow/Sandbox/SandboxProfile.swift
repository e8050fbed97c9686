// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What becomes of an applicant of a name, in a sandbox (finaptic §11.1): read from JSON, or one of our own
/// (`SandboxProfiles.standard`).
package struct SandboxProfile: Sendable, Equatable, Decodable {
  /// How a call comes out.
  package struct Outcome: Sendable, Equatable, Decodable {
    package let failureStatusCodes: [FailureCode]
    /// Ends the application, whatever its codes say.
    package let isFinal: Bool
    /// Could not be processed for the time being: `FAILED` (§5.8).
    package let isPostponed: Bool

    package init(_ codes: [FailureCode] = [], isFinal: Bool = false, isPostponed: Bool = false) {
      (failureStatusCodes, self.isFinal, self.isPostponed) = (codes, isFinal, isPostponed)
    }

    enum CodingKeys: String, CodingKey {
      case failureStatusCodes, requestStatus
      case isFinal = "final"
    }

    package init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      failureStatusCodes = try container.decodeIfPresent([FailureCode].self, forKey: .failureStatusCodes) ?? []
      isFinal = try container.decodeIfPresent(Bool.self, forKey: .isFinal) ?? false
      isPostponed = try container.decodeIfPresent(String.self, forKey: .requestStatus) == "FAILED"
    }
  }

  package struct Name: Sendable, Hashable, Decodable {
    package let firstName: String
    package let middleName: String?
    package let lastName: String

    /// As names are compared: composed, without blanks around them, whatever their case.
    var folded: [String] {
      [firstName, middleName ?? "", lastName].map {
        $0.precomposedStringWithCanonicalMapping.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
      }
    }
  }

  package let id: String
  package let name: Name
  package let documents: Outcome
  package let selfie: Outcome
  /// Of whichever of documents and selfie comes second; nil when the pair is as good as its halves.
  package let second: Outcome?
  package let application: Outcome

  init(
    _ id: String, _ name: Name, documents: Outcome = Outcome(), selfie: Outcome = Outcome(), second: Outcome? = nil,
    application: Outcome = Outcome()
  ) {
    (self.id, self.name) = (id, name)
    (self.documents, self.selfie, self.second, self.application) = (documents, selfie, second, application)
  }

  enum CodingKeys: String, CodingKey {
    case id, expect
    case name = "input"
  }

  enum ExpectKeys: String, CodingKey {
    case validateDocuments, validateSelfie, validateApplication
    case second = "secondOfDocumentsAndSelfie"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    id = try container.decode(String.self, forKey: .id)
    name = try container.decode(Name.self, forKey: .name)
    let expect = try container.nestedContainer(keyedBy: ExpectKeys.self, forKey: .expect)
    documents = try expect.decodeIfPresent(Outcome.self, forKey: .validateDocuments) ?? Outcome()
    selfie = try expect.decodeIfPresent(Outcome.self, forKey: .validateSelfie) ?? Outcome()
    second = try expect.decodeIfPresent(Outcome.self, forKey: .second)
    application = try expect.decodeIfPresent(Outcome.self, forKey: .validateApplication) ?? Outcome()
  }
}
