// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// Asks before what cannot be taken back.
struct ConfirmationOptions: ParsableArguments {
  @Flag(help: "Do not ask. Needed where there is no terminal to ask at.")
  var yes = false

  /// - Parameter consequence: a sentence that says what is lost.
  /// - Throws: `CommandFailure` when the person does not agree, or when no one can be asked and `--yes` is missing.
  func confirm(_ consequence: String) throws {
    guard !yes else { return }
    guard isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure.refused("\(consequence) Nothing was done: there is no terminal to ask at, and no --yes.")
    }
    StandardError.write(TerminalLine.lines("\(consequence) Go on? [y/N] "))
    try Self.check(readLine())
  }

  /// - Throws: `CommandFailure` unless the answer is yes.
  static func check(_ answer: String?) throws {
    let answer = answer?.trimmingCharacters(in: .whitespaces).lowercased() ?? ""
    guard ["y", "yes"].contains(answer) else { throw CommandFailure.refused("Nothing was done.") }
  }
}
