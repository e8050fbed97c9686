// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import Storage

/// Brings the schema up to date and says what it is.
struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Bring the database schema up to date.")

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let settings = try await installation.settings()
    let database = OpenedStores.keep(try settings.database())
    try await TerminalProgress.show("Bringing the schema up to date", output) { progress in
      progress.begin("steps")
      try await database.migrate(Schema.migrations) { progress.remain($0) }
    }
    try await settings.keepForCustomers(database)
    let schema = Schema.migrations.last?.id ?? "nothing"
    try output.show(["schema": schema], ["\(settings.databaseName) is at \(schema)."])
  }
}

struct ConfigCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Inspect the configuration.", subcommands: [Check.self])

  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "List everything that keeps `serve` and `work` from starting; 1 when there is anything.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let settings = try await installation.settings()
      let faults = settings.startFaults
      let words =
        settings.isSandbox
        ? "The configuration is fit for a start as a sandbox, which is for no customers: the setting tenants is missing."
        : "The configuration is fit for a start."
      try output.show(
        StartCheck(isSandbox: settings.isSandbox, faults: faults.map(\.description), warnings: settings.startWarnings),
        (faults.isEmpty ? [words] : faults.map { "✗ \($0)" } + StartFault.advice(on: faults))
          + settings.startWarnings.map { "! \($0)" })
      guard faults.isEmpty else { throw ExitCode.refused }
    }
  }
}

/// What keeps `serve` and `work` from starting.
private struct StartCheck: Encodable {
  let isSandbox: Bool
  let faults, warnings: [String]

  enum CodingKeys: String, CodingKey {
    case faults, warnings
    case isSandbox = "sandbox"
  }
}

struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Turn the keys over.",
    subcommands: [
      Rotate.self, Prepare.self, Rewrap.self, Wrap.self, Subjects.self, Advance.self, ReplaceEpochKey.self,
    ])

  /// Of the audit log: who turned which keys over.
  static let chain = "keys"

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate",
      abstract: "Make a new data key and a new signing key; running servers take them up within a minute.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let app = try await installation.app()
      try await app.vault.rotate(in: app.database) { [audit = app.core.audit] tx in
        try audit.append("keys.rotated", to: KeysCommand.chain, by: MachineUser.actor, in: tx)
      }
      try await app.signer.rotate()
      try output.done("New data and signing keys are active in \(Vault.activationDelay.wholeSeconds) seconds.")
    }
  }

  struct Prepare: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "prepare",
      abstract: "Add a key to this machine's key ring that `rewrap` will use. Wraps nothing yet.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let settings = try await installation.settings()
      let path = try ringPath(settings)
      let keys = try await Vault.dataKeys(in: installation.openStore())
      var id = ""
      try Keyring.change(at: path, kms: settings.keyManagement()) {
        // What is copied from here takes the place of every other ring.
        try $0.check(keys)
        id = $0.prepare(world: .live)
        return true
      }
      try output.done(
        """
        Key \(id) is on the ring. Copy \(path) to its backup and to every other node, restart the nodes, then run \
        `gatehouse keys rewrap`.
        """, id: id)
    }
  }

  struct Rewrap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rewrap", abstract: "Wrap every data key under the key that `prepare` made.",
      discussion: "From then on a ring without that key opens nothing: let every node and the backup have it before.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let settings = try await installation.settings()
      let path = try ringPath(settings)
      let database = try await installation.openStore()
      let keys = try await Vault.dataKeys(in: database)
      // The ring first: a crash in between leaves keys that the ring opens, and the same again goes on.
      var isTurned = false
      let keyring = try Keyring.change(at: path, kms: settings.keyManagement()) {
        try $0.check(keys)
        isTurned = $0.turnOver()
        return isTurned
      }
      let world = try await settings.world(of: database)
      let audit = Audit(world: world, vault: try await Vault.open(database, keyring: keyring, world: world))
      let count = try await TerminalProgress.show("Wrapping data keys", output) {
        try await Vault.rewrap(database, keyring: keyring, world: .live, progress: $0) { tx in
          try audit.append(
            "keys.rewrapped", to: KeysCommand.chain, by: MachineUser.actor, facts: ["key": keyring.current], in: tx)
        }
      }
      // Another node wrapped them, and this machine's ring is turned over after it.
      if isTurned, count == 0 {
        try await database.write { [current = keyring.current] tx in
          try audit.append(
            "keys.ring_turned_over", to: KeysCommand.chain, by: MachineUser.actor, facts: ["key": current], in: tx)
        }
      }
      guard isTurned || count > 0 else {
        throw Problem(
          .conflict, "no-key-prepared", "No key was prepared: run `gatehouse keys prepare`, and copy the ring, first.")
      }
      try output.show(
        Rewrapped(dataKeys: count, key: keyring.current),
        [
          "\(count.counted("data key is", "data keys are")) wrapped under key \(keyring.current). "
            + "Copy the ring once more."
        ])
    }
  }
}

private struct Rewrapped: Encodable {
  let dataKeys: Int
  let key: String
}

extension KeysCommand {
  struct Wrap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "wrap", abstract: "Wrap this machine's key ring under the key of the KMS that the settings name.",
      discussion: "Makes that key when the token has none of the name. The file opens nothing without the token then.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions

    func run() async throws {
      let settings = try await installation.settings()
      // One at a time: two that make the key at once would make two of one name.
      var name = ""
      try Keyring.change(at: settings.keyringPath) {
        guard let kms = try settings.keyManagement(generates: true) else {
          throw CommandFailure.refused("the settings name no KMS: kms.module, kms.token, kms.key and kms.pin")
        }
        let epochKey = EpochKeyFile(settings.epochKeyPath)
        if epochKey.isThere { try epochKey.wrap(by: kms) }
        ($0, name) = (try $0.wrapped(by: kms), kms.name)
        return true
      }
      try output.done("\(settings.keyringPath) is wrapped by \(name). Destroy every plain copy of it.")
    }
  }

  /// Introduces keys of persons into an installation of a release before them.
  struct Subjects: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "subjects",
      abstract: "Let keys of persons seal from now on; what is there is sealed again by the servers.",
      discussion: """
        First --prepare, which makes the epoch key of this machine. Copy that file to every other node and restart the \
        nodes, all of this release. Then the same without --prepare. The release before cannot read what is written then.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "Make the epoch key, and begin nothing yet.")
    var prepare = false

    func run() async throws {
      let settings = try await installation.settings()
      let file = EpochKeyFile(settings.epochKeyPath, kms: try settings.keyManagement())
      let database = try await installation.openStore()
      let keys = try await SubjectKeys.open(database, file: file, making: prepare, world: .live)
      guard !prepare else {
        return try output.done("\(file.path) holds the epoch key. Copy it to every other node and restart the nodes.")
      }
      guard let keys else { throw EpochKeyError.missing(path: file.path) }
      let isNew = try await keys.begin(in: database, at: World.live.now())
      try output.done(
        isNew ? "Keys of persons seal from now on." : "Keys of persons seal already.", changed: isNew)
    }
  }

  /// Goes forward with the epoch key by hand.
  struct Advance: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "advance", abstract: "Begin a new epoch now, and wrap every person's key in it.",
      discussion: """
        With --destroy, ten minutes later and on every node: destroys the keys of the epochs before, so that no older \
        copy of an erased person's data can be opened. Every older backup then needs the keys of persons of a newer one.
        """)

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Flag(help: "Destroy the keys of the epochs before, instead of beginning a new one.")
    var destroy = false
    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
      if destroy { try confirmation.confirm("No older copy of an erased person's data can be opened from then on.") }
      let app = try await installation.app()
      guard let epochs = SubjectKeyEpochs(app.database, vault: app.vault, world: app.world) else {
        throw EpochKeyError.missing(path: app.settings.epochKeyPath)
      }
      let earliest = app.vault.subjectKeys?.earliestEpoch ?? 0
      // Before it, too: keys that are destroyed cannot be had back, whatever happens to the line that tells it.
      if destroy { try await Self.note("keys.destruction_requested", in: app) }
      let report = try await TerminalProgress.show("Wrapping keys of persons", output) {
        try await epochs.run(advancing: !destroy, destroying: destroy, progress: $0)
      }
      if !destroy {
        try await Self.note("keys.advanced", ["epoch": "\(report.epoch)"], in: app)
      } else if report.earliest > earliest {
        try await Self.note("keys.destroyed", ["before": "\(report.earliest)"], in: app)
      }
      try output.show(
        ["epoch": report.epoch, "rewrapped": report.rewrapped, "earliest": report.earliest],
        [
          """
          Epoch \(report.epoch): \(report.rewrapped.counted("key of a person was", "keys of persons were")) wrapped \
          anew; what was wrapped before epoch \(report.earliest) cannot be opened any more.
          """
        ])
    }

    private static func note(_ action: String, _ facts: [String: String] = [:], in app: App) async throws {
      try await app.database.write(retrying: .outdated) { [audit = app.core.audit] tx in
        try audit.append(action, to: KeysCommand.chain, by: MachineUser.actor, facts: facts, in: tx)
      }
    }
  }
}

/// - Throws: `KeyringError.missing`, before a missing database is told.
private func ringPath(_ settings: Settings) throws -> String {
  guard FileManager.default.fileExists(atPath: settings.keyringPath) else {
    throw KeyringError.missing(path: settings.keyringPath)
  }
  return settings.keyringPath
}
