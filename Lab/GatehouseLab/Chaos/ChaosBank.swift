// SPDX-License-Identifier: Apache-2.0

import Delivery
import Fixtures
import Foundation
import GatehouseTransport
import GatehouseWire
import Identity
import Kit
import RubixFlow
import RubixWire
import Storage

/// What the institution does beside the nodes: its agents, who decide over the API, and the stand-in for the pictures.
struct ChaosBank: Sendable {
  static let agents = 8

  let database: any SQLDatabase
  private let address: URL
  private let fixture: ApplicationFixture
  private let tenant: Tenant
  private let token: String
  private let transport = HTTPTransport.live()

  /// Joins the installation of the nodes: the same database, the same key ring.
  static func open(_ database: any SQLDatabase, folder: String, address: URL) async throws -> ChaosBank {
    let world = World.live
    let vault = try await Vault.joining(database, folder: folder, world: world)
    let signer = try await AccessTokenSigner.open(database, vault: vault, world: world)
    let (audit, limits) = (Audit(world: world, vault: vault), RateLimits(world: world))
    func sessions(_ audience: String, _ scope: String, _ prefix: String) -> Sessions {
      Sessions(
        policy: .init(audience: audience, scope: scope, refreshPrefix: prefix), signer: signer, vault: vault,
        limits: limits, audit: audit, world: world)
    }
    let agentSessions = sessions("rubix-agents", "agent", "rbxa_")
    let service = RubixService(
      core: CoreDependencies(database: database, world: world, vault: vault, blobs: .disk("\(folder)/blobs")),
      tenants: Tenants([.default]), sessions: sessions("rubix-onboarding", "onboarding", "rbxr_"),
      agentSessions: agentSessions)
    let staff = Staff(
      core: service.core, threads: BlockingThreadPool("staff", width: 1),
      cost: PasswordCost(memory: 8, passes: 1))
    var first: StaffMember?
    for number in 1...agents {
      let member = try await staff.add(
        NewStaffMember(
          tenant: "default", email: "agent\(number)@bank.example", name: "Agent \(number)", gender: .female,
          languages: ["en"], permissions: [.attendVideo, .readCustomers], password: "utopia lies westward 9"),
        by: "operator")
      first = first ?? member
    }
    let subject = first?.id.rawValue ?? ""
    let family = try await database.write { tx in
      try agentSessions.open(subject: subject, tenant: "default", device: "chaos-desk", in: tx).family
    }
    return ChaosBank(
      database: database, address: address, fixture: ApplicationFixture(service), tenant: .default,
      token: try await agentSessions.accessToken(for: family).token)
  }

  /// Lets an application's pictures have matched.
  func match(_ id: String) async throws { try await fixture.match(.init(rawValue: id), tenant: tenant) }

  /// An agent accepts the customer after the call. Saying it twice is refused, and harmless.
  func accept(_ id: String, _ appointment: String) async throws {
    let now = World.live.now().milliseconds
    let call = CallRecord(
      startedAt: WireInstant(millisecondsSince1970: now - 60_000), endedAt: WireInstant(millisecondsSince1970: now))
    let request = AgentVerificationRequest(
      appointmentID: appointment, customerID: id, verdict: .successful,
      checklist: ["face-matches-document", "document-shown-live", "customer-understands", "no-coercion"].map {
        ChecklistItem(code: $0, result: .yes)
      }, call: call)
    _ = try await transport.send(
      TransportRequest(
        method: "POST", url: address.appending(path: "api/v1/onboarding/agents/verification"),
        headers: [OnboardingHeader.accessToken: token, "content-type": "application/json"],
        body: try WireJSON.encode(request)))
  }
}
