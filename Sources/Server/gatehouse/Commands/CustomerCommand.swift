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
  @Option(help: "Tenant (default: default); finaptic-N for tenant N of Finaptic.")
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

/// Gives out what is kept of one customer (GDPR art. 15 and 20).
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write everything that is kept of a customer, opened, with the images.",
    discussion: """
      customer.json and images/ are for the customer. Whose names on lists theirs resembled is left out, for the law \
      may forbid to tell; --include-restricted adds restricted.json for those who may know. Structure: docs/rights.md.
      """)

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var who: CustomerOptions
  @OptionGroup var destination: ExportDestination
  @Flag(help: "Add restricted.json. Not for the customer.")
  var includeRestricted = false

  func run() async throws {
    let app = try await installation.app()
    let (subject, module) = try who.subject(in: app)
    try await destination.write(subject, from: module, of: app, includingRestricted: includeRestricted)
  }
}

/// The code of an erasure.
struct ErasureOptions: ParsableArguments {
  @OptionGroup var acting: OperatorOptions
  @Option(help: "A code for the audit log, as in art-17-request or consent-withdrawn. Names nobody.")
  var reason: String

  /// Erases, and prints what was erased.
  func erase(
    _ subject: DataSubject, from module: any Module, of app: App, despiteDuty: Bool = false
  ) async throws {
    guard let reason = ErasureReason(rawValue: reason) else {
      throw ValidationError("--reason is a code of lower-case letters, digits and hyphens, without long numbers")
    }
    let actor = try await acting.actor(in: app, may: .eraseCustomers, of: subject.tenant)
    let subject = DataSubject(subject.id, of: subject.tenant, by: actor)
    for line in try await app.erase(subject, from: module, for: reason, despiteDuty: despiteDuty) { print(line) }
    try await app.forgetOlderPages()
  }
}

/// Erases a customer (GDPR art. 17).
struct EraseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "erase",
    abstract: "Erase a customer: rows at once, images by the worker; the audit log stays, without its subject.",
    discussion: "The same again changes nothing. Copies in backups stay until those are deleted.")

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var who: CustomerOptions
  @OptionGroup var erasure: ErasureOptions
  @Flag(help: "Also one who became a customer, was declined or is under review: the law may ask to keep that file.")
  var despiteDutyToKeep = false

  func run() async throws {
    let app = try await installation.app()
    let (subject, module) = try who.subject(in: app)
    try await erasure.erase(subject, from: module, of: app, despiteDuty: despiteDutyToKeep)
  }
}

extension App {
  /// After an erasure: the embedded engine keeps former pages in its log until that begins anew.
  func forgetOlderPages() async throws {
    guard settings.databaseURL == nil, try await !SQLite.emptyLog(settings.databasePath) else { return }
    print("Older pages stay in the write-ahead log until its next turn: another process reads them right now.")
  }
}
