// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import GatehouseApp
import Kit

/// One step of a story: what was done, where it led, and what was not as it should be.
package struct DemoStep: Codable, Sendable {
  package let story: String
  package let title: String
  /// What the server said, in a few words.
  let answer: String
  /// Where a Rubix application stands; nil in stories of other systems.
  var status: String?
  var lastStep: String?
  /// Path of the first next step; nil when the customer has nothing to do.
  var next: String?
  /// What an app shows; nil in stories of Rubix.
  var shown: String?
  var read: [DemoReading] = []
  /// Each way in which the step came out differently; empty when it is as expected.
  package let differences: [String]
  let milliseconds: Int

  enum CodingKeys: String, CodingKey {
    case story, title, answer, status, next, shown, read, differences, milliseconds
    case lastStep = "last_step"
  }
}

/// A field that was read from a picture, beside what really stands on it.
struct DemoReading: Codable, Sendable {
  let field: String
  let read: String?
  let truth: String?

  /// Print is compared as the rules compare it: in the basic letters that Doc 9303-3 §6 gives for every other one.
  var isRight: Bool {
    guard let read, let truth else { return read == truth }
    return Transliteration.words(of: read) == Transliteration.words(of: truth)
  }
}

/// Everything that a demonstration came to.
struct DemoReport: Encodable {
  let seed: UInt64
  let seconds: Double
  let steps: [DemoStep]
  let audit: AuditReport
  let folder: String?

  var differing: [DemoStep] { steps.filter { !$0.differences.isEmpty } }
  var readings: [DemoReading] { steps.flatMap(\.read) }
  var passed: Bool { !steps.isEmpty && differing.isEmpty && audit.faults.isEmpty && audit.lines > 0 }

  enum CodingKeys: String, CodingKey {
    case seed, seconds, steps, audit, folder, passed
  }

  func encode(to encoder: any Encoder) throws {
    var report = encoder.container(keyedBy: CodingKeys.self)
    try report.encode(seed, forKey: .seed)
    try report.encode((seconds * 1000).rounded() / 1000, forKey: .seconds)
    try report.encode(passed, forKey: .passed)
    try report.encode(steps, forKey: .steps)
    try report.encode(audit, forKey: .audit)
    try report.encodeIfPresent(folder, forKey: .folder)
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

/// The steps so far, printed as they come.
package actor DemoLog {
  package private(set) var steps: [DemoStep] = []
  private let screen: DemoScreen?

  package init(screen: DemoScreen?) { self.screen = screen }

  func add(_ step: DemoStep) {
    if steps.last?.story != step.story { screen?.open(story: step.story) }
    steps.append(step)
    screen?.show(step)
  }
}
