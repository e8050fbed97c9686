// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import GatehouseWire
import Kit
import Storage

/// What a command that failed tells, as words or, with `--json`, as JSON on standard error.
struct FailureReport: Equatable {
  let exit: CommandExit
  /// A stable name; of a `Problem` the same that the API answers.
  let code: String
  /// For people. Never repeats a secret or personal data.
  private(set) var message: String
  var fields: [ProblemFieldError] = []
  var attemptsLeft: Int?
  var retryAfterSeconds: Int?
  /// How the command is called, when its line was wrong.
  var usage: String?

  /// - Parameter command: what ran; nil while the line was still read.
  init(_ error: any Error, of command: (any ParsableCommand.Type)? = nil) {
    switch error {
    case let problem as Problem:
      self.init(CommandExit(problem.category), problem.detail, code: problem.code)
      fields = problem.fields.map { ProblemFieldError(field: $0.pointer, code: $0.code, message: $0.message) }
      (attemptsLeft, retryAfterSeconds) = (problem.attemptsLeft, problem.retryAfterSeconds)
      if problem == .notFound, problem.resource == nil, let command {
        message += Self.whereNamed(Gatehouse.usageString(for: command))
      }
    case let failure as CommandFailure: self.init(failure.exit, failure.description)
    case let failure as MissingStore: self.init(.notFound, failure.description)
    case let failure as PowerAuthOperationsError: self.init(failure.exit, failure.text)
    case let failure as SQLError: self.init(store: failure)
    case let failure as BackupError: self.init(failure.isMissing ? .notFound : .refused, failure.description)
    case let failure as BlobError: self.init(objects: failure)
    case let failure as KeyringError:
      if case .missing = failure {
        self.init(.notFound, failure.description)
      } else {
        self.init(.refused, "\(failure)")
      }
    case let failure as EpochKeyError:
      if case .missing = failure {
        self.init(.notFound, failure.description)
      } else {
        self.init(.refused, "\(failure)")
      }
    case let failure as KeyManagementError: self.init(keys: failure)
    case let failure as CocoaError: self.init(files: failure)
    case VaultError.changed:
      self.init(
        .failed,
        "A value does not open under the key that it names: it was changed in the store, or is of another row.")
    case is VaultError: self.init(.failed, "The keys of this installation do not open what it keeps.")
    case _ where Gatehouse.exitCode(for: error) == .validationFailure:
      self.init(.usage, Gatehouse.message(for: error))
      usage = Self.usage(error, of: command)
    // What has words of its own was foreseen.
    case let failure as any CustomStringConvertible: self.init(.refused, failure.description)
    default: self.init(.failed, "\(error)")
    }
  }

  private init(_ exit: CommandExit, _ message: String, code: String? = nil) {
    (self.exit, self.message, self.code) = (exit, message, code ?? exit.code)
  }

  private init(store failure: SQLError) {
    switch failure {
    case .unreachable(let why): self.init(.unavailable, "The database does not answer: \(why)")
    case .busy, .locked: self.init(.unavailable, "The database is busy: others hold what this command needs.")
    case .uncertain:
      self.init(.unavailable, "The connection was lost while it was committed: look whether it was done.")
    case .outdated: self.init(.refused, "It was changed at the same time: look, and try again.")
    case .schema(let why): self.init(.refused, "The schema of the database is not this program's: \(why).")
    case .notUnique, .constraint: self.init(.refused, "The database refuses it: \(failure.reason ?? failure.name).")
    case .unreadable, .engine: self.init(.failed, "The database failed: \(failure.reason ?? failure.name)")
    }
  }

  private init(objects failure: BlobError) {
    switch failure {
    case .unavailable: self.init(.unavailable, "The object store does not answer, or has no room.")
    case .refused(let code): self.init(.refused, "The object store refused with \(code).")
    case .badKey, .tooLarge, .damaged, .replaced: self.init(.failed, "The object store failed: \(failure).")
    }
  }

  private init(keys failure: KeyManagementError) {
    switch failure {
    case .noModule, .noToken, .failed: self.init(.unavailable, failure.description)
    case .login, .lastTry, .noKey, .notWrapped: self.init(.refused, failure.description)
    }
  }

  private init(files failure: CocoaError) {
    let path = failure.filePath.map { "\($0): " } ?? ""
    let isMissing = [.fileNoSuchFile, .fileReadNoSuchFile].contains(failure.code)
    self.init(
      isMissing ? .notFound : .refused, path + (isMissing ? "there is no such file." : failure.localizedDescription))
  }

  /// Where the line names what is not there. The values are not repeated: some are names of customers.
  /// - Parameter usage: as ArgumentParser writes it, `gatehouse noun verb <argument> [--option <value>]`.
  static func whereNamed(_ usage: String) -> String {
    let words = usage.split(whereSeparator: \.isWhitespace)
    let arguments = zip(words, words.dropFirst()).compactMap { before, word -> String? in
      let isOption = before.hasPrefix("-") || before.hasPrefix("[-")
      // Many options are written as one word, which names none of them.
      return word.hasPrefix("<") && word != "<options>" && !isOption ? String(word.prefix { $0 != ">" }) + ">" : nil
    }
    guard !arguments.isEmpty else { return "" }
    return " Look at \(arguments.joined(separator: ", "))\(usage.contains("--tenant <") ? " and --tenant" : "")."
  }

  private static func usage(_ error: any Error, of command: (any ParsableCommand.Type)?) -> String {
    if let command {
      let path = CommandPath.of(command).joined(separator: " ")
      return "Usage: \(Gatehouse.usageString(for: command))\n  See '\(path) --help' for more information."
    }
    let message = "Error: \(Gatehouse.message(for: error))\n"
    let whole = Gatehouse.fullMessage(for: error)
    return whole.hasPrefix(message) ? String(whole.dropFirst(message.count)) : whole
  }
}

extension FailureReport {
  /// For people.
  var text: String {
    let lines = fields.map { "\($0.field): \($0.message)" }
    let left = attemptsLeft.map { "\($0) attempts are left." }
    return TerminalLine.lines(
      (["Error: \(message)"] + lines + [left, usage].compactMap(\.self)).joined(separator: "\n"))
  }

  /// One line, whose form `docs/commands.md` describes.
  var json: String {
    get throws { try CommandJSON.line(Document(error: self)) }
  }

  private struct Document: Encodable { let error: FailureReport }
}

extension FailureReport: Encodable {
  enum CodingKeys: String, CodingKey {
    case code, message
    case exitCode = "exit_code"
    case errors
    case attemptsLeft = "attempts_left"
    case retryAfterSeconds = "retry_after_seconds"
    case usage
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(code, forKey: .code)
    try container.encode(message, forKey: .message)
    try container.encode(exit.rawValue, forKey: .exitCode)
    if !fields.isEmpty { try container.encode(fields, forKey: .errors) }
    try container.encodeIfPresent(attemptsLeft, forKey: .attemptsLeft)
    try container.encodeIfPresent(retryAfterSeconds, forKey: .retryAfterSeconds)
    try container.encodeIfPresent(usage, forKey: .usage)
  }
}

extension CommandExit {
  /// As a refusal of the same kind leaves by the API.
  init(_ category: Problem.Category) {
    switch category {
    case .notFound: self = .notFound
    case .unavailable, .providerFailed, .providerTimedOut, .rateLimited, .requestTimeout: self = .unavailable
    case .internal: self = .failed
    // What is there and takes no such step any more, such as a payment that is settled, is not missing.
    case .badRequest, .unauthenticated, .forbidden, .methodNotAllowed, .conflict, .gone, .payloadTooLarge,
      .unsupportedMedia, .unprocessable, .locked, .clientGone:
      self = .refused
    }
  }
}
