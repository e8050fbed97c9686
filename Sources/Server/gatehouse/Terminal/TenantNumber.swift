// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import GatehouseApp
import Kit
import Ledger
import RubixFlow
import Storage

/// A tenant of Finaptic on the command line: `finaptic-7`, as every other command and the books name it.
enum TenantNumber {
  static let help: ArgumentHelp = "The tenant, such as finaptic-7."

  /// - Parameter text: the name, with a slash too, or the number alone, as versions before took it.
  /// - Throws: `ValidationError`.
  static func read(_ text: String) throws -> Int {
    let digits = text.wholeMatch(of: /(?:finaptic[\/-])?([0-9]+)/)?.1
    guard let digits, let number = Int(digits), number > 0 else {
      throw ValidationError("a tenant of Finaptic is such as finaptic-7")
    }
    return number
  }

  /// As it is printed.
  static func name(_ number: Int) -> String { FinapticTenant.webhooks(number).spelling }

  /// - Throws: `CommandFailure`.
  static func require(_ number: Int, in database: any SQLDatabase) async throws {
    guard try await database.read({ try FinapticTenants.holds(number, in: $0) }) else {
      throw CommandFailure.notFound("There is no tenant \(name(number)).")
    }
  }
}

/// A tenant of `tenants.json` on the command line.
struct TenantOptions: ParsableArguments {
  @Option(name: .customLong("tenant"), help: "Tenant (default: default).", transform: TenantOptions.read)
  var name = "default"

  /// - Throws: `Problem` not-found for a tenant that is not in `tenants.json`, with those that are.
  func id(in app: App) throws -> String { try Self.id(name, in: app) }

  /// The same for a name that another option gave.
  static func id(_ name: String, in app: App) throws -> String {
    let known = app.tenants.all.map(\.id)
    guard known.contains(name) else {
      let some = known.prefix(8).joined(separator: ", ") + (known.count > 8 ? ", …" : "")
      throw Problem(.notFound, "not-found", "There is no tenant \(name); --tenant takes \(some).")
    }
    return name
  }

  /// - Parameter text: the name, also with `rubix/` before it.
  /// - Returns: the name in its system, and of a tenant of Finaptic the name that its rows have, `finaptic-7`.
  ///   One of another system stays whole: no tenant of `tenants.json` has such a name.
  static func read(_ text: String) -> String {
    guard let tenant = TenantID(spelling: text) else { return text }
    return switch tenant.system {
    case FinapticModule.name: tenant.spelling
    case RubixModule.name: tenant.name
    default: text
    }
  }
}

extension TenantID: ExpressibleByArgument {
  static let help: ArgumentHelp = "The tenant: default or another of tenants.json, finaptic-7, or such as oneassist/ID."

  package init?(argument: String) { self.init(spelling: argument) }
}

extension InstallationOptions {
  /// The installation, opened for a job on a tenant of Finaptic.
  /// - Throws: `CommandFailure` not found.
  func app(of tenant: Int) async throws -> App {
    let app = try await app()
    try await TenantNumber.require(tenant, in: app.database)
    return app
  }

  /// The books of a tenant of Finaptic.
  /// - Throws: `CommandFailure` not found.
  func openBooks(of tenant: Int) async throws -> Ledger {
    let ledger = try await openBooks(statementTimeout: .zero)
    try await TenantNumber.require(tenant, in: ledger.database)
    return ledger
  }
}
