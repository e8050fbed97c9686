import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import RubixFlow
import Storage

/// Which customer, of which institution.
struct CustomerOptions: ParsableArguments {
  @Option(help: "The customer's id.")
  var customer: String
  @Option(help: "Tenant (default: default); finaptic-N for tenant N of Finaptic.")
  var tenant = "default"

  /// Number of a tenant of Finaptic; nil for any other.
  var finapticTenant: Int? {
    tenant.hasPrefix("finaptic-") ? Int(tenant.dropFirst("finaptic-".count)) : nil
  }

  func id() throws -> RubixFlow.Application.ID {
    guard UUID(uuidString: customer) != nil else { throw ValidationError("--customer is a UUID") }
    return .init(rawValue: customer.lowercased())
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
    let id = try who.id()
    let house = try await installation.house()
    if let number = who.finapticTenant {
      let found = try await house.finaptic.parts.exporter.export(id.rawValue, tenant: number, by: "operator")
      try await destination.write { try $0.add("customer.json", CustomerExporter.json(found)) }
      return print("\(destination.to) holds what is kept of \(id).")
    }
    let exporter = house.rubix.exporter(devOutbox: house.devOutbox)
    let (customer, restricted) = try await exporter.export(id, of: house.tenants.find(who.tenant), by: "operator")
    try await destination.write {
      try await Self.write(customer, includeRestricted ? restricted : nil, from: exporter, to: &$0)
    }
    print("\(destination.to) holds what is kept of \(id).")
  }

  static func write(
    _ customer: CustomerExport, _ restricted: RestrictedExport?, from exporter: CustomerExporter,
    to writer: inout any ExportWriter
  ) async throws {
    var customer = customer
    for index in customer.images.indices {
      for (file, bytes) in try await exporter.pictures(of: customer.images[index]) {
        try writer.add(file.path, bytes)
        customer.images[index].files.append(file)
      }
    }
    try writer.add("customer.json", CustomerExporter.json(customer))
    if let restricted { try writer.add("restricted.json", CustomerExporter.json(restricted)) }
  }
}

extension House {
  /// After an erasure: the embedded engine keeps former pages in its log until that begins anew.
  func forgetOlderPages() async throws {
    guard settings.databaseURL == nil, try await !SQLite.emptyLog(settings.databasePath) else { return }
    print("Older pages stay in the write-ahead log until its next turn: somebody reads them right now.")
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
  @Option(help: "A code for the audit log, as in art-17-request or consent-withdrawn. Names nobody.")
  var reason: String
  @Flag(help: "Also one who became a customer, was declined or is under review: the law may ask to keep that file.")
  var despiteDutyToKeep = false

  func run() async throws {
    let id = try who.id()
    guard let reason = ErasureReason(rawValue: reason) else {
      throw ValidationError("--reason is a code of lower-case letters, digits and hyphens, without long numbers")
    }
    let house = try await installation.house()
    if let number = who.finapticTenant {
      let outcome = try await house.finaptic.parts.erasure.erase(
        id.rawValue, tenant: number, reason: reason.rawValue, by: "operator", despiteDuty: despiteDutyToKeep)
      print(
        "Erased, with \(outcome.applications) applications; \(outcome.accounts) accounts stay in the books, unnamed.")
      return try await house.forgetOlderPages()
    }
    let erasure = house.customerErasure
    let outcome = try await erasure.erase(
      id, of: house.tenants.find(who.tenant), for: reason, by: "operator", despiteDuty: despiteDutyToKeep)
    switch outcome {
    case .erased(let images, let related):
      print("Erased. \(images) images are deleted by the worker.")
      try await house.forgetOlderPages()
      for other in related { print("Another application has the same phone number: \(other)") }
    case .erasedBefore(let instant): print("Was erased at \(instant.rfc3339).")
    }
  }
}
