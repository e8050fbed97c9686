// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Identity

/// The staff of a bank, and the provider that they come by.
struct OpenIDTestApp {
  static let redirect = "https://console.bank.example/console/openid/bank/callback"

  let app: StaffTestApp
  let provider: PlayedProvider
  let openID: StaffOpenID

  init(_ change: (inout OpenIDProvider) -> Void = { _ in }) async throws {
    app = try await StaffTestApp()
    provider = PlayedProvider(app.clock.world)
    var registered = OpenIDProvider(
      tenant: "bank", name: "Bank", issuer: PlayedProvider.issuer, clientID: PlayedProvider.client,
      clientSecret: PlayedProvider.secret,
      roles: ["agents": [.agent], "admins": [.administrator], "control": [.teller, .controller]])
    change(&registered)
    openID = StaffOpenID(app.staff, [OpenIDClient(registered, http: provider.http, world: app.clock.world)])
  }

  func script(_ change: (inout PlayedProvider.Script) -> Void) { provider.script.withLock { change(&$0) } }

  func begin(from network: String? = nil) async throws -> (address: String, ticket: String) {
    try await openID.begin(tenant: "bank", redirect: Self.redirect, network: network)
  }

  func signIn(_ account: PlayedProvider.Account = .init()) async throws -> StaffOpenID.Outcome {
    let (address, ticket) = try await begin()
    let (code, state) = try provider.authorize(address, account)
    return try await complete(code, state, ticket)
  }

  func complete(
    _ code: String?, _ state: String, _ ticket: String?, issuer: String? = nil
  ) async throws -> StaffOpenID.Outcome {
    let result = try await openID.complete(
      .init(state: state, code: code, issuer: issuer, network: nil), ticket: ticket, tenant: "bank",
      redirect: Self.redirect
    ) { member, factor, _ in StaffOpenID.Outcome.accepted(member, factor: factor) }
    return switch result {
    case .success(let outcome): outcome
    case .failure(let refusal): .refused(refusal)
    }
  }

  func lines(_ chain: String) async throws -> [String] {
    try await app.database.read { try AuditStore($0).lines(of: chain).map { "\($0.action) by \($0.actor)" } }
  }
}

extension StaffOpenID.Outcome {
  var member: StaffMember? { if case .accepted(let member, _) = self { member } else { nil } }
}
