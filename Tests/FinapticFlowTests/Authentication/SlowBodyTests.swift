// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identity
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

/// A client may take ten seconds over a body. A session that ended in them carried its call out (issue 24).
@Suite("Finaptic: sessions that end while a body comes")
struct SlowBodyTests {
  @Test(
    "a body that came for longer than a second is taken only if the session goes on",
    arguments: [(isEnded: true, status: HTTPResponse.Status.unauthorized), (false, .noContent)])
  func body(isEnded: Bool, status: HTTPResponse.Status) async throws {
    try await AccountTestApp.run { app async throws in
      let (token, sessions) = (try await app.signedIn().accessToken, app.service.dependencies.sessions)
      let identity = try await sessions.verify(token, tenant: FinapticTenant.session(AccountTestApp.tenant))
      let router = Router(context: PublicContext.self)
      let root = router.group("")
      root.add(
        middleware: EachBodyPiece<PublicContext> {
          app.clock.advance(by: .seconds(2))
          guard isEnded else { return }
          try await app.database.write { _ = try sessions.revoke(identity.family, in: $0) }
        })
      FinapticRouteGroups(app.service, root: root).users.post("slow") { request, _ in
        do { _ = try await app.service.calls.body(request, EmptyBody.self) } catch let problem as Problem {
          return Response(status: problem.code == "token-revoked" ? .unauthorized : .internalServerError)
        }
        return Response(status: .noContent)
      }
      try await Hummingbird.Application(router: router, logger: app.log.logger).test(.router) { client in
        let answer = try await client.execute(
          uri: "\(FinapticDialect.base)/slow", method: .post,
          headers: [.init("X-Client-Key")!: app.key, .authorization: "Bearer \(token)"],
          body: ByteBuffer(string: "{}"))
        #expect(answer.status == status)
      }
    }
  }

  @Test("a code that came after the session ended confirms no second factor", arguments: [true, false])
  func confirmation(isApp: Bool) async throws {
    try await AccountTestApp.run { app async throws in
      let token = try await SecondFactorTests.signedIn(app)
      let (user, dependencies) = (try await app.user(), app.service.dependencies)
      let (factors, sessions) = (dependencies.factors, dependencies.sessions)
      let identity = try await sessions.verify(token, tenant: FinapticTenant.session(AccountTestApp.tenant))
      let caller = try #require(FinapticSignedIn(identity))
      let (secret, kind) = (Data(repeating: 7, count: 20), isApp ? SecondFactorStore.Kind.totp : .sms)
      try await app.database.write { tx in
        try SecondFactorStore(tx).propose(kind, factors.seal(secret, kind, of: user.id, in: tx), of: user.id)
        _ = try sessions.revoke(identity.family, in: tx)
      }
      let enrolment = FactorEnrolment(
        core: dependencies.core, factors: factors, passwords: dependencies.passwords, passcodes: dependencies.passcodes,
        sessions: sessions, policy: dependencies.policy)
      let code = FactorEnrolment.Code(code: TimeCode.code(secret, step: TimeCode.step(at: app.clock.now)))
      let refusal = await #expect(throws: Problem.self) {
        _ = isApp
          ? try await enrolment.confirmApp(code, caller) : try await enrolment.confirmPhone(code, caller)
      }
      #expect(refusal?.code == "token-revoked")
      #expect(try await app.database.read { try SecondFactorStore($0).confirmed(of: user.id) } == [])
    }
  }

  @Test("a block and another password by the link take back what was proposed, and leave what was confirmed")
  func proposed() async throws {
    try await AccountTestApp.run { app async throws in
      try await SecondFactorTests.verified(app)
      let (user, dependencies) = (try await app.user(), app.service.dependencies)
      let (factors, users) = (dependencies.factors, dependencies.users)
      func propose() async throws {
        try await app.database.write { tx in
          let store = SecondFactorStore(tx)
          for kind in SecondFactorStore.Kind.allCases {
            try store.propose(kind, factors.seal(Data("+15145550123".utf8), kind, of: user.id, in: tx), of: user.id)
          }
        }
      }
      func state() async throws -> [String] {
        try await app.database.read { tx in
          try SecondFactorStore.Kind.allCases.compactMap { kind in
            try SecondFactorStore(tx).find(kind, of: user.id).map {
              "\(kind) \($0.sealed != nil ? "confirmed" : "-") \($0.pending != nil ? "proposed" : "-")"
            }
          }
        }
      }
      try await propose()
      try await app.database.write {
        _ = try SecondFactorStore($0).confirm(.totp, step: nil, of: user.id, at: app.clock.now)
      }
      try await propose()
      #expect(try await state() == ["totp confirmed proposed", "sms - proposed"])
      _ = try await users.setBlocked(true, user.id.rawValue, tenant: AccountTestApp.tenant, by: "agent:1")
      #expect(try await state() == ["totp confirmed -"])
      _ = try await users.setBlocked(false, user.id.rawValue, tenant: AccountTestApp.tenant, by: "agent:1")
      try await propose()
      _ = try await app.call("resetPassword", FinapticAPI.ResetPasswordRequest(email: AccountTestApp.email))
      let link = try await app.link("reset-password")
      let form = "username=x&password=Zebrafish7Lantern&repeated=Zebrafish7Lantern"
      let set = try await app.call(
        .post, link, Data(form.utf8), headers: ["Content-Type": "application/x-www-form-urlencoded"])
      #expect(set.status == 303)
      #expect(try await state() == ["totp confirmed -"])
    }
  }
}
