// SPDX-License-Identifier: Apache-2.0

import Activations
import Fixtures
import Foundation
import GatehouseTransport
import Kit
import Storage
import WultraFlow

/// What the institution does beside the nodes in Wultra Digital Onboarding: hands out the app's keys, decides what
/// evidence does not, and steps over the cards of those who take no pictures.
struct WultraInstitution: Sendable {
  /// The app's configuration, as PowerAuth's SDK takes it.
  let configuration: String
  private let database: any SQLDatabase
  private let fixture: VerificationFixture
  private let reviews: ReviewCommands

  /// The phone of a client.
  static func phone(_ client: Int) -> String { "+9656\(1_000_000 + client)" }

  /// The sandbox's file: everybody has a phone, and the bank takes everybody.
  static func institution(clients: Int) throws -> Data {
    let users = (0..<clients).map { client in
      [
        "when": ["clientNumber": "\(client)"], "id": "chaos-\(client)", "phone": phone(client), "consentRequired": true,
      ] as [String: Any]
    }
    let consents = try JSONEncoder().encode(SandboxInstitution.standard.consents)
    return try JSONSerialization.data(
      withJSONObject: ["users": users, "consents": JSONSerialization.jsonObject(with: consents)])
  }

  /// Joins the installation of the nodes: the same database, the same key ring.
  static func open(_ database: any SQLDatabase, folder: String) async throws -> WultraInstitution {
    let world = World.live
    let vault = try await Vault.joining(database, folder: folder, world: world)
    let activations = Activations(
      database: database, vault: vault, audit: Audit(world: world, vault: vault), world: world)
    let release = try await activations.applications.add(
      "Bank", tenant: "default", issuesRecoveryCodes: false, by: .system)
    var policy = WultraPolicy()
    policy.distinctDocuments = 1
    let dossiers = Dossiers(
      core: CoreDependencies(database: database, world: world, vault: vault, blobs: .disk("\(folder)/blobs")),
      activations: activations, policy: policy)
    return WultraInstitution(
      configuration: release.configuration.text, database: database, fixture: VerificationFixture(dossiers: dossiers),
      reviews: ReviewCommands(dossiers: dossiers))
  }

  /// Lets the card of an activation's owner have been good.
  func acceptCard(of activation: String) async throws { try await fixture.acceptCard(of: .init(rawValue: activation)) }

  /// What the store has of an activation's owner.
  func record(of activation: String) async throws -> VerificationLedger.Record? {
    try await database.read { try VerificationLedger.Record.read($0, activation: activation) }
  }

  /// Agents: accept whatever waits for a person, until cancelled. What they could not do now they do the next time.
  func decideReviews() async {
    while !Task.isCancelled {
      for review in (try? await reviews.queue(tenant: "default")) ?? [] {
        _ = try? await reviews.decide(review.id, .accepted, tenant: "default", by: "chaos")
      }
      try? await ClientClock.live.pause(for: .milliseconds(500))
    }
  }
}
