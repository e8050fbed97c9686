// SPDX-License-Identifier: Apache-2.0

/// What a decision of a person rests on, in ids, digests and versions, never in personal data.
package struct DecisionBasis: Sendable, Equatable {
  /// Something that was there to look at.
  package struct Evidence: Codable, Sendable, Equatable {
    /// Such as `PASSPORT` or `screening`.
    package let kind: String
    package let id: String
    /// Of the bytes as they were taken in; nil where the flow keeps none.
    package let digest: String?

    package init(_ kind: String, _ id: String, digest: String? = nil) {
      (self.kind, self.id, self.digest) = (kind, id, digest)
    }
  }

  package var evidence: [Evidence]
  /// Of lists, rules, templates and programs, by their names.
  package var versions: [String: String]
  /// Who agreed as the second person, as in the audit log; nil where one person decided.
  package internal(set) var checker: String?

  package init(evidence: [Evidence] = [], versions: [String: String] = [:]) {
    (self.evidence, self.versions) = (evidence, versions)
  }

  package func agreed(by checker: String?) -> DecisionBasis {
    var basis = self
    basis.checker = checker
    return basis
  }
}
