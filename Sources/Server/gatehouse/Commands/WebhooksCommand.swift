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
      abstract: "Add an endpoint, and print the secret that messages to it are signed with.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Whose it is: a system and the tenant's name there, as in finaptic/1.")
    var tenant: TenantID
    @Argument(help: "HTTPS address.")
    var url: String
    @Option(name: .customLong("event"), help: "A type of event that goes there; repeatable (default: all).")
    var events: [String] = []

    func run() async throws {
      let app = try await installation.app()
      // Whoever has that name later would tell this server what is not for it.
      guard try await app.webhookTenants().contains(tenant) else {
        throw Problem(
          .notFound, "not-found",
          "There is no \(tenant): finaptic/NUMBER, oneassist/PARTNER, rubix/TENANT, saltedge/CODE or "
            + "wultra/institution.")
      }
      let issued = try await app.webhooks.add(url, tenant: tenant, events: events, by: OperatorOptions.machineUser)
      print("Endpoint: \(issued.endpoint.id)")
      print("Secret, shown this once: \(issued.secret.text)")
    }
  }

  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the endpoints, and how they do.")

    @OptionGroup var installation: InstallationOptions
    @Option(help: "Only this tenant's, as in finaptic/1.")
    var tenant: TenantID?

    func run() async throws {
      let webhooks = try await installation.app().webhooks
      let outlooks = try await webhooks.outlook(tenant: tenant)
      for (endpoint, status) in outlooks.map({ ($0.endpoint, $0.status) }) {
        let rest = status.restsUntil.map { "rests until \($0.rfc3339)" } ?? "active"
        let state = endpoint.disabledAt == nil ? rest : "disabled"
        let counts = [WebhookDelivery.State.pending, .failed].map { "\($0.rawValue) \(status.counts[$0] ?? 0)" }
        print(
          "\(endpoint.id)  \(endpoint.tenant)  \(state)  \(counts.joined(separator: " "))  "
            + "\(endpoint.events.text)  \(endpoint.url)")
      }
      if outlooks.count == Webhooks.listMax { print("Only the first \(Webhooks.listMax): see --tenant.") }
    }
  }

  struct Enable: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Send to a disabled endpoint again.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Id of the endpoint.")
    var endpoint: String

    func run() async throws {
      let webhooks = try await installation.app().webhooks
      try await webhooks.enable(.init(rawValue: endpoint), by: OperatorOptions.machineUser)
      print("Enabled.")
    }
  }

  struct Remove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Forget an endpoint and what it was sent.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Id of the endpoint.")
    var endpoint: String

    func run() async throws {
      let webhooks = try await installation.app().webhooks
      try await webhooks.remove(.init(rawValue: endpoint), by: OperatorOptions.machineUser)
      print("Removed.")
    }
  }

  struct Rotate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a new secret; the one before it goes on signing beside it for a while.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Id of the endpoint.")
    var endpoint: String
    @Option(help: "For how many hours both sign (default: 24).")
    var overlapHours = 24

    func run() async throws {
      let webhooks = try await installation.app().webhooks
      let issued = try await webhooks.rotate(
        .init(rawValue: endpoint), overlap: .hours(overlapHours), by: OperatorOptions.machineUser)
      print("Secret, shown this once: \(issued.secret.text)")
      if let until = issued.endpoint.formerUntil { print("Both sign until \(until.rfc3339).") }
    }
  }

  struct Log: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show deliveries, the newest first: state, tries, last status and error.")

    @OptionGroup var installation: InstallationOptions
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
      for delivery in try await installation.app().webhooks.log(filter) {
        print(delivery.line)
      }
    }
  }

  struct Redeliver: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Send a delivery again, from its first try.")

    @OptionGroup var installation: InstallationOptions
    @Argument(help: "Ids, as `webhooks log` shows them.")
    var deliveries: [String]

    func run() async throws {
      let webhooks = try await installation.app().webhooks
      for delivery in deliveries {
        try await webhooks.redeliver(.init(rawValue: delivery.lowercased()), by: OperatorOptions.machineUser)
        print("\(delivery): owed again")
      }
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
      names.formUnion(try await Providers(saltEdge.core).list(tenant: tenant.id).map(\.webhooks))
    }
    return names
  }
}

extension TenantID: ExpressibleByArgument {}
extension WebhookDelivery.State: ExpressibleByArgument {}

extension WebhookDelivery {
  /// For a terminal.
  fileprivate var line: String {
    let last = lastStatus.map { "\($0)" } ?? lastError ?? "-"
    let next = dueAt.map { "  next \($0.rfc3339)" } ?? ""
    return "\(id)  \(createdAt.rfc3339)  \(state.rawValue)  tries \(tries)  last \(last)  \(type)  \(tenant)\(next)"
  }
}
