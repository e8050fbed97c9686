// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit

/// Tenants of Finaptic, the keys of their apps, and their users.
struct FinapticCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "finaptic", abstract: "Manage tenants, SDK keys, users and applications.",
    subcommands: [
      TenantCommand.self, KeyCommand.self, BundlesCommand.self, UserCommand.self, ApplicationCommand.self,
      BankCommand.self, AccountCommand.self, CardCommand.self, InteracCommand.self, FinapticAddresses.self,
      SandboxClientCommand.self, FinapticSimulate.self,
    ])

  struct TenantCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "tenant", abstract: "Manage tenants.",
      subcommands: [Add.self, List.self, MFA.self, Document.self])

    struct Add: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a tenant.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: "The tenant, finaptic-1 to finaptic-9999.", transform: TenantNumber.read)
      var id: Int
      @Option(help: "Name of the institution, as its customers know it.")
      var name: String
      @Option(help: "sandbox or production.")
      var kind: FinapticTenant.Kind
      @Option(help: "When a second factor is asked for: never, stepUpOnly or always.")
      var mfa: FinapticTenant.MFA?
      @OptionGroup var acting: OperatorOptions

      func run() async throws {
        let app = try await installation.app(orNew: true)
        let tenant = try await app.finaptic.dependencies.tenants.add(
          id, name: name, kind: kind, mfa: mfa, by: acting.actor(in: app, may: .manageTenants))
        try output.show(TenantRow(tenant), ["Added: \(TenantRow(tenant).line)"])
      }
    }

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "list", abstract: "List the tenants.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions

      func run() async throws {
        let tenants = try await FinapticCommand.tenants(installation).list()
        try output.list("tenants", tenants.map(TenantRow.init), line: \.line)
      }
    }

    struct MFA: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "mfa", abstract: "Say when a second factor is asked for.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var id: Int
      @Argument(help: "never, stepUpOnly or always.")
      var mfa: FinapticTenant.MFA
      @OptionGroup var acting: OperatorOptions

      func run() async throws {
        let app = try await installation.app(of: id)
        try await app.finaptic.dependencies.tenants.setMFA(mfa, of: id, by: acting.actor(in: app, may: .manageTenants))
        try output.done("Set.", id: TenantNumber.name(id))
      }
    }

    struct Document: AsyncParsableCommand {
      static let configuration = CommandConfiguration(
        commandName: "document",
        abstract: "Say where a document is that customers agree to; without an address, list them.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var id: Int
      @Argument(help: "Code of the document, such as CONSENT_TYPE_PRIVACY_POLICY.")
      var type: String?
      @Argument(help: "Address of this version of the document.")
      var url: String?
      @OptionGroup var acting: OperatorOptions

      func run() async throws {
        let app = try await installation.app(of: id)
        let actor = try await acting.actor(in: app, may: .manageTenants)
        let tenants = app.finaptic.dependencies.tenants
        if let type {
          guard let url else { throw ValidationError("Say where the document is.") }
          try await tenants.setDocument(TenantDocument(type: type, url: url), of: id, by: actor)
        }
        _ = try await tenants.find(id)
        let documents = try await tenants.documents(of: id)
        try output.show(documents, TenantDocument.types.map { "\($0)  \(documents[$0] ?? "")" })
      }
    }
  }

  struct KeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "key", abstract: "Manage the SDK keys of a tenant's apps.",
      subcommands: [Issue.self, Revoke.self, List.self])

    struct Issue: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "issue", abstract: "Issue an SDK key.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var tenant: Int
      @Option(help: "Which app it is for.")
      var name: String
      @Option(
        name: .customLong("pin"),
        help: "sha256/ and the base64 of the digest of a public key that the server's certificates hold; repeatable.")
      var pins: [String] = []

      func run() async throws {
        let digests = pins.compactMap { pin in
          pin.hasPrefix("sha256/") ? Data(base64Encoded: String(pin.dropFirst(7))) : nil
        }
        guard digests.count == pins.count else { throw ValidationError("--pin is sha256/ and base64") }
        let tenants = try await installation.app(of: tenant).finaptic.dependencies.tenants
        let issued = try await tenants.issueKey(
          name, tenant: tenant, pins: Set(digests), by: OperatorOptions.machineUser)
        let (key, text) = (issued.key.id.rawValue, issued.sdkKey.text)
        try output.show(["client_key": key, "sdk_key": text], ["Client key: \(key)", "SDK key: \(text)"])
      }
    }

    struct Revoke: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "revoke", abstract: "End a key at once.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: "The client key.")
      var key: String
      @OptionGroup var confirmation: ConfirmationOptions

      func run() async throws {
        try confirmation.confirm("Apps with the key \(key) will be refused from now on, for good.")
        let tenants = try await FinapticCommand.tenants(installation)
        try await tenants.revokeKey(.init(rawValue: key.lowercased()), by: OperatorOptions.machineUser)
        try output.done("Revoked.", id: key.lowercased())
      }
    }

    struct List: AsyncParsableCommand {
      static let configuration = CommandConfiguration(commandName: "list", abstract: "List the keys of a tenant.")

      @OptionGroup var installation: InstallationOptions
      @OptionGroup var output: OutputOptions
      @Argument(help: TenantNumber.help, transform: TenantNumber.read)
      var tenant: Int

      func run() async throws {
        let rows = try await installation.app(of: tenant).finaptic.dependencies.tenants.keys(of: tenant).map {
          Row(
            id: $0.id.rawValue, name: $0.name, createdAt: $0.createdAt.rfc3339, revokedAt: $0.revokedAt?.rfc3339)
        }
        try output.list("keys", rows) {
          "\($0.id)  \($0.createdAt)  \($0.revokedAt == nil ? "active" : "revoked")  \($0.name)"
        }
      }

      private struct Row: Encodable {
        let id, name, createdAt: String
        let revokedAt: String?
      }
    }
  }

  static func tenants(_ installation: InstallationOptions) async throws -> FinapticTenants {
    try await installation.app().finaptic.dependencies.tenants
  }

  private struct TenantRow: Encodable {
    let id: Int
    let kind, mfa, name: String

    init(_ tenant: FinapticTenant) {
      (id, kind, mfa, name) = (tenant.id, tenant.kind.rawValue, tenant.mfa.rawValue, tenant.name)
    }

    var line: String { "\(TenantNumber.name(id))  \(kind)  mfa \(mfa)  \(name)" }
  }
}

extension FinapticTenant.Kind: ExpressibleByArgument {}
extension FinapticTenant.MFA: ExpressibleByArgument {}
