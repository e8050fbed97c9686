// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import OneAssistFlow

/// Partners, their plans, and what people decide about memberships.
struct OneAssistCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "oneassist", abstract: "Manage partners and plans, and decide on memberships.",
    subcommands: [PartnerCommand.self, PlanCommand.self, MembershipCommand.self])

  struct PartnerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "partner", abstract: "Add and list partners, and turn secrets of their webhooks over.",
      subcommands: [AddPartner.self, Partners.self, RotateWebhookSecret.self])
  }

  struct PlanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "plan", abstract: "Add plans of partners.", subcommands: [AddPlan.self])
  }

  struct MembershipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "membership", abstract: "Decide on memberships, export and erase them.",
      subcommands: [
        Reviews.self, Pictures.self, Photo.self, Code.self, Verdict.self, Export.self, Erase.self,
      ])
  }

  struct AddPartner: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add a partner and its credentials; secrets are printed once.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The partner's number on the wire.")
    var code: Int64
    @Option(help: "Name of the partner, for people.")
    var name: String
    @Option(help: "Numbers of its business units, with commas between.")
    var units: String
    @OptionGroup var tenant: TenantOptions
    @Option(name: .customLong("webhook-url"), help: "Where the partner hears of changes.")
    var webhookURL: String?
    @Flag(help: "Take numbers of other countries than India, too.")
    var international = false

    func run() async throws {
      let app = try await installation.app(orNew: true)
      let words = units.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      let numbers = words.compactMap { Int64($0) }
      guard numbers.count == words.count else { throw ValidationError("--units is numbers with commas between") }
      var draft = OneAssistFlow.Partners.Draft(code: code, units: Set(numbers), name: name)
      (draft.isInternational, draft.webhookURL) = (international, webhookURL)
      draft.tenant = try tenant.id(in: app)
      let (added, issued) = try await app.oneAssist.partners.add(
        draft, clients: app.serviceClients, by: OperatorOptions.machineUser)
      try issued.show(output, webhookSecret: added.webhookSecret, of: ("Partner", added.partner.id.rawValue))
    }
  }

  struct RotateWebhookSecret: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate-webhook-secret",
      abstract: "Make a new secret of a partner's webhook; the one before it goes on signing beside it for a while.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The partner's number.")
    var code: Int64
    @OptionGroup var overlap: OverlapOptions

    func run() async throws {
      let app = try await installation.app()
      let rotated = try await app.oneAssist.partners.rotateWebhookSecret(
        of: code, overlap: overlap.duration, by: OperatorOptions.machineUser)
      let (secret, until) = (rotated.secret.text, rotated.formerUntil)
      try output.show(
        ["partner": rotated.partner.rawValue, "webhook_secret": secret, "both_sign_until": until.rfc3339],
        ["Webhook secret, shown this once: \(secret)", overlap.words(until)])
    }
  }

  struct AddPlan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "add", abstract: "Add a plan of a partner.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "The partner's number.")
    var partner: Int64
    @Argument(help: "The plan's number.")
    var code: Int64
    @Option(help: "Name of the plan, for people.")
    var name: String
    @Option(help: "Price with tax, in whole units of the currency.")
    var price: Int64
    @Option(help: "Tax within the price.")
    var tax: Int64 = 0
    @Option(help: "What is covered, in whole units of the currency.")
    var cover: Int64
    @Option(help: "Months of cover.")
    var months = 12
    @Option(name: .customLong("starts-after"), help: "Days from the purchase to the first day of cover.")
    var startsAfter = 0
    @Option(name: .customLong("invoice-days"), help: "How old a bill may be.")
    var invoiceDays = 30
    @Option(name: .customLong("value-min"), help: "The least that a phone may have cost.")
    var valueMin: Int64 = 0
    @Option(name: .customLong("value-max"), help: "The most that a phone may have cost.")
    var valueMax: Int64
    @Option(help: "Code of the product (default: MP01).")
    var product = "MP01"
    @OptionGroup var tenant: TenantOptions

    func run() async throws {
      guard valueMin <= valueMax else { throw ValidationError("--value-min is at most --value-max") }
      let app = try await installation.app()
      try await app.oneAssist.partners.add(
        Plan(
          code: code, name: name, price: price, tax: tax, coverAmount: cover, months: months,
          startsAfterDays: startsAfter, invoiceDaysMax: invoiceDays, invoiceValues: valueMin...valueMax,
          productCode: product), toPartner: partner, tenant: tenant.id(in: app),
        by: OperatorOptions.machineUser)
      try output.done("Added.", id: "\(code)")
    }
  }

  struct Partners: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the partners of a tenant.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var tenant: TenantOptions

    func run() async throws {
      let app = try await installation.app()
      let partners = try await app.oneAssist.partners.list(tenant: tenant.id(in: app))
      try output.list(
        "partners", partners.map { Row(id: $0.id.rawValue, code: $0.code, name: $0.name) }
      ) { "\($0.id)  \($0.code)  \($0.name)" }
    }

    private struct Row: Encodable {
      let id: String
      let code: Int64
      let name: String
    }
  }
}
