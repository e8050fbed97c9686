// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport

@testable import Identity

/// The sessions capability over a real store, with one customer signed in on one device.
struct SessionsTestApp: Sendable {
  static let migrations = TestDatabase.migrations(of: IdentityModule.self)

  let made: TestDatabase
  let clock: TestWorld
  let vault: Vault
  let signer: AccessTokenSigner
  let sessions: Sessions
  let customer = "6f1d2c3b-4a59-4c68-8d77-0a1b2c3d4e5f"
  var database: any SQLDatabase { made.database }

  init(_ engine: Engine, seed: UInt64 = 1) async throws {
    clock = TestWorld(seed: seed)
    made = try await TestDatabase.make(engine, Self.migrations)
    let world = clock.world
    vault = try await TestVault.open(made.database, world)
    signer = try await AccessTokenSigner.open(made.database, vault: vault, world: world)
    sessions = Self.sessions(signer, vault, world)
  }

  private static func sessions(_ signer: AccessTokenSigner, _ vault: Vault, _ world: World, audience: String = "bank")
    -> Sessions
  {
    Sessions(
      policy: .init(audience: audience, scope: "onboarding", refreshPrefix: "tr_"), signer: signer, vault: vault,
      limits: RateLimits(world: world), audit: Audit(world: world, vault: vault), world: world)
  }

  /// Sessions of another audience over the same keys.
  func other(audience: String) -> Sessions { Self.sessions(signer, vault, clock.world, audience: audience) }

  func open(seed: String? = nil, device: String = "phone", tenant: String = "acme") async throws -> (
    family: SessionFamily, token: String
  ) {
    let (family, token) = try await database.write { [sessions, customer] in
      try sessions.open(subject: customer, tenant: tenant, device: device, refreshSeed: seed, in: $0)
    }
    return (family, token)
  }

  /// What a refresh came to.
  enum Answer: Equatable, Sendable {
    case token(String)
    case reused
    case refused(String)

    var token: String? { if case .token(let token) = self { token } else { nil } }
  }

  func refresh(
    _ token: String, device: String? = "phone", tenant: String = "acme", on other: (any SQLDatabase)? = nil,
    by sessions: Sessions? = nil
  ) async throws -> Answer {
    let sessions = sessions ?? self.sessions
    do {
      let outcome = try await (other ?? database).write {
        try sessions.refresh(token, device: device, tenant: tenant, in: $0)
      }
      switch outcome {
      case .rotated(_, let token, _): return .token(token)
      case .reused: return .reused
      }
    } catch let problem as Problem {
      return .refused(problem.code)
    }
  }

  /// Whether the family may still speak: nil, or the code of the problem.
  func refusal(of family: SessionFamily) async throws -> String? {
    let identity = AccessIdentity(subject: customer, family: family.id, tenant: "acme", scope: "onboarding")
    do {
      try await database.read { [sessions] in try sessions.requireLive(identity, in: $0) }
      return nil
    } catch let problem as Problem {
      return problem.code
    }
  }

  /// Nil when the token is good, or the code of the problem.
  func refusal(of token: String, tenant: String = "acme", by sessions: Sessions? = nil) async throws -> String? {
    do {
      let identity = try await (sessions ?? self.sessions).verify(token, tenant: tenant)
      return identity.subject == customer ? nil : "another subject"
    } catch let problem as Problem {
      return problem.code
    }
  }
}
