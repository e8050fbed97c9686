// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import Storage

struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Inspect the audit log.", subcommands: [Verify.self, Seal.self, Anchor.self])

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Check each line of the log under its key, and against the checkpoints; 1 when something is wrong.",
      discussion: """
        A change, a gap and a forged line show in the log itself; a chain or an end that was removed, and a log that \
        was written anew with the key ring, show against the checkpoints.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Option(help: "Folder or bucket of the checkpoints (default: audit.anchors).")
    var anchors: String?
    @Option(help: "Compare with the checkpoints from this number on, where those before were checked.")
    var since = 1
    @Option(help: "Folder of the checkpoints' time stamps (default: that of the checkpoints).")
    var stamps: String?
    @Option(help: "Certificates (PEM) under which time stamps are signed: then each checkpoint needs one.")
    var stampAuthority: String?

    func run() async throws {
      let settings = try await installation.settings()
      // A folder that is not there has no checkpoints, as one from which they were removed.
      if let anchors, !anchors.isEmpty, !anchors.contains("://") { try CommandFailure.require(anchors) }
      let anchor = try settings.auditAnchor(anchors, world: .live)?.anchor
      let report = try await report(settings, anchor)
      try output.show(
        report,
        Self.lines(
          report, since: since, isAnchored: anchor != nil, isNamed: stamps != nil, isSigned: stampAuthority != nil))
      guard report.isSound else { throw ExitCode.refused }
    }

    /// A row of another table that cannot be read is told beside what the log shows without it.
    func report(_ settings: Settings, _ anchor: AuditAnchor?) async throws -> AuditReport {
      // The whole log is read, however long: that takes longer than any customer may wait.
      let database = try await installation.openStore(statementTimeout: .zero)
      try await Schema.requireCurrent(database)
      if anchor == nil, stampAuthority != nil {
        throw SettingsError("without checkpoints there is nothing that a time stamp is over: name --anchors")
      }
      let ring = try Keyring(at: settings.keyringPath, kms: settings.keyManagement())
      let vault: Vault
      do { vault = try await Vault.open(database, keyring: ring, world: .live) } catch {
        guard let fault = DataKey.fault(in: error) else { throw error }
        var report = try await database.read {
          try AuditStore($0).verify(by: nil, isKnownSealed: ring.isAuditSealed)
        }
        report.faults.append("\(fault): neither the lines' keyed digests nor the checkpoints were checked")
        return report
      }
      var world = World.live
      var faults: [String] = []
      do { world = try await settings.world(of: database) } catch SQLError.unreadable(let why) {
        faults.append("sandbox_clock cannot be read (\(why)): the machine's clock was taken")
      }
      let verifier = AuditVerifier(
        database: database, vault: vault, world: world, anchor: anchor,
        stamps: try settings.auditStamps(stamps, of: anchors, authority: stampAuthority))
      var report = try await TerminalProgress.show("Checking the audit log", output) {
        try await verifier.run(since: since, progress: $0)
      }
      report.faults += faults
      return report
    }

    /// - Parameter isAnchored: whether a place of checkpoints is named.
    static func lines(
      _ report: AuditReport, since: Int = 1, isAnchored: Bool, isNamed: Bool, isSigned: Bool
    ) -> [String] {
      var lines = report.faults.map { "✗ \($0)" }
      if report.unsealed > 0 {
        let chains = report.unsealed.counted("chain is", "chains are")
        lines.append("✗ \(chains) from before the log was keyed: run `gatehouse audit seal` once")
      }
      let verdict = report.isSound ? "unbroken" : "\(report.faults.count + report.unsealed) broken"
      lines.append(
        "\(report.chains.counted("chain", "chains")), \(report.lines.counted("line", "lines")): \(verdict).")
      switch report.checkpoints {
      // A fault tells why.
      case nil where isAnchored: break
      case nil: lines.append("Compared with no checkpoints: audit.anchors names no place for them.")
      case 0 where since > 1: lines.append("No checkpoint from number \(since) on was made yet.")
      case 0: lines.append("There are no checkpoints yet.")
      case let count?:
        let counted = count.counted("checkpoint", "checkpoints")
        lines.append("Compared with \(counted), the last of \(report.anchoredAt ?? "an unknown time").")
      }
      if let stamps = report.stamps, stamps > 0 || isNamed || isSigned {
        let signed = isSigned ? "signed by the authority" : "whose signatures are checked with --stamp-authority"
        let times = report.firstStampAt.map { ", the first of \($0), the last of \(report.lastStampAt ?? $0)" } ?? ""
        lines.append("\(stamps) of them have a time stamp, \(signed)\(times).")
      }
      return lines
    }
  }

  struct Seal: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "seal",
      abstract: "Bind what was written before the log was keyed: once after the upgrade, when every node runs it.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "Show what would be sealed, and seal nothing.")
    var dryRun = false
    @Flag(help: "The database is a backup from before the log was sealed: seal it although the key ring knows a seal.")
    var restored = false

    func run() async throws {
      let app = try await installation.app()
      let (audit, database) = (app.core.audit, app.database)
      let open = try await database.read(audit.unsealed)
      let times = [open.first, open.last].compactMap { $0?.rfc3339 }.joined(separator: " to ")
      let chains = open.chains.counted("chain", "chains")
      let found =
        "\(open.lines.counted("line", "lines")) of \(chains) without a key\(times.isEmpty ? "" : ": \(times)")."
      guard !dryRun else { return try output.show(["lines": open.lines, "chains": open.chains], [found]) }
      if !output.json { print(found) }
      let anchor = try app.settings.auditAnchor(world: .live)?.anchor
      let count = try await TerminalProgress.show("Sealing the audit log", output) {
        try await audit.seal(database, anchor: anchor, isRestored: restored)
      }
      try app.settings.markAuditSealed()
      try output.show(
        ["sealed": count],
        [
          """
          \(count.counted("chain is", "chains are")) sealed: from now on every line needs a key. The key ring knows so: \
          copy \(app.settings.keyringPath) to its backup and to every other node.
          """
        ])
    }
  }

  struct Anchor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "anchor", abstract: "Make a signed checkpoint of the log now. The servers do so every hour.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "audit.anchors names another place than before: it gets all heads.")
    var newPlace = false

    func run() async throws {
      guard let checkpoints = try await installation.app().auditCheckpoints else {
        throw CommandFailure.refused("audit.anchors names no place for checkpoints")
      }
      let checkpoint = "\(try await checkpoints.run(isDue: true, isNewPlace: newPlace))"
      try output.done("Checkpoint \(checkpoint) is anchored.", id: checkpoint)
    }
  }
}
