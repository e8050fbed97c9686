// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// The variables that the services of a package get from a file of their own, `gatehouse.env` beside `gatehouse.json`,
/// as systemd reads it (systemd.exec(5), `EnvironmentFile=`). A command of an operator reads the same file, because
/// without it the command would open another store than the services do. What systemd started has the variables already,
/// also those of a file that it may not read itself.
package enum SettingsVariables {
  /// - Parameters:
  ///   - file: the JSON file of settings; nil when none was named.
  ///   - environment: what is set there goes before what the file says.
  /// - Throws: `SettingsError` for a file that this user may not read, and for a line that is not understood. It never
  ///   quotes one.
  package static func merged(beside file: String?, into environment: [String: String]) throws -> [String: String] {
    // systemd names the process that it started (systemd.exec(5)); a shell's commands inherit the name of another one.
    let isUnit = environment["SYSTEMD_EXEC_PID"] == "\(ProcessInfo.processInfo.processIdentifier)"
    guard let file, !isUnit else { return environment }
    let path = URL(fileURLWithPath: file).deletingPathExtension().appendingPathExtension("env").path
    // One file cannot be both.
    guard path != URL(fileURLWithPath: file).path, FileManager.default.fileExists(atPath: path) else {
      return environment
    }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw SettingsError("\(path) cannot be read by this user: run the command as the user of the services")
    }
    guard let text = String(bytes: bytes, encoding: .utf8) else { throw SettingsError("\(path) is not UTF-8") }
    return try parse(text, path).merging(environment) { _, set in set }
  }

  /// One `NAME=value` a line. A value may stand in quotes; what begins with `#` or `;` is a comment. What systemd knows
  /// beyond that, escapes and values of several lines, is refused: read in another way than systemd does, it would be
  /// another secret.
  static func parse(_ text: String, _ path: String) throws -> [String: String] {
    var variables: [String: String] = [:]
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") || line.hasPrefix(";") { continue }
      guard let match = line.wholeMatch(of: /([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)/), let value = value(match.2) else {
        throw SettingsError("line \(index + 1) of \(path) is not NAME=value, or has an escape")
      }
      variables[String(match.1)] = value
    }
    return variables
  }

  /// - Returns: nil for what is quoted in part, or holds what systemd would take for an escape.
  private static func value(_ text: Substring) -> String? {
    guard let quote = text.first, quote == "\"" || quote == "'" else {
      return text.contains { $0 == "\\" || $0 == "\"" || $0 == "'" } ? nil : String(text)
    }
    guard text.count >= 2, text.last == quote else { return nil }
    let inner = text.dropFirst().dropLast()
    return inner.contains(quote) || (quote == "\"" && inner.contains("\\")) ? nil : String(inner)
  }
}
