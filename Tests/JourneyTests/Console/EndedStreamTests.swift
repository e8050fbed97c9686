// SPDX-License-Identifier: Apache-2.0

import Casework
import Conversations
import Delivery
import FinapticFlow
import Foundation
import Kit
import RubixFlow
import Scheduling
import TestSupport
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp
@testable import Identity

/// Answers with live events go on for five minutes (issue 24): a member of staff who was suspended read on in them.
@Suite("Staff: live events end with the session that asked for them", .onOneEngine, .serialized)
struct EndedStreamTests {
  /// Which live events are followed.
  enum Stream: CaseIterable { case queue, chat, call, api }
  /// What ends the right to them.
  enum End: CaseIterable { case suspended, signedOut, unpermitted }

  private typealias Happening = @Sendable () async throws -> Void
  private static let pool = BlockingThreadPool("sockets", width: 1)

  /// One request on a connection of its own, and its whole answer.
  private static func exchange(
    _ method: String, _ path: String, _ headers: [String], _ body: String = "", at port: UInt16
  ) async throws -> String {
    try await pool.run {
      let socket = try HTTPSocket(port)
      let lines =
        ["\(method) \(path) HTTP/1.1", "Host: house.example", "Connection: close"] + headers
        + (body.isEmpty ? [] : ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"])
      try socket.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
      return try socket.receiveAll()
    }
  }

  /// The beginning of an answer with live events, and the connection on which it goes on; nil where it did not begin.
  private static func begun(
    _ path: String, _ headers: [String], at port: UInt16
  ) async throws -> (socket: HTTPSocket, text: String)? {
    try await pool.run { () throws -> (socket: HTTPSocket, text: String)? in
      let socket = try HTTPSocket(port)
      let lines = ["GET \(path) HTTP/1.1", "Host: house.example", "Connection: close"] + headers
      try socket.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
      var begun = ""
      while !begun.contains(":\n\n") {
        let more = try socket.receiveSome()
        guard !more.isEmpty else { return nil }
        begun += more
      }
      return (socket, begun)
    }
  }

  /// What is told after `end`, until there is an event or the server closes; nil where the answer did not begin.
  private static func told(
    _ path: String, _ headers: [String], at port: UInt16, after end: @escaping Happening, _ happening: Happening
  ) async throws -> String? {
    guard let socket = try await begun(path, headers, at: port)?.socket else { return nil }
    try await end()
    try await happening()
    return try await pool.run {
      var text = ""
      // Comments come without end where the answer neither tells nor ends: the clock of its lifetime stands still.
      let latest = ContinuousClock.now + .seconds(60)
      while !text.contains("event:") {
        guard ContinuousClock.now < latest else { throw HTTPSocket.Refused() }
        let more = try socket.receiveSome()
        guard !more.isEmpty else { break }
        text += more
      }
      return text
    }
  }

  @Test("a member is told nothing after a suspension, the end of the session or of the permission", arguments: [
    (Stream.queue, End.suspended), (.queue, .signedOut), (.queue, .unpermitted), (.chat, .suspended),
    (.chat, .unpermitted), (.call, .suspended), (.call, .signedOut), (.call, .unpermitted), (.api, .suspended),
    (.api, .signedOut), (.api, .unpermitted),
  ])
  func ended(stream: Stream, end: End) async throws {
    try await ConsoleTestApp.run { console in
      try await console.app.server().serve { client in
        let port = UInt16(try #require(client.port))
        let untold = try await Self.play(stream, end, console, at: port)
        #expect(untold?.contains("event:") == false, "\(untold ?? "the answer did not begin")")
        // The same happens to a member whose right goes on.
        let told = try await Self.play(stream, nil, console, at: port)
        #expect(told?.contains("event:") == true, "\(told ?? "the answer did not begin")")
      }
    }
  }

  /// What ends the credentials of a client.
  enum ClientEnd { case revoked, rotated }

  @Test("a system of agents is told nothing after its client was revoked, or its secret has ended")
  func endedClient() async throws {
    try await ConsoleTestApp.run { console in
      let app = console.app
      try await app.server().serve { client in
        let port = UInt16(try #require(client.port))
        for end in [ClientEnd.revoked, .rotated, nil] as [ClientEnd?] {
          let (page, happening) = try await Self.followed(.chat, nil, "", at: port, console)
          let name = end.map { "\($0)" } ?? "kept"
          let issued = try await app.addFinapticClient(.chat, name, tenant: 7, by: "operator")
          let basic = Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
          let told = try await Self.told(
            page.replacing("/console/chats/finaptic-7/", with: "/api/v1/finaptic/chats/"),
            ["Authorization: Basic \(basic)"], at: port,
            after: {
              switch end {
              case nil: break
              case .revoked?: try await app.serviceClients.revoke(issued.client.id, by: "operator")
              case .rotated?:
                _ = try await app.serviceClients.rotate(issued.client.id, overlap: .zero, by: "operator")
              }
            }, happening)
          #expect(told?.contains("event:") == (end == nil), "\(told ?? "the answer did not begin")")
        }
      }
    }
  }

  /// A page that is open on a desk that was left asks for them every five minutes, for as long as it is open.
  @Test("live events, which scripts follow, are no use of the session", arguments: [Stream.queue, .chat, .call])
  func noUse(stream: Stream) async throws {
    try await ConsoleTestApp.run { console in
      try await console.app.server().serve { client in
        let port = UInt16(try #require(client.port))
        let (_, call, header) = try await Self.member(2, stream, console)
        let (path, _) = try await Self.followed(stream, call, header, at: port, console)
        let answer = try #require(try await Self.begun(path, [header], at: port)).text
        #expect(answer.hasPrefix("HTTP/1.1 200") && !answer.lowercased().contains("set-cookie:"), "\(answer)")
      }
    }
  }

  /// - Parameter end: nil ends nothing.
  private static func play(
    _ stream: Stream, _ end: End?, _ console: ConsoleTestApp, at port: UInt16
  ) async throws -> String? {
    let app = console.app
    let (member, call, header) = try await Self.member(end == nil ? 1 : 0, stream, console)
    let (path, happening) = try await followed(stream, call, header, at: port, console)
    return try await told(
      path, [header], at: port,
      after: {
        try await app.database.write { tx in
          switch end {
          case nil: break
          case .suspended?: try app.staff.setActive(false, of: member.id, by: "operator", in: tx)
          case .signedOut?: try SessionStore(tx).revokeAll(of: member.id.rawValue, at: app.world.now())
          case .unpermitted?: try app.staff.setPermissions([.readCustomers], of: member.id, by: "operator", in: tx)
          }
        }
      }, happening)
  }

  /// A new member who is signed in, with the call where it is about one.
  private static func member(
    _ number: Int, _ stream: Stream, _ console: ConsoleTestApp
  ) async throws -> (StaffMember, call: Appointment.ID?, header: String) {
    let email = "ada\(number)@bank.example"
    let member = try await console.app.staff.add(
      NewStaffMember(
        tenant: "default", email: email, name: "Ada Agent", gender: .female, languages: ["en"],
        permissions: [.attendVideo, .readCustomers, .chatCustomers], password: ConsoleTestApp.password), by: "operator")
    let call = stream == .call ? try await book(for: member, number + 1, console) : nil
    return (member, call, try await signIn(email, overAPI: stream == .api, console))
  }

  private static func signIn(_ email: String, overAPI: Bool, _ console: ConsoleTestApp) async throws -> String {
    guard overAPI else {
      let browser = try await console.signedIn(email)
      return "Cookie: \(try #require(await browser.cookie))"
    }
    let answer = try await console.send(
      "POST", "/api/v1/onboarding/agents/auth/token", headers: ["content-type": "application/json"],
      body: JSONEncoder().encode(["username": email, "password": ConsoleTestApp.password]))
    return "x-access-token: \(try #require(answer.headers["x-access-token"]))"
  }

  /// Where the events are, and what makes one.
  private static func followed(
    _ stream: Stream, _ call: Appointment.ID?, _ header: String, at port: UInt16, _ console: ConsoleTestApp
  ) async throws -> (path: String, happening: Happening) {
    let app = console.app
    switch stream {
    case .queue: return ("/console/queue/events", { try await open(console) })
    case .api: return ("/api/v1/onboarding/agents/case-events", { try await open(console) })
    case .chat:
      let (conversations, number) = (app.finaptic.dependencies.conversations, 7)
      if try await !app.finaptic.dependencies.tenants.list().map(\.id).contains(number) {
        try await app.finaptic.dependencies.tenants.add(number, name: "Bank", kind: .sandbox, by: "test")
      }
      let opened = try await app.database.write { tx in
        let customer = "customer-\(app.world.uuid())"
        let opened = try conversations.begin("Card", by: customer, called: "Ann", tenant: "finaptic-7", in: tx)
        return (contact: opened.contact, conversation: opened.conversation)
      }
      return (
        "/console/chats/finaptic-7/\(opened.conversation.id)/events",
        {
          try await app.database.write { tx in
            _ = try conversations.write(
              "Hello?", clientID: nil, over: opened.contact, of: opened.conversation, in: tx)
          }
        }
      )
    case .call:
      let (call, link) = (try #require(call), CallLink.token(of: try #require(call), app.vault))
      let page = try await exchange("GET", AgentCallRoutes.path(of: call), [header], at: port)
      let csrf = try #require(page.firstMatch(of: #/data-csrf="([^"]+)"/#)?.1)
      let joined = try await exchange(
        "POST", "\(AgentCallRoutes.path(of: call))/join", [header], #"{"csrf":"\#(csrf)"}"#, at: port)
      let seat = try #require(joined.firstMatch(of: #/"seat":(\d+)/#)?.1)
      let position = try #require(joined.firstMatch(of: #/"position":(\d+)/#)?.1)
      return (
        "\(AgentCallRoutes.path(of: call))/events?seat=\(seat)&after=\(position)",
        {
          let guest = try await exchange("POST", "/call/\(link)/join", [], "{}", at: port)
          try #require(guest.hasPrefix("HTTP/1.1 200"), "\(guest)")
        }
      )
    }
  }

  private static func open(_ console: ConsoleTestApp) async throws {
    let (app, subject) = (console.app, console.app.world.uuid())
    let work = AwaitedWork("rubix-review", tenant: "default", subject: subject, person: "person-\(subject)")
    let cases = app.core.cases
    try await app.database.write { try cases.open(work, formerly: nil, by: "customer", in: $0) }
  }

  /// A call of a customer at the next full hour, which the clock is set to.
  private static func book(
    for member: StaffMember, _ number: Int, _ console: ConsoleTestApp
  ) async throws -> Appointment.ID {
    let start = Instant(milliseconds: (console.clock.now.milliseconds / 3_600_000 + 24) * 3_600_000)
    let roster = AgentRoster(agents: [.init(id: member.id.rawValue, gender: "F", languages: ["en"])])
    let (_, call) = try await CallStage.book(number, at: start, roster: roster, console.app)
    console.clock.set(start)
    return call
  }
}
