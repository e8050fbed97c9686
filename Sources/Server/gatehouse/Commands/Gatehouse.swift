import ArgumentParser
import Configuration
import Evidence
import Foundation
import GatehouseApp
import HTTP
import Kit
import Logging

/// `gatehouse`: one program, one command a job.
@main
struct Gatehouse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gatehouse",
    abstract: "Customer onboarding, strong authentication and banking access for mobile apps.",
    discussion: "With no configuration at all, `gatehouse serve` runs a whole sandbox on this machine.",
    version: ProductVersion.current,
    subcommands: [
      Serve.self, Work.self, Migrate.self, SetupCommand.self, DoctorCommand.self, ReadDocument.self, ParseMRZ.self,
      StaffCommand.self, CaseCommand.self,
      ReceiptCommand.self, AuditCommand.self, ConfigCommand.self, KeysCommand.self, OutboxCommand.self,
      BackupCommand.self, RestoreCommand.self, ScreenCommand.self, ExportCommand.self, EraseCommand.self,
      ErasureCommand.self, PowerAuthCommand.self, WultraCommand.self, SaltEdgeCommand.self, OneAssistCommand.self,
      FinapticCommand.self, ChatCommand.self, LedgerCommand.self, WebhooksCommand.self, ListsCommand.self,
      PaymentsCommand.self, TemplatesCommand.self, FacesCommand.self, SandboxCommand.self,
      EvidenceWorkerCommand.self,
    ])

  static func main() async {
    FreedMemory.keep()
    var failure: (any Error)?
    do {
      let command = try parseAsRoot()
      if var job = command as? any AsyncParsableCommand { try await job.run() } else { try run(command) }
    } catch { failure = error }
    // Before the process exits, whichever way: threads of a store do not outlive its command.
    OpenedStores.close()
    guard let failure else { return }
    exit(withError: (failure as? Problem).map { Refusal(problem: $0) } ?? failure)
  }

  private static func run(_ command: any ParsableCommand) throws {
    var command = command
    try command.run()
  }
}

/// A refusal in words for a terminal. Unlike what was typed wrong, it ends the program with 1 and without a lesson.
struct Refusal: Error, CustomStringConvertible {
  let problem: Problem

  var description: String {
    let fields = problem.fields.map { "\($0.pointer): \($0.message)" }
    let left = problem.attemptsLeft.map { "\($0) attempts are left." }
    return ([problem.detail] + fields + [left].compactMap(\.self)).joined(separator: "\n")
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
    if let data { flags["data"] = ConfigValue(.string(data), isSecret: false) }
    if let databaseURL { flags["database.url"] = ConfigValue(.string(databaseURL), isSecret: true) }
    if let log { flags["log"] = ConfigValue(.string(log), isSecret: false) }
    var settings = try await Settings.load(flags: flags, file: config)
    settings.evidenceExecution = settings.evidenceInProcess ? .inProcess : .thisProgram
    return settings
  }

  /// The installation, opened for a job.
  func app() async throws -> App {
    let settings = try await settings()
    return OpenedStores.keep(try await App.open(settings, logger: settings.logger("gatehouse")))
  }
}
