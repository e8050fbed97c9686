import ArgumentParser
import Capabilities
import Foundation
import Kit
import Storage

/// Brings the schema up to date and says what it is.
struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Bring the database schema up to date.")

  @OptionGroup var installation: InstallationOptions

  func run() async throws {
    let settings = try await installation.settings()
    let database = try settings.database()
    try await database.migrate(Schema.migrations)
    print("\(settings.databaseName) is at \(Schema.migrations.last?.id ?? "nothing").")
  }
}

struct AuditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Inspect the audit log.", subcommands: [Verify.self])

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Walk every chain and check each line against the one before it; 1 when one is broken.")

    @OptionGroup var installation: InstallationOptions
    @Flag(help: "Print the report as JSON.")
    var json = false

    func run() async throws {
      // The whole log is read, however long: that takes longer than any customer may wait.
      let report = try await installation.openStore(statementTimeout: .zero).read { try AuditStore($0).verify() }
      if json {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        print(String(decoding: try encoder.encode(report), as: UTF8.self))
      } else {
        for fault in report.faults { print("✗ \(fault)") }
        let verdict = report.faults.isEmpty ? "unbroken" : "\(report.faults.count) broken"
        print("\(report.chains) chains, \(report.lines) lines: \(verdict).")
      }
      guard report.faults.isEmpty else { throw ExitCode(1) }
    }
  }
}

struct KeysCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "Turn the keys over.", subcommands: [Rotate.self, Rewrap.self])

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a new data key and a new signing key; running servers take them up within a minute.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
      let house = try await installation.house()
      try await house.vault.rotate(in: house.database)
      try await house.signer.rotate()
      print("New data and signing keys are active in \(Vault.activationDelay.wholeSeconds) seconds.")
    }
  }

  struct Rewrap: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a key to the key ring and wrap every data key under it. Restart the servers afterwards.")

    @OptionGroup var installation: InstallationOptions

    func run() async throws {
      let settings = try await installation.settings()
      var keyring = try Keyring(path: settings.keyringPath, world: .live)
      keyring.rotate(world: .live)
      // The ring first: a crash in between leaves keys that both rings open.
      try keyring.save(to: settings.keyringPath)
      let count = try await Vault.rewrap(settings.database(), keyring: keyring, world: .live)
      print("\(count) data keys are wrapped under key \(keyring.current).")
    }
  }
}

struct StaffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "staff", abstract: "Manage the people who review.",
    subcommands: [Add.self, List.self, Suspend.self, Resume.self, Leave.self])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a member of staff; the password is read from standard input.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "E-mail address to sign in with.")
    var email: String
    @Option(help: "Full name.")
    var name: String
    @Option(help: "Tenant (default: default).")
    var tenant = "default"
    @Option(help: "M or F; customers may prefer one for a call.")
    var gender: String
    @Option(help: "Languages, as in en,ar.")
    var languages = "en"
    @Option(help: "Permissions, as in attend:video,read:customers,decide:aml.")
    var permissions = "attend:video,read:customers"

    func run() async throws {
      guard let gender = StaffMember.Gender(rawValue: gender) else { throw ValidationError("--gender is M or F") }
      if isatty(STDIN_FILENO) == 1 { FileHandle.standardError.write(Data("Password: ".utf8)) }
      guard let password = readLine(), !password.isEmpty else {
        throw ValidationError("a password is expected on standard input")
      }
      let house = try await installation.house()
      let member = try await house.staff.add(
        NewStaffMember(
          tenant: house.tenants.find(tenant).id, email: email, name: name, gender: gender,
          languages: Self.list(languages),
          permissions: Set(Self.list(permissions).map(StaffPermission.init(rawValue:))),
          password: password))
      print("Added \(member.name) as \(member.id).")
    }

    private static func list(_ text: String) -> [String] {
      text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }
}
