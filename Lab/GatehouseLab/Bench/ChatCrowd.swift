// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticFlow
import FinapticWire
import Foundation
import GatehouseApp
import GatehouseWire
import Kit
import Synchronization

/// Customers of one bank in open conversations, and the agent who has them all in hand, over the loopback: on one node
/// or several, some of which may go.
struct ChatCrowd: Sendable {
  struct Session: Sendable {
    let bearer: String
    let chat: FinapticAPI.StartChatResponse
    let position: Int64
  }

  private static let password = "Quartz7Lantern"
  private static let base = FinapticAPI.basePath

  let ports: [Int]
  let sessions: [Session]
  private let key: String
  private let agentCredentials: String

  /// - Parameters:
  ///   - app: one node, where operators do their part.
  ///   - tenant: a number that is free.
  ///   - perUser: conversations of one user, who may not follow many at once.
  static func gathered(
    _ count: Int, _ app: App, tenant: Int, ports: [Int], perUser: Int = 10
  ) async throws -> ChatCrowd {
    let tenants = app.finaptic.dependencies.tenants
    try await tenants.add(tenant, name: "Bench Bank", kind: .sandbox, by: "bench")
    let key = try await tenants.issueKey("app", tenant: tenant, by: "bench").key.id.rawValue
    let client = try await app.addFinapticClient(.chat, "bench", tenant: tenant, by: "bench")
    let agentCredentials = Data("\(client.client.id):\(client.secret)".utf8).base64EncodedString()
    let empty = ChatCrowd(ports: ports, sessions: [], key: key, agentCredentials: agentCredentials)
    let sessions = try await BlockingThreadPool("bench", width: 1).run { try empty.gather(count, perUser) }
    return ChatCrowd(ports: ports, sessions: sessions, key: key, agentCredentials: agentCredentials)
  }

  /// The same customers and agent, who talk over these nodes.
  func over(_ ports: [Int]) -> ChatCrowd {
    ChatCrowd(ports: ports, sessions: sessions, key: key, agentCredentials: agentCredentials)
  }

  private func gather(_ count: Int, _ perUser: Int) throws -> [Session] {
    let line = Line(ports)
    var (sessions, bearer): ([Session], String) = ([], "")
    for number in 0..<count {
      if number.isMultiple(of: perUser) {
        let credential = FinapticAPI.Credential(
          email: "customer\(number)@bench.example", password: Self.password, username: nil)
        let _: EmptyBody = try ask(
          .signUp, FinapticAPI.SignUpRequest(credential: credential), bearer: nil, line)
        let state: FinapticAPI.AuthState = try ask(
          .signIn, FinapticAPI.SignInRequest(credential: credential, scope: nil, mfaCode: nil), bearer: nil, line)
        bearer = state.accessToken
      }
      let chat: FinapticAPI.StartChatResponse = try ask(
        .startChat, FinapticAPI.StartChatRequest(displayName: "Customer", subject: "Chat \(number)"), bearer: bearer,
        line)
      _ = try line.send(agentCall("\(chat.contactId)/take", #"{"agent":"bench","display_name":"Agent"}"#))
      // Taking it says two things.
      sessions.append(Session(bearer: bearer, chat: chat, position: (chat.position ?? 0) + 2))
    }
    return sessions
  }

  private func ask<Answer: Decodable>(
    _ method: FinapticMethod, _ body: some Encodable, bearer: String?, _ line: Line
  ) throws -> Answer {
    try WireJSON.decode(Answer.self, from: line.send(call(method, try WireJSON.encode(body), bearer: bearer)))
  }

  // MARK: Requests

  private func call(_ method: FinapticMethod, _ body: Data, bearer: String?) -> [UInt8] {
    let bearer = bearer.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    return LoopbackConnection.request(
      "POST \(method.path) HTTP/1.1\r\n\(FinapticAPI.clientKeyHeader): \(key)\r\n\(bearer)", body: body)
  }

  private func agentCall(_ path: String, _ body: String) -> [UInt8] {
    LoopbackConnection.request(
      "POST \(FinapticServerDialect.base)/chats/\(path) HTTP/1.1\r\nAuthorization: Basic \(agentCredentials)\r\n",
      body: Data(body.utf8))
  }

  /// What a session's reader asks for.
  func events(_ session: Session) -> @Sendable (Int64) -> [UInt8] {
    { [key] last in
      LoopbackConnection.request(
        "GET \(FinapticAPI.chatEventsPath) HTTP/1.1\r\n\(FinapticAPI.clientKeyHeader): \(key)\r\n"
          + "Authorization: Bearer \(session.bearer)\r\n\(FinapticAPI.chatTokenHeader): \(session.chat.chatToken)\r\n"
          + "Last-Event-ID: \(last)\r\n")
    }
  }

  /// Something that one side says in a session: even numbers are the customer's. However often it is sent, it is said
  /// once.
  func say(_ number: Int, in session: Session, id: String, _ line: Line) throws {
    let text = "message \(number)"
    if number.isMultiple(of: 2) {
      let request = FinapticAPI.SendMessageRequest(
        chatToken: session.chat.chatToken, messageContent: text, clientMessageId: id)
      _ = try line.send(call(.sendMessage, try WireJSON.encode(request), bearer: session.bearer))
    } else {
      _ = try line.send(
        agentCall("\(session.chat.contactId)/messages", #"{"agent":"bench","text":"\#(text)","message_id":"\#(id)"}"#))
    }
  }

  /// One thread's way to the nodes: over one of them as long as it answers, else over the next.
  final class Line {
    private static let triesMax = 200

    private let ports: [Int]
    private var place: Int
    private var connection: LoopbackConnection?
    /// Requests that had to be sent again.
    private(set) var repetitions = 0

    init(_ ports: [Int], first: Int = 0) { (self.ports, place) = (ports, first % ports.count) }

    /// - Returns: the body of a yes.
    func send(_ request: [UInt8]) throws -> Data {
      for _ in 0..<Self.triesMax {
        do {
          let open = try connection ?? LoopbackConnection(port: ports[place])
          connection = open
          let answer = try open.send(request)
          if (200...299).contains(answer.status) { return Data(answer.body) }
          guard answer.status >= 500 else { throw BenchMistake.refused(answer.status) }
        } catch let failure as LoopbackConnection.Failure {
          guard failure != .notHTTP else { throw failure }
        }
        connection = nil
        place = (place + 1) % ports.count
        repetitions += 1
      }
      throw LoopbackConnection.Failure.notConnected
    }
  }
}
