// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import SaltEdgeFlow

/// Banks whose customers confirm with the Authenticator.
struct SaltEdgeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "saltedge", abstract: "Manage the banks of the Authenticator.",
    subcommands: [Provider.self, Key.self, User.self, DemoBankCommand.self])

  struct User: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "user",
      abstract: "Export what is kept of a bank's customer, or erase it.", subcommands: [Export.self, Erase.self])
  }

  struct DemoBankCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "demo-bank", abstract: "Make a bank to try the Authenticator with.", subcommands: [DemoBank.self])
  }

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a bank and its credentials for the provider API; secrets are printed once.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Code of the bank: lower-case letters, digits, - and _.")
    var code: String
    @Option(help: "Name of the bank, for people.")
    var name: String
    @Option(name: .customLong("support-email"), help: "Where customers find help.")
    var supportEmail: String
    @OptionGroup var tenant: TenantOptions
    @Option(
      name: .customLong("base-url"), help: "The bank's own server (v2). Without it the bank uses the provider API.")
    var baseURL: String?
    @Option(
      name: .customLong("public-key"), help: "File with the public key of a bank with a server of its own, in PEM.")
    var publicKeyFile: String?
    @Option(name: .customLong("login-url"), help: "Page where customers sign in to connect a device.")
    var loginURL: String?
    @Option(name: .customLong("logo-url"), help: "The bank's logo.")
    var logoURL: String?
    @Option(name: .customLong("webhook-url"), help: "Where the bank hears how its authorizations ended.")
    var webhookURL: String?
    @Option(
      name: .customLong("return-scheme"),
      help: "Scheme of an app that the token may go to; may be repeated. Without it the published authenticator's.")
    var returnSchemes: [String] = []
    @Flag(
      name: .customLong("allow-unconfirmed"), help: "The bank may sign customers in by a scan alone, unconfirmed.")
    var allowsUnconfirmed = false
    @Option(help: "Whether devices must (required) or may (optional) send their place.")
    var geolocation: String?

    func run() async throws {
      guard geolocation == nil || ["required", "optional"].contains(geolocation) else {
        throw ValidationError("--geolocation is required or optional")
      }
      let app = try await installation.app(orNew: true)
      var draft = Providers.Draft(
        code: code, name: name, kind: baseURL == nil ? .hosted : .remote, supportEmail: supportEmail)
      (draft.baseURL, draft.loginURL, draft.logoURL, draft.webhookURL) = (baseURL, loginURL, logoURL, webhookURL)
      draft.requiresGeolocation = geolocation.map { $0 == "required" }
      draft.publicKey = try publicKeyFile.map { try String(contentsOfFile: $0, encoding: .utf8) }
      if !returnSchemes.isEmpty { draft.returnSchemes = returnSchemes }
      draft.allowsUnconfirmed = allowsUnconfirmed
      draft.tenant = try tenant.id(in: app)
      try Providers.check(draft)
      let (added, issued) = try await app.saltEdge.providers.add(
        draft, clients: app.serviceClients, by: OperatorOptions.machineUser)
      try issued.show(
        output, webhookSecret: added.webhookSecret, of: ("Provider", added.provider.id.rawValue))
    }
  }

  struct Change: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "change",
      abstract: "Change a bank's addresses, key, webhook secret or credentials; new secrets are printed once.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Code of the bank.")
    var code: String
    @Option(name: .customLong("base-url"), help: "The bank's own server.")
    var baseURL: String?
    @Option(name: .customLong("public-key"), help: "File with the bank's new public key, in PEM; the old one ends now.")
    var publicKeyFile: String?
    @Option(name: .customLong("login-url"), help: "Page where customers sign in to connect a device.")
    var loginURL: String?
    @Option(name: .customLong("webhook-url"), help: "Where the bank hears how its authorizations ended.")
    var webhookURL: String?
    @Option(
      name: .customLong("return-scheme"),
      help: "Scheme of an app that the token may go to; may be repeated, and replaces the ones that there are.")
    var returnSchemes: [String] = []
    @Option(
      name: .customLong("allow-unconfirmed"),
      help: "Whether the bank may sign customers in by a scan alone: true or false.")
    var allowsUnconfirmed: Bool?
    @Flag(
      name: .customLong("new-webhook-secret"),
      help: "Sign webhooks with a new secret, and with the one before it for a while.")
    var renewsWebhookSecret = false
    @OptionGroup var overlap: OverlapOptions
    @Flag(name: .customLong("new-client"), help: "Give the bank new credentials; the old ones end now.")
    var renewsClient = false

    func validate() throws {
      guard renewsWebhookSecret || overlap.overlapHours == nil else {
        throw ValidationError("--overlap-hours belongs to --new-webhook-secret")
      }
    }

    func run() async throws {
      let app = try await installation.app()
      var change = Providers.Change()
      (change.baseURL, change.loginURL, change.webhookURL) = (baseURL, loginURL, webhookURL)
      (change.returnSchemes, change.allowsUnconfirmed) = (
        returnSchemes.isEmpty ? nil : returnSchemes, allowsUnconfirmed
      )
      change.webhookSecretOverlap = renewsWebhookSecret ? overlap.duration : nil
      change.renewsClient = renewsClient
      change.publicKey = try publicKeyFile.map { try String(contentsOfFile: $0, encoding: .utf8) }
      let changed = try await app.saltEdge.providers.change(
        code, change, clients: app.serviceClients, by: OperatorOptions.machineUser)
      let id = changed.provider.id.rawValue
      if !changed.refusedSchemes.isEmpty {
        let names = changed.refusedSchemes.map { TerminalLine.of($0) }.joined(separator: ", ")
        let kept = changed.provider.returnSchemes.filter { !changed.refusedSchemes.contains($0) }
        let options = (kept.isEmpty ? ["SCHEME"] : kept).map { "--return-scheme \(TerminalLine.of($0))" }
        let command = "gatehouse saltedge provider change \(code) \(options.joined(separator: " "))"
        StandardError.write(
          "The bank keeps a scheme of the system or of a browser: \(names). To end that: \(command)\n")
      }
      if let issued = changed.credentials {
        try issued.show(
          output, webhookSecret: changed.webhookSecret,
          bothSignUntil: changed.formerUntil.map { (instant: $0, words: overlap.words($0)) }, of: ("Provider", id))
      } else {
        var members = ["provider": id]
        members["webhook_secret"] = changed.webhookSecret
        members["both_sign_until"] = changed.formerUntil?.rfc3339
        let lines: [String?] = [
          "Changed: \(id)", changed.webhookSecret.map { "Webhook secret, shown this once: \($0)" },
          changed.formerUntil.map(overlap.words),
        ]
        try output.show(members, lines.compactMap(\.self))
      }
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "list", abstract: "List the banks of a tenant.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var tenant: TenantOptions

    func run() async throws {
      let app = try await installation.app()
      let providers = try await app.saltEdge.providers.list(tenant: tenant.id(in: app))
      try output.list("providers", providers.map(Row.init)) {
        "\($0.id)  \($0.kind)  \($0.code)  \($0.name)\($0.suspendedAt == nil ? "" : "  suspended")"
      }
    }

    private struct Row: Encodable {
      let id, kind, code, name: String
      let suspendedAt: String?

      init(_ provider: SaltEdgeProvider) {
        (id, kind) = (provider.id.rawValue, provider.kind.rawValue)
        (code, name, suspendedAt) = (provider.code, provider.name, provider.suspendedAt?.rfc3339)
      }
    }
  }

  struct Erase: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase",
      abstract: "Erase a bank's customer: devices, decisions and evidence; the audit log stays, without its subject.",
      discussion: "The same again changes nothing. What copies hold cannot be opened some weeks later.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Code of the bank.")
    var code: String
    @Option(help: "The customer, as the bank names them.")
    var user: String
    @OptionGroup var erasure: ErasureOptions

    func run() async throws {
      let app = try await installation.app()
      try await erasure.erase(
        DataSubject(user, of: code, by: OperatorOptions.machineUser), from: app.module(named: SaltEdgeModule.name),
        of: app, output: output)
    }
  }
}
