// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import GatehouseWire
import FinapticWire
import HTTPTypes
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// Customers who talk and agents who answer, over the product's own router.
extension AccountTestApp {
  /// A signed-in customer, or a user who is not one yet.
  func talker(_ email: String = AccountTestApp.email, isCustomer: Bool = true) async throws -> String {
    let username = email == Self.email ? Self.username : nil
    #expect(try await signUp(email, username: username).status == 200)
    if isCustomer {
      let id = try await user(email).id
      let (vault, customer) = (vault, UUID().uuidString.lowercased())
      try await database.write { _ = try FinapticUserStore($0, vault: vault).setCustomer(customer, of: id) }
    }
    return try await signIn(email).view(FinapticAPI.AuthState.self).accessToken
  }

  func help(
    _ method: String, _ body: some Encodable, token: String?, once: String? = nil, key: String? = nil
  ) async throws -> Answer {
    var headers = ["X-Client-Key": key ?? self.key]
    headers["Authorization"] = token.map { "Bearer \($0)" }
    headers["Idempotency-Key"] = once
    return try await call(
      .post, "\(FinapticDialect.base)/helpCenter/\(method)", try WireJSON.encode(body), headers: headers)
  }

  func startChat(_ token: String, subject: String = "My card", thread: String? = nil) async throws
    -> FinapticAPI.StartChatResponse
  {
    try await help(
      "startChat",
      FinapticAPI.StartChatRequest(displayName: "Ada", subject: subject, contactCaseId: thread), token: token
    ).view()
  }

  @discardableResult
  func say(
    _ text: String?, _ chat: FinapticAPI.StartChatResponse, token: String, id: String? = nil
  ) async throws -> Answer {
    try await help(
      "sendMessage",
      FinapticAPI.SendMessageRequest(chatToken: chat.chatToken, messageContent: text, clientMessageId: id),
      token: token)
  }

  /// Of a contact that has ended: everything after a place, as `kind text`, and how it ended.
  func told(
    _ chat: FinapticAPI.StartChatResponse, token: String, after last: String? = nil
  ) async throws -> [String] {
    var headers = ["X-Client-Key": key, "Authorization": "Bearer \(token)", "X-Chat-Token": chat.chatToken]
    headers["Last-Event-ID"] = last
    let answer = try await call(.get, FinapticAPI.chatEventsPath, headers: headers)
    #expect(answer.status == 200 && answer.headers[.contentType] == "text/event-stream", "\(answer.json)")
    return try answer.json.components(separatedBy: "\n\n").filter { $0.contains("data: ") }.map { event in
      let fields = Dictionary(
        event.split(separator: "\n").compactMap { line in
          line.firstRange(of: ": ").map { (String(line[..<$0.lowerBound]), String(line[$0.upperBound...])) }
        }
      ) { $1 }
      let object = try JSONSerialization.jsonObject(with: Data((fields["data"] ?? "").utf8)) as? [String: Any]
      let text = object?["content"] ?? object?["reason"] ?? object?["display_name"]
      return "\(fields["event"] ?? "") \(text as? String ?? "")"
    }
  }

  /// An act of an agent.
  func callAsAgent(_ path: String, _ body: [String: Any], secret: IssuedSecret) async throws -> Answer {
    try await callAsAgent(.post, path, JSONSerialization.data(withJSONObject: body), secret: secret)
  }

  /// A call of the agents' API.
  func callAsAgent(
    _ method: HTTPRequest.Method, _ path: String, _ body: Data = Data(), secret: IssuedSecret
  ) async throws -> Answer {
    let basic = Data("\(secret.client.id):\(secret.secret)".utf8).base64EncodedString()
    return try await call(
      method, "\(FinapticServerDialect.base)/chats\(path)", body, headers: ["Authorization": "Basic \(basic)"])
  }
}
