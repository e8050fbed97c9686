// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Specimens

/// Front and back of cards whose holders are who they say they are: what the rules of a verification decide of them.
struct PairReport: Codable, Sendable, Equatable {
  var pairs = 0
  var match = 0
  /// For review, or to be taken again.
  var undetermined = 0
  /// Refused for good: an honest holder's must not be.
  var mismatch = 0
  /// Rules that were not passed, by what they came to: `fail document-number-front-back`.
  var rules: [String: Int] = [:]
  /// Seeds of those that were refused, twenty at most.
  var refused: [UInt64] = []

  var lines: [String] {
    var lines = [
      "honest holders: \(pairs) pairs of front and back, moderately worn: \(match) match, "
        + "\(undetermined) for review or another picture, \(mismatch) refused for good"
    ]
    lines += rules.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "  \($0.value) × \($0.key)" }
    if !refused.isEmpty {
      lines.append("  seeds of the refused: " + refused.map(String.init).joined(separator: " "))
    }
    return lines
  }

  /// - Parameter declared: what the holder says, which is the truth.
  mutating func add(
    _ documents: [DocumentKind: DocumentReading], seed: UInt64, declared: Holder, on day: CalendarDate
  ) {
    let face = FaceComparisonResult(result: .match, score: 1, threshold: 0.5, model: "scripted")
    let evidence = VerificationEvidence(
      documents: documents,
      application: ApplicationData(
        name: PersonName(primary: declared.surname, secondary: declared.givenNames), birthDate: declared.birthDate),
      // Faces are drawn here and are not what is measured.
      selfieVsPortrait: [.nationalIDFront: face], selfieVsLiveness: face,
      liveness: LivenessResult(result: .live, score: 1, threshold: 0.5, model: "scripted"))
    let outcome = CrossDocumentRules(policy: VerificationPolicy(today: day, acceptsSpecimens: true)).decide(evidence)
    pairs += 1
    switch outcome.status {
    case .match: match += 1
    case .undetermined: undetermined += 1
    case .mismatch:
      mismatch += 1
      if refused.count < 20 { refused.append(seed) }
    }
    for rule in outcome.rules where rule.result != .pass {
      rules["\(rule.result.rawValue) \(rule.code.rawValue)", default: 0] += 1
    }
  }
}
