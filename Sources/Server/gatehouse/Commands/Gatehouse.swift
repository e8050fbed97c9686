// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Configuration
import Evidence
import Foundation
import GatehouseApp
import HTTP
import Kit
import Logging
import ServerTLS

/// `gatehouse`: one program, one command a job.
@main
struct Gatehouse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatehouse",
    abstract: "Customer onboarding, strong authentication and banking access for mobile apps.",
    discussion: "With no configuration at all, `gatehouse serve` runs a whole sandbox on this machine.",
    version: ProductVersion.current,
    subcommands: [
      Serve.self, Work.self, Migrate.self, SetupCommand.self, DoctorCommand.self, HealthCommand.self,
      DocumentCommand.self, MRZCommand.self, StaffCommand.self, SessionsCommand.self, CaseCommand.self,
      ReceiptCommand.self, AuditCommand.self, ConfigCommand.self, KeysCommand.self, OutboxCommand.self,
      BackupCommand.self, RecordBackupCommand.self, RestoreCommand.self, ScreenCommand.self, CustomerCommand.self,
      ErasureCommand.self,
      RubixCommand.self, PowerAuthCommand.self, WultraCommand.self, SaltEdgeCommand.self, OneAssistCommand.self,
      FinapticCommand.self, ChatCommand.self, LedgerCommand.self, WebhooksCommand.self, ListsCommand.self,
      PaymentsCommand.self, TemplatesCommand.self, FacesCommand.self, SandboxCommand.self,
      EvidenceWorkerCommand.self,
    ])

  static func main() async {
    FreedMemory.keep()
    let (arguments, spelling) = DeprecatedSpelling.renewed(Array(CommandLine.arguments.dropFirst()))
    if let spelling, !wantsJSON(arguments) { StandardError.write("\(spelling.hint)\n") }
    var command: (any ParsableCommand)?
    var failure: (any Error)?
    do {
      let parsed = try parseAsRoot(arguments)
      command = parsed
      if !endsByItself(parsed) { InterruptedWork.tell(asJSON: wantsJSON(arguments)) }
      if var job = parsed as? any AsyncParsableCommand { try await job.run() } else { try run(parsed) }
    } catch { failure = command == nil ? unread(arguments, error) : error }
    // Before the process exits, whichever way: threads of a store do not outlive its command.
    OpenedStores.close()
    guard let failure = failure ?? StandardOutput.fault() else { return }
    leave(failure, of: command, arguments)
  }

  /// Servers end in order at a signal, and a receiver is always ended by one.
  private static func endsByItself(_ command: any ParsableCommand) -> Bool {
    command is Serve || command is Work || command is WebhooksListen || command is EvidenceWorkerCommand
  }

  private static func run(_ command: any ParsableCommand) throws {
    var command = command
    try command.run()
  }

  /// Whether errors are to be JSON, also when the line cannot be read otherwise.
  static func wantsJSON(_ arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains("--json") }

  /// Why a line cannot be read. `--json` is what is wrong with it only where the line can be read without: after a word
  /// that is no command, the word is wrong.
  static func unread(_ arguments: [String], _ error: any Error) -> any Error {
    guard wantsJSON(arguments), !exitCode(for: error).isSuccess else { return error }
    let words = arguments.prefix { $0 != "--" }
    do { _ = try parseAsRoot(words.filter { $0 != "--json" } + arguments.dropFirst(words.count)) } catch let other {
      return exitCode(for: other).isSuccess ? error : other
    }
    return error
  }

  private static func leave(
    _ error: any Error, of command: (any ParsableCommand)?, _ arguments: [String]
  ) -> Never {
    let asJSON = wantsJSON(arguments)
    // Help and versions go to standard output, and reports that have told what is wrong end by their code.
    if error is ExitCode || exitCode(for: error).isSuccess { exit(withError: error) }
    let report = FailureReport(error, of: command.map { type(of: $0) })
    var words = (asJSON ? try? report.json : nil) ?? report.text
    if command == nil, !asJSON {
      for near in CommandPath.near(arguments) { words += "\nDid you mean `\(near)`?" }
    }
    StandardError.write("\(words)\n")
    exit(withError: ExitCode(report.exit.rawValue))
  }
}

/// Options of every command that opens an installation.
struct InstallationOptions: ParsableArguments {
  @Option(help: "A JSON file of settings.")
  var config: String?

  @Option(help: "Folder of the database, the blobs and the keys (default: data).")
  var data: String?

  @Option(
    name: .customLong("database-url"),
    help:
      "postgres://… for PostgreSQL (default: the embedded database). Better in GATEHOUSE_DATABASE_URL: other users see flags."
  )
  var databaseURL: String?

  @Option(help: "trace, debug, info, warning or error (default: info).")
  var log: String?

  func settings(_ more: [String: ConfigValue] = [:]) async throws -> Settings {
    var flags = more
    if let config, !FileManager.default.fileExists(atPath: config) {
      throw CommandFailure.notFound("There is no file of settings at \(config).")
    }
    if let data { flags["data"] = ConfigValue(.string(data), isSecret: false) }
    if let databaseURL { flags["database.url"] = ConfigValue(.string(databaseURL), isSecret: true) }
    if let log { flags["log"] = ConfigValue(.string(log), isSecret: false) }
    var settings = try await Settings.load(flags: flags, file: config, links: .all)
    settings.evidenceExecution = settings.evidenceInProcess ? .inProcess : .thisProgram
    return settings
  }

  /// The installation, opened for a job.
  /// - Parameter orNew: makes a missing one, for what an installation may begin with. Nothing else does: an empty
  ///   answer for a wrong folder would be believed.
  /// - Throws: `MissingStore`.
  func app(orNew: Bool = false) async throws -> App {
    var settings = try await settings()
    settings.followServer()
    let database = orNew ? try settings.database() : try await settings.existingDatabase()
    _ = OpenedStores.keep(database)
    return try await App.open(settings, database: database, logger: settings.logger("gatehouse"))
  }
}
