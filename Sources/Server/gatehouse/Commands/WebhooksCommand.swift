// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Delivery
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import OneAssistFlow
import RubixFlow
import SaltEdgeFlow
import WultraFlow

/// Where banks and partners hear what happened, and what they heard.
struct WebhooksCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "webhooks", abstract: "Manage where banks and partners hear what happened, and what was sent.",
    subcommands: [
      Add.self, List.self, Enable.self, Remove.self, Rotate.self, Log.self, Redeliver.self, WebhooksListen.self,
    ])

  struct Add: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add", abstract: "Add an endpoint, and print the secret that messages to it are signed with.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: TenantID.help)
    var tenant: TenantID
    @Argument(help: "HTTPS address.")
    var url: String
    @Option(name: .customLong("event"), help: "A type of event that goes there; repeatable (default: all).")
    var events: [String] = []

    func validate() throws {
      for event in events {
        guard let fault = WebhookEvents.fault(of: event) else { continue }
        throw ValidationError("\(fault). They are \(WebhookEvents.published.joined(separator: ", ")).")
      }
    }

    func run() async throws {
      let app = try await installation.app()
      // A later tenant of that name would send this receiver messages that are not for it.
      try await app.require(tenant)
      let issued = try await app.webhooks.add(url, tenant: tenant, events: events, by: OperatorOptions.machineUser)
      let (id, secret) = (issued.endpoint.id.rawValue, issued.secret.text)
      try output.show(
        ["endpoint": id, "secret": secret], ["Endpoint: \(id)", "Secret, shown this once: \(secret)"])
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the endpoints, and how they do.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Option(help: TenantID.help)
    var tenant: TenantID?

    func run() async throws {
      let app = try await installation.app()
      try await app.noteLook("webhooks.listed", RecordAccess.overview.facts)
      let reports = try await app.webhooks.reports(tenant: tenant)
      // Endpoints of one that was taken away are still there.
      if reports.isEmpty, let tenant { try await app.require(tenant) }
      let rows = reports.map { report in
        let (endpoint, status) = (report.endpoint, report.status)
        return Row(
          id: endpoint.id.rawValue, tenant: endpoint.tenant.spelling, url: "\(endpoint.url)",
          events: endpoint.events.text, disabledAt: endpoint.disabledAt?.rfc3339,
          restsUntil: status.restsUntil?.rfc3339, pending: Int(status.counts[.pending] ?? 0),
          failed: Int(status.counts[.failed] ?? 0))
      }
      let isCut = reports.count == Webhooks.listMax
      try output.show(
        ["endpoints": rows],
        rows.map(\.line) + (isCut ? ["Only the first \(Webhooks.listMax): see --tenant."] : []))
    }

    private struct Row: Encodable {
      let id, tenant, url, events: String
      let disabledAt, restsUntil: String?
      let pending, failed: Int

      var line: String {
        let rest = restsUntil.map { "rests until \($0)" } ?? "active"
        let state = disabledAt == nil ? rest : "disabled"
        return "\(id)  \(tenant)  \(state)  pending \(pending) failed \(failed)  \(events)  \(url)"
      }
    }
  }

  struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "enable", abstract: "Send to a disabled endpoint again.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Id of the endpoint.")
    var endpoint: String

    func run() async throws {
      let webhooks = try await installation.app().webhooks
      try await webhooks.enable(.init(rawValue: endpoint), by: OperatorOptions.machineUser)
      try output.done("Enabled.", id: endpoint)
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove", abstract: "Forget an endpoint and what it was sent.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Id of the endpoint.")
    var endpoint: String
    @OptionGroup var confirmation: ConfirmationOptions

    func run() async throws {
      try confirmation.confirm("The endpoint \(endpoint) and what it was sent will be forgotten.")
      let webhooks = try await installation.app().webhooks
      try await webhooks.remove(.init(rawValue: endpoint), by: OperatorOptions.machineUser)
      try output.done("Removed.", id: endpoint)
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "rotate", abstract: "Make a new secret; the one before it goes on signing beside it for a while.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Id of the endpoint.")
    var endpoint: String
    @OptionGroup var overlap: OverlapOptions

    func run() async throws {
      let webhooks = try await installation.app().webhooks
      let issued = try await webhooks.rotate(
        .init(rawValue: endpoint), overlap: overlap.duration, by: OperatorOptions.machineUser)
      var members = ["endpoint": endpoint, "secret": issued.secret.text]
      members["both_sign_until"] = issued.endpoint.formerUntil?.rfc3339
      let until = issued.endpoint.formerUntil.map(overlap.words)
      try output.show(
        members, ["Secret, shown this once: \(issued.secret.text)"] + [until].compactMap(\.self))
    }
  }

  struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "log", abstract: "Show deliveries, the newest first: state, tries, last status and error.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Option(help: "Only to this endpoint.")
    var endpoint: String?
    @Option(help: "Only these: pending, delivered or failed.")
    var state: WebhookDelivery.State?
    @Option(help: "How many at most (default: 100).")
    var limit = 100

    func validate() throws {
      guard (1...10_000).contains(limit) else { throw ValidationError("--limit is between 1 and 10000") }
    }

    func run() async throws {
      var filter = WebhookLogStore.Filter()
      (filter.endpoint, filter.state, filter.limit) = (endpoint.map { .init(rawValue: $0) }, state, limit)
      let app = try await installation.app()
      let deliveries = try await app.webhooks.log(filter)
      var facts = RecordAccess.list.facts
      // What was typed is an id only where something was found by it.
      if !deliveries.isEmpty { facts["endpoint"] = endpoint }
      try await app.noteLook("deliveries.listed", facts)
      try output.show(["deliveries": deliveries.map(Row.init)], deliveries.map(\.line))
    }

    private struct Row: Encodable {
      let id, endpoint, createdAt, state, type, tenant: String
      let tries: Int
      let lastStatus: Int?
      let lastError, dueAt: String?

      init(_ delivery: WebhookDelivery) {
        (id, endpoint, createdAt) = (
          delivery.id.rawValue, delivery.endpoint.rawValue, delivery.createdAt.rfc3339
        )
        (state, type, tenant) = (delivery.state.rawValue, "\(delivery.type)", delivery.tenant.spelling)
        (tries, lastStatus) = (Int(delivery.tries), delivery.lastStatus.map { Int($0) })
        (lastError, dueAt) = (delivery.lastError.map { "\($0)" }, delivery.dueAt?.rfc3339)
      }
    }
  }

  struct Redeliver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "redeliver", abstract: "Send a delivery again, from its first try.")

    @OptionGroup var installation: InstallationOptions
    @OptionGroup var output: OutputOptions
    @Argument(help: "Ids, as `webhooks log` shows them.")
    var deliveries: [String]

    func run() async throws {
      let webhooks = try await installation.app().webhooks
      for delivery in deliveries {
        try await webhooks.redeliver(.init(rawValue: delivery.lowercased()), by: OperatorOptions.machineUser)
      }
      try output.list("owed_again", deliveries) { "\($0): owed again" }
    }
  }
}

extension App {
  /// Everybody of whom something is told by webhooks, by the names that their systems publish under.
  func webhookTenants() async throws -> Set<TenantID> {
    var names: Set<TenantID> = [OnboardingAdapter.tenant]
    names.formUnion(try await finaptic.dependencies.tenants.list().map { FinapticTenant.webhooks($0.id) })
    for tenant in tenants.all {
      names.insert(TenantID(RubixModule.name, tenant.id))
      names.formUnion(try await oneAssist.partners.list(tenant: tenant.id).map(\.webhooks))
      names.formUnion(try await saltEdge.providers.list(tenant: tenant.id).map(\.webhooks))
    }
    return names
  }

  /// A look of this machine's user, as the desk keeps those of staff: before anything is printed.
  /// - Parameter facts: codes and ids, among them why they look.
  fileprivate func noteLook(_ action: String, _ facts: [String: String]) async throws {
    let actor = OperatorOptions.machineUser
    try await database.write(retrying: .outdatedOrDuplicate) { [core] tx in
      try core.audit.append(action, to: actor, by: actor, facts: facts, in: tx)
    }
  }

  /// - Throws: `CommandFailure` not found.
  func require(_ tenant: TenantID) async throws {
    guard try await !webhookTenants().contains(tenant) else { return }
    throw CommandFailure.notFound(
      """
      There is no tenant \(tenant.spelling): name one of tenants.json, finaptic-NUMBER, oneassist/PARTNER, \
      saltedge/CODE or wultra/institution.
      """)
  }
}

/// For how long the secret before a new one goes on signing.
struct OverlapOptions: ParsableArguments {
  @Option(help: "For how many hours both sign (default: 24); 0 ends the one before at once.")
  var overlapHours: Int?

  var duration: Duration { overlapHours.map(Duration.hours) ?? WebhookPolicy().overlap }

  func validate() throws {
    let max = WebhookPolicy.overlapMax.wholeSeconds / 3600
    guard (0...max).contains(overlapHours ?? 0) else {
      throw ValidationError("--overlap-hours is between 0 and \(max)")
    }
  }

  func words(_ until: Instant) -> String {
    duration > .zero ? "Both sign until \(until.rfc3339)." : "The one before it signs no more."
  }
}

extension WebhookDelivery.State: ExpressibleByArgument {}

extension WebhookDelivery {
  /// For a terminal.
  fileprivate var line: String {
    let last = lastStatus.map { "\($0)" } ?? lastError ?? "-"
    let next = dueAt.map { "  next \($0.rfc3339)" } ?? ""
    let about = "\(type)  \(tenant.spelling)  to \(endpoint)"
    return "\(id)  \(createdAt.rfc3339)  \(state.rawValue)  tries \(tries)  last \(last)  \(about)\(next)"
  }
}
