// SPDX-License-Identifier: Apache-2.0

import Activations
import FinapticFlow
import Foundation
import Identity
import Kit
import OneAssistFlow
import RubixFlow

/// What a newcomer needs in a sandbox before the first app can be tried: an agent who is free, and what the app of each
/// system is configured with. Everything is made once; a repetition finds it.
package struct SandboxSeed: Sendable {
  package static let agentEmail = "sample.agent@sandbox.example"
  static let appName = "Sample"
  package static let finapticTenant = 1
  static let partnerCode: Int64 = 1
  static let unit: Int64 = 1
  static let planCode: Int64 = 1

  /// One thing, with what is shown of it this once.
  package struct Item: Sendable, Equatable {
    package let what: String
    /// Nil where nothing was missing.
    package let made: String?
  }

  let app: App

  /// - Returns: nil for an installation with customers.
  package init?(_ app: App) {
    guard app.sandboxClock != nil else { return nil }
    self.app = app
  }

  /// - Parameter tenant: of Rubix, Wultra and OneAssist.
  /// - Throws: `Problem` not found when no tenant has that name.
  package func run(tenant: String, by actor: String) async throws -> [Item] {
    let tenant = try app.tenants.find(tenant).id
    return [
      try await agent(tenant, actor), try await wultraApp(tenant, actor), try await finapticKey(actor),
      try await partner(tenant, actor),
    ]
  }

  private func agent(_ tenant: String, _ actor: String) async throws -> Item {
    let what = "Agent \(Self.agentEmail)"
    // One person can try the whole queue, hits of the screening too.
    let permissions = StaffRole.permissions(of: [.agent, .reviewer, .teller]).union([.decideAML])
    if let agent = try await app.staff.list(tenant: tenant).first(where: { $0.email == Self.agentEmail }) {
      let missing = permissions.subtracting(agent.permissions)
      guard !missing.isEmpty else { return Item(what: what, made: nil) }
      try await app.database.write { [staff = app.staff] tx in
        try staff.setPermissions(agent.permissions.union(missing), of: agent.id, by: actor, in: tx)
      }
      return Item(what: what, made: "may do more now: \(missing.sorted().map(\.rawValue).joined(separator: ", "))")
    }
    let password = Data(app.world.random(18)).base64URL
    _ = try await app.staff.add(
      NewStaffMember(
        tenant: tenant, email: Self.agentEmail, name: "Sample Agent", gender: .female, languages: ["en", "fr", "ar"],
        permissions: permissions, password: password),
      by: actor)
    return Item(what: what, made: "takes calls in English, French and Arabic. Password: \(password)")
  }

  private func wultraApp(_ tenant: String, _ actor: String) async throws -> Item {
    let what = "App \(Self.appName) for PowerAuth and Wultra Digital Onboarding"
    let applications = app.activations.applications
    guard try await applications.list(tenant: tenant).allSatisfy({ $0.name != Self.appName }) else {
      return Item(what: what, made: nil)
    }
    let release = try await applications.add(Self.appName, tenant: tenant, by: .init(actor))
    return Item(what: what, made: "configuration \(release.configuration.text)")
  }

  private func finapticKey(_ actor: String) async throws -> Item {
    let what = "Finaptic tenant \(Self.finapticTenant)"
    let (tenants, address) = (app.finaptic.dependencies.tenants, app.finaptic.dependencies.policy.publicURL)
    guard try await tenants.list().allSatisfy({ $0.id != Self.finapticTenant }) else {
      return Item(what: what, made: nil)
    }
    try await tenants.add(Self.finapticTenant, name: "Sample Bank", kind: .sandbox, by: actor)
    let key = try await tenants.issueKey(Self.appName, tenant: Self.finapticTenant, by: actor).sdkKey
    return Item(what: what, made: "SDK key \(key.text), which leads to \(address)")
  }

  private func partner(_ tenant: String, _ actor: String) async throws -> Item {
    let what = "OneAssist partner \(Self.partnerCode)"
    let partners = app.oneAssist.partners
    guard try await partners.list(tenant: tenant).allSatisfy({ $0.code != Self.partnerCode }) else {
      return Item(what: what, made: nil)
    }
    var draft = Partners.Draft(code: Self.partnerCode, units: [Self.unit], name: "Sample Shop")
    (draft.tenant, draft.isInternational) = (tenant, true)
    let (_, issued) = try await partners.add(draft, clients: app.serviceClients, by: actor)
    try await partners.add(
      Plan(
        code: Self.planCode, name: "Mobile protection", price: 1199, tax: 183, coverAmount: 20_000, months: 12,
        startsAfterDays: 0, invoiceDaysMax: 30, invoiceValues: 1000...100_000, productCode: "MP01"),
      toPartner: Self.partnerCode, tenant: tenant, by: actor)
    return Item(
      what: what, made: "sells plan \(Self.planCode). Client \(issued.client.id), secret \(issued.secret)")
  }
}
