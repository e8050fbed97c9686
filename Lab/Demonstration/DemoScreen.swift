// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp

/// The demonstration in a terminal: a line a step, what was read beneath it, a table at the end.
package struct DemoScreen: Sendable {
  /// ANSI colours; only for people who look at a terminal and did not ask to be spared (no-color.org).
  let isColoured: Bool

  static var standardOutput: DemoScreen {
    let refuses = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return DemoScreen(isColoured: isatty(STDOUT_FILENO) == 1 && !refuses)
  }

  func begin(seed: UInt64) {
    say("\(bold("Gatehouse")), customers of an imaginary bank, seed \(seed)")
    say(dim("The app speaks through the SDK, the staff through the API, the papers are specimens of Utopia."))
  }

  func open(story: String) {
    say("")
    say(bold(story))
  }

  func show(_ step: DemoStep) {
    let mark = step.differences.isEmpty ? green("✓") : red("✗")
    let time = String(repeating: " ", count: max(0, 6 - "\(step.milliseconds)".count)) + "\(step.milliseconds) ms"
    say("\(mark) \(place(of: step))\(dim(time))  \(step.answer)")
    if !step.read.isEmpty {
      let fields = step.read.map { "\($0.read ?? "–") \($0.isRight ? green("=") : red("≠"))" }
      say("  \(dim("read")) " + fields.joined(separator: dim("  ")))
    }
    for difference in step.differences { say("  \(red("differs:")) \(difference)") }
  }

  private func place(of step: DemoStep) -> String {
    if let shown = step.shown { return "\(pad(step.title, 40)) \(cyan(pad(shown, 70)))" }
    let place = pad((step.lastStep ?? "–").replacing("RBX_ONB_STEP_", with: ""), 30)
    return "\(pad(step.title, 30)) \(pad(step.status ?? "–", 9)) \(cyan(place)) → \(pad(step.next ?? "·", 37))"
  }

  func end(_ report: DemoReport) {
    say("")
    say(bold("\(pad("Story", 48)) \(pad("steps", 7)) \(pad("fields read", 13)) \(pad("seconds", 9)) outcome"))
    let stories = report.steps.map(\.story).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    for story in stories {
      let steps = report.steps.filter { $0.story == story }
      let read = steps.flatMap(\.read)
      let seconds = Double(steps.map(\.milliseconds).reduce(0, +)) / 1000
      let wrong = steps.filter { !$0.differences.isEmpty }.count
      let fields = read.isEmpty ? "–" : "\(read.filter(\.isRight).count) of \(read.count)"
      say(
        "\(pad(story, 48)) \(pad("\(steps.count)", 7)) \(pad(fields, 13)) \(pad(decimal(seconds), 9)) "
          + (wrong == 0 ? green("as expected") : red("\(wrong) differ")))
    }
    let audit = report.audit
    let verdict = audit.faults.isEmpty ? green("unbroken") : red("\(audit.faults.count) broken")
    say("")
    say("Audit log: \(audit.chains) chains, \(audit.lines) lines, \(verdict).")
    for fault in audit.faults { say("  \(red("differs:")) \(fault)") }
    if let folder = report.folder { say("Kept in \(folder)") }
    let words = "\(report.steps.count) steps in \(decimal(report.seconds)) s"
    say(
      report.passed
        ? green("✓ \(words), everything as expected.") : red("✗ \(words), \(report.differing.count) differ."))
  }

  private func decimal(_ seconds: Double) -> String { String(format: "%.1f", seconds) }

  private func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private func green(_ text: String) -> String { paint(text, "32") }
  private func red(_ text: String) -> String { paint(text, "31") }
  private func cyan(_ text: String) -> String { paint(text, "36") }
  private func bold(_ text: String) -> String { paint(text, "1") }
  private func dim(_ text: String) -> String { paint(text, "2") }
  private func paint(_ text: String, _ code: String) -> String { isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
  private func say(_ line: String) { print(line) }
}
