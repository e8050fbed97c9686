// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import HTTP
import Kit
import Storage

/// Which customer, of which institution.
struct CustomerOptions: ParsableArguments {
  @Option(help: "The customer's id.")
  var customer: String
  @Option(help: "Tenant (default: default); also one of Finaptic, such as finaptic-7.", transform: TenantOptions.read)
  var tenant = "default"
  @Option(help: "The flow, such as wultra, whose customer it is (default: that of the tenant).")
  var flow: String?

  /// - Parameter app: knows the flows.
  func subject(in app: App) throws -> (subject: DataSubject, module: any Module) {
    guard flow != nil || UUID(uuidString: customer) != nil else { throw ValidationError("--customer is a UUID") }
    let id = flow == nil ? customer.lowercased() : customer
    return (DataSubject(id, of: tenant, by: OperatorOptions.machineUser), try app.module(named: flow, tenant: tenant))
  }
}

/// `gatehouse customer`: what a customer may ask for.
struct CustomerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "customer", abstract: "Export what is kept of a customer, or erase it.",
    subcommands: [ExportCommand.self, EraseCommand.self])
}

/// Gives out what is kept of one customer (GDPR art. 15 and 20).
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write everything that is kept of a customer, opened, with the images.",
    discussion: """
      customer.json and images/ are for the customer. Whose names on lists theirs resembled is left out, for the law \
      may forbid to tell; --include-restricted adds restricted.json for those who may know. Structure: docs/rights.md.
      """)

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var who: CustomerOptions
  @OptionGroup var acting: OperatorOptions
  @OptionGroup var destination: ExportDestination
  @Flag(help: "Add restricted.json. Not for the customer.")
  var includeRestricted = false

  func run() async throws {
    let app = try await installation.app()
    let (customer, module) = try who.subject(in: app)
    let actor = try await acting.actor(in: app, may: .eraseCustomers, of: customer.tenant)
    let subject = DataSubject(customer.id, of: customer.tenant, by: actor)
    try await destination.write(
      subject, from: module, of: app, includingRestricted: includeRestricted, output: output)
  }
}

/// The code of an erasure.
struct ErasureOptions: ParsableArguments {
  @OptionGroup var acting: OperatorOptions
  @Option(help: "A code for the audit log, as in art-17-request or consent-withdrawn. It names no person.")
  var reason: String
  @OptionGroup var proof: ErasureProofOptions
  @OptionGroup var confirmation: ConfirmationOptions

  /// Asks, erases, prints what was erased, and writes the proof that was asked for.
  func erase(
    _ subject: DataSubject, from module: any Module, of app: App, despiteDuty: Bool = false, output: OutputOptions
  ) async throws {
    guard let reason = ErasureReason(rawValue: reason) else {
      throw ValidationError("--reason is a code of lower-case letters, digits and hyphens, without long numbers")
    }
    let actor = try await acting.actor(in: app, may: .eraseCustomers, of: subject.tenant)
    let subject = DataSubject(subject.id, of: subject.tenant, by: actor)
    try confirmation.confirm("What is kept of \(subject.id) will be erased for good.")
    let erased = try await TerminalProgress.show("Erasing", output) {
      try await app.erase(subject, from: module, for: reason, despiteDuty: despiteDuty, progress: $0)
    }
    try await proof.finish(erased, subject, from: module, of: app, output: output)
  }
}

/// What an erasure prints as JSON.
private struct ErasureReport: Encodable {
  let subject: String
  /// What was erased, in words.
  let erased: [String]
  let proof: String?
}

/// Where the proof of an erasure goes.
struct ErasureProofOptions: ParsableArguments {
  @Option(name: .customLong("proof"), help: "Write the signed proof of the erasure to this file.")
  var file: String?

  /// Ends an erasure: forgets older pages, writes the proof, and prints what was erased.
  func finish(
    _ erased: [String], _ subject: DataSubject, from module: any Module, of app: App, output: OutputOptions
  ) async throws {
    var lines = erased
    let kept = try await TerminalProgress.show("Forgetting older pages", output) {
      try await app.forgetOlderPages()
    }
    if let kept { lines.append(kept) }
    try await write(subject, from: module, of: app)
    if let file { lines.append("\(file) is the signed proof: `gatehouse erasure verify \(file)`.") }
    try output.show(ErasureReport(subject: subject.id, erased: erased, proof: file), lines)
  }

  private func write(_ subject: DataSubject, from module: any Module, of app: App) async throws {
    guard let file else { return }
    guard let document = try await app.erasureProof(of: subject, from: module) else {
      throw CommandFailure.notFound("Nothing of theirs was erased since erasures are proven: there is no proof.")
    }
    try DurableFile.write(document, to: file)
  }
}

/// Erases a customer (GDPR art. 17).
struct EraseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase a customer: rows at once, images by the worker; the audit log stays, without its subject.",
    discussion: "The same again changes nothing. What copies hold cannot be opened some weeks later.")

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var who: CustomerOptions
  @OptionGroup var erasure: ErasureOptions
  @Flag(help: "Also one who became a customer, was declined or is under review: the law may ask to keep that file.")
  var despiteDutyToKeep = false

  func run() async throws {
    let app = try await installation.app()
    let (subject, module) = try who.subject(in: app)
    try await erasure.erase(subject, from: module, of: app, despiteDuty: despiteDutyToKeep, output: output)
  }
}

struct ErasureCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erasure", abstract: "Show what an erasure left.", subcommands: [Verify.self])

  struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "verify",
      abstract: "Look for an erased person in a backup, or in this installation; 1 when something can be opened.",
      discussion: "Reads the copy only. The keys that are tried are those of the backup, of the options, or in place.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The file that `erase --proof` wrote.")
    var proof: String
    @Option(help: "The folder of a backup (default: this installation).")
    var backup: String?
    @Option(help: "A key ring file (default: the one of the backup, or else the one in place).")
    var keyring: String?
    @Option(help: "An epoch key file (default: the one of the backup, or else the one in place).")
    var epochKey: String?

    func run() async throws {
      guard let document = FileManager.default.contents(atPath: proof) else {
        throw CommandFailure.notFound("\(proof) cannot be read")
      }
      let app = try await installation.app()
      let erased = try ErasureProof(document, by: app.vault)
      let report =
        if let backup {
          try await BackupErasureCheck(settings: app.settings, world: app.world).run(
            erased, on: backup, keyring: keyring, epochKey: epochKey)
        } else {
          try await app.checkErasure(erased)
        }
      guard !output.json else {
        try output.show(
          ErasureCheckReport(
            erasedAt: "\(erased.erasedAt)", reason: "\(erased.reason)", hasKey: report.hasKey,
            values: Int(report.values),
            objects: Int(report.objects), valuesUnderDataKeys: Int(report.valuesUnderDataKeys),
            isReadable: report.isReadable), [])
        guard !report.isReadable else { throw ExitCode.refused }
        return
      }
      print("The proof is signed by this installation: erased at \(erased.erasedAt), reason \(erased.reason).")
      print(
        """
        Keys of the person: \(report.hasKey ? "there, wrapped" : "not there"). Sealed under them: \
        \(report.values.counted("value", "values")), \(report.objects.counted("object", "objects")). Sealed under data \
        keys: \(report.valuesUnderDataKeys.counted("value", "values")).
        """)
      if let unverified = erased.unverified {
        print("An earlier proof could not be verified and is not part of this one; its SHA-256: \(unverified[0]).")
      }
      guard report.isReadable else { return print("Nothing of the person can be opened with these keys.") }
      let end = erased.unreadableFrom ?? "this copy is deleted"
      print(
        report.keyOpens
          ? "✗ A key of the person opens until \(end), and as long as a copy of this epoch key is kept."
          : "✗ Data keys open what was not sealed under the person's key yet: delete this copy.")
      throw ExitCode.refused
    }
  }
}

/// What `erasure verify` prints as JSON.
private struct ErasureCheckReport: Encodable {
  let erasedAt, reason: String
  let hasKey: Bool
  let values, objects, valuesUnderDataKeys: Int
  let isReadable: Bool

  enum CodingKeys: String, CodingKey {
    case erasedAt, reason, values, objects, valuesUnderDataKeys
    case hasKey = "key_is_there"
    case isReadable = "readable"
  }
}

extension App {
  /// After an erasure: the embedded engine keeps former pages in its log until that begins anew.
  /// - Returns: what stays for now, in words.
  func forgetOlderPages() async throws -> String? {
    guard settings.databaseURL == nil, try await !SQLite.emptyLog(settings.databasePath) else { return nil }
    return "Older pages stay in the write-ahead log until its next turn: another process reads them right now."
  }
}
