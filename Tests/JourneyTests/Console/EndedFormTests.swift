// SPDX-License-Identifier: Apache-2.0

import Casework
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import NIOCore
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp
@testable import Identity

/// A form of staff may take ten seconds to come (issue 24): what an ended session had begun to send was carried out.
@Suite("Staff: sessions that end while a form comes", .onOneEngine, .serialized)
struct EndedFormTests {
  /// Does something before the body is handed on.
  private struct SlowBodies<Base: HTTPResponder>: HTTPResponder where Base.Context == PublicContext {
    let base: Base
    let meanwhile: @Sendable () async throws -> Void

    func respond(to request: Request, context: PublicContext) async throws -> Response {
      try await EachBodyPiece<PublicContext>(meanwhile).handle(request, context: context) {
        try await base.respond(to: $0, context: $1)
      }
    }
  }

  /// What ends while a form comes.
  enum End: Sendable { case session, permission }

  @Test(
    "it takes no case in hand, on the console and over the API, while one that goes on does",
    arguments: [
      (isPage: true, end: End?.some(.session), status: 303, location: "/console/sign-in"),
      (true, .permission, 303, "/console/sign-in"), (true, nil, 303, "/console/queue/cases/"),
      (false, .session, 401, ""), (false, .permission, 403, ""), (false, nil, 200, ""),
    ])
  func next(isPage: Bool, end: End?, status: Int, location: String) async throws {
    try await ConsoleTestApp.run { console in
      let (app, cases) = (console.app, console.app.core.cases)
      let work = AwaitedWork("rubix-review", tenant: "default", subject: "case", person: "person")
      try await app.database.write { try cases.open(work, formerly: nil, by: "customer", in: $0) }
      let members = try await app.staff.list(tenant: "default")
      let member = try #require(members.first { $0.email == ConsoleTestApp.agent })
      let (path, headers, body) = try await isPage ? page(console) : call(console)
      let slow = SlowBodies(base: app.router().buildResponder()) {
        try await app.database.write { tx in
          switch end {
          case nil: break
          case .session?: try SessionStore(tx).revokeAll(of: member.id.rawValue, at: app.world.now())
          case .permission?: try app.staff.setPermissions([.readCustomers], of: member.id, by: "operator", in: tx)
          }
        }
      }
      try await Hummingbird.Application(responder: slow, logger: app.logger).test(.router) { client in
        let answer = try await client.execute(
          uri: path, method: .post, headers: headers, body: ByteBuffer(string: body))
        #expect(Int(answer.status.code) == status)
        #expect((answer.headers[.location] ?? "").hasPrefix(location))
      }
    }
  }

  @Test("it sets no other password, though it has the present one", arguments: [true, false])
  func password(isEnded: Bool) async throws {
    try await ConsoleTestApp.run { console in
      let (app, other) = (console.app, "another Utopia in the east 7")
      let member = try #require(try await app.staff.list(tenant: "default").first { $0.email == ConsoleTestApp.agent })
      let browser = try await console.signedIn(ConsoleTestApp.agent)
      let form = try #require(try await browser.open("/console/account").hidden("/console/account/password"))
      let fields = form.merging(["current": ConsoleTestApp.password, "new": other]) { _, new in new }
      let slow = SlowBodies(base: app.router().buildResponder()) {
        guard isEnded else { return }
        try await app.database.write { try SessionStore($0).revokeAll(of: member.id.rawValue, at: app.world.now()) }
      }
      let headers: HTTPFields = [
        .cookie: try #require(await browser.cookie), .contentType: "application/x-www-form-urlencoded",
      ]
      let body = fields.map { "\($0.key)=\($0.value.replacing(" ", with: "+"))" }.joined(separator: "&")
      try await Hummingbird.Application(responder: slow, logger: app.logger).test(.router) { client in
        let answer = try await client.execute(
          uri: "/console/account/password", method: .post, headers: headers, body: ByteBuffer(string: body))
        #expect(Int(answer.status.code) == (isEnded ? 303 : 200))
      }
      let outcome = try await app.staff.authenticate(
        email: ConsoleTestApp.agent, password: other, tenant: "default", network: nil)
      if case .accepted = outcome { #expect(!isEnded) } else { #expect(isEnded) }
    }
  }

  private typealias Sent = (path: String, headers: HTTPFields, body: String)

  private func page(_ console: ConsoleTestApp) async throws -> Sent {
    let browser = try await console.signedIn(ConsoleTestApp.agent)
    let form = try #require(try await browser.open("/console/queue").hidden("/console/queue/next"))
    return (
      "/console/queue/next",
      [.cookie: try #require(await browser.cookie), .contentType: "application/x-www-form-urlencoded"],
      form.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
    )
  }

  private func call(_ console: ConsoleTestApp) async throws -> Sent {
    let base = "/api/v1/onboarding/agents"
    let answer = try await console.send(
      "POST", "\(base)/auth/token", headers: ["content-type": "application/json"],
      body: JSONEncoder().encode(["username": ConsoleTestApp.agent, "password": ConsoleTestApp.password]))
    let token = try #require(answer.headers["x-access-token"])
    return ("\(base)/next-case", [.init("x-access-token")!: token, .contentType: "application/json"], "{}")
  }
}
