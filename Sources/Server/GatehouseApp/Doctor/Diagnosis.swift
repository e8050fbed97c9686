// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What a support engineer asks for first: facts of a machine and its installation, without a secret, a name of a
/// customer, or the address of anybody.
package struct Diagnosis: Sendable, Encodable {
  package enum Severity: String, Sendable, Encodable {
    /// Told, and nothing to judge.
    case fact
    case ok
    /// The installation runs, and somebody should know.
    case warning
    case fault
  }

  package struct Finding: Sendable, Encodable, Equatable {
    /// What it is about: `program`, `machine`, `settings`, `files`, `store`, `keys`, `lists`, `work`, `objects`.
    package let topic: String
    package let name: String
    package let value: String
    package let severity: Severity

    /// Programs that read the report know it by `standing`.
    enum CodingKeys: String, CodingKey {
      case topic, name, value
      case severity = "standing"
    }
  }

  package private(set) var findings: [Finding] = []

  mutating func note(_ topic: String, _ name: String, _ value: String, _ severity: Severity = .fact) {
    findings.append(Finding(topic: topic, name: name, value: value, severity: severity))
  }

  /// Whether anything was found that keeps the installation from its work.
  package var hasFaults: Bool { findings.contains { $0.severity == .fault } }

  /// One line a finding, each topic in one place.
  package var text: String {
    var topics: [String] = []
    for finding in findings where !topics.contains(finding.topic) { topics.append(finding.topic) }
    return topics.flatMap { topic in [topic] + findings.filter { $0.topic == topic }.map(Self.line) }
      .joined(separator: "\n")
  }

  private static func line(_ finding: Finding) -> String {
    let mark =
      switch finding.severity {
      case .fact: " "
      case .ok: "✓"
      case .warning: "!"
      case .fault: "✗"
      }
    return "  \(mark) \(finding.name): \(finding.value)"
  }
}
