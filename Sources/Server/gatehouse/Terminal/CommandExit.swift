// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// How a command leaves: the one table of exit codes, which `docs/commands.md` prints.
enum CommandExit: Int32, CaseIterable, Sendable {
  case done = 0
  case refused = 1
  case usage = 2
  case notFound = 3
  case unavailable = 4
  case failed = 5
  case waits = 6

  /// What a caller may conclude.
  var meaning: String {
    switch self {
    case .done: "It was done."
    case .refused: "It was refused, or a check found something wrong. The same again is refused again."
    case .usage: "The command line is wrong. Nothing was done."
    case .notFound: "What was named is not there: a file, a database, a tenant or a row."
    case .unavailable: "A store, a key device or another system does not answer, or is busy. Try again later."
    case .failed: "The program met what it did not expect. Tell who maintains it."
    case .waits: "Nothing was done yet: a second person has to agree. The same again with `--approval` does it."
    }
  }

  /// The `code` of an error that has no other name.
  var code: String {
    switch self {
    case .done: "done"
    case .refused: "refused"
    case .usage: "usage"
    case .notFound: "not-found"
    case .unavailable: "unavailable"
    case .failed: "internal"
    case .waits: "waits"
    }
  }
}

extension ExitCode {
  /// After a report that tells what is wrong: nothing more is printed.
  static let refused = ExitCode(CommandExit.refused.rawValue)
  /// After a report of resources that do not exist.
  static let notFound = ExitCode(CommandExit.notFound.rawValue)
  /// After the approval that is waited for was shown.
  static let waits = ExitCode(CommandExit.waits.rawValue)
}

/// Why a command ends, in words for the person who gave it.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
  let exit: CommandExit
  let description: String

  static func refused(_ words: String) -> CommandFailure { CommandFailure(exit: .refused, description: words) }
  static func notFound(_ words: String) -> CommandFailure { CommandFailure(exit: .notFound, description: words) }

  /// - Throws: not found, for a path of the command line where there is nothing.
  static func require(_ path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    throw notFound("\(TerminalLine.of(path)): there is no such file or folder.")
  }
}
