import ArgumentParser
import Foundation
import GatehouseApp
import Kit

struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Inspect the audit log.", subcommands: [Verify.self, Seal.self, Anchor.self])

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Check each line of the log under its key, and against the checkpoints; 1 when something is wrong.",
      discussion: """
        A change, a gap and a forged line show in the log itself; a chain or an end that was removed, and a log that \
        was written anew with the key ring, show against the checkpoints.
        """)

    @OptionGroup var installation: InstallationOptions
    @Option(help: "Folder or bucket of the checkpoints (default: audit.anchors).")
    var anchors: String?
    @Option(help: "Compare with the checkpoints from this number on, where those before were checked.")
    var since = 1
    @Flag(help: "Print the report as JSON.")
    var json = false

    func run() async throws {
      let settings = try await installation.settings()
      // The whole log is read, however long: that takes longer than any customer may wait.
      let database = try await installation.openStore(statementTimeout: .zero)
      try await Schema.requireCurrent(database)
      let vault = try await Vault.open(
        database, keyring: Keyring(at: settings.keyringPath, kms: settings.keyManagement()), world: .live)
      let anchor = try settings.auditAnchor(anchors, world: .live)?.anchor
      let verifier = AuditVerifier(
        database: database, vault: vault, world: try await settings.world(of: database), anchor: anchor)
      let report = try await verifier.run(since: since)
      if json {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(report), as: UTF8.self))
      } else {
        describe(report)
      }
      guard report.isSound else { throw ExitCode.refused }
    }

    private func describe(_ report: AuditReport) {
      for fault in report.faults { print("✗ \(fault)") }
      if report.unsealed > 0 {
        print("✗ \(report.unsealed) chains are from before the log was keyed: run `gatehouse audit seal` once")
      }
      let verdict = report.isSound ? "unbroken" : "\(report.faults.count + report.unsealed) broken"
      print("\(report.chains) chains, \(report.lines) lines: \(verdict).")
      switch report.checkpoints {
      case nil: print("Compared with no checkpoints: audit.anchors names no place for them.")
      case 0: print("There are no checkpoints yet.")
      case let count?:
        print("Compared with \(count) checkpoints, the last of \(report.anchoredAt ?? "an unknown time").")
      }
    }
  }

  struct Seal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Bind what was written before the log was keyed: once after the upgrade, when every node runs it.")

    @OptionGroup var installation: InstallationOptions
    @Flag(help: "Show what would be sealed, and seal nothing.")
    var dryRun = false
    @Flag(help: "The database is a backup from before the log was sealed: seal it although the key ring knows a seal.")
    var restored = false

    func run() async throws {
      let app = try await installation.app()
      let (audit, database) = (app.core.audit, app.database)
      let open = try await database.read(audit.unsealed)
      let times = [open.first, open.last].compactMap { $0?.rfc3339 }.joined(separator: " to ")
      print("\(open.lines) lines of \(open.chains) chains have no key\(times.isEmpty ? "" : ": \(times)").")
      guard !dryRun else { return }
      let anchor = try app.settings.auditAnchor(world: .live)?.anchor
      let count = try await audit.seal(database, anchor: anchor, isRestored: restored)
      try app.settings.markAuditSealed()
      print(
        """
        \(count) chains are sealed: from now on every line needs a key. The key ring knows so: copy \
        \(app.settings.keyringPath) to its backup and to every other node.
        """)
    }
  }

  struct Anchor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a signed checkpoint of the log now. The servers do so every hour.")

    @OptionGroup var installation: InstallationOptions
    @Flag(help: "audit.anchors names another place than before: it gets all heads.")
    var newPlace = false

    func run() async throws {
      guard let checkpoints = try await installation.app().auditCheckpoints else {
        throw CommandFailure.refused("audit.anchors names no place for checkpoints")
      }
      print("Checkpoint \(try await checkpoints.run(isDue: true, isNewPlace: newPlace)) is anchored.")
    }
  }
}
