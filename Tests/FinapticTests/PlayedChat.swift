// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import FinapticWire
import Synchronization

@testable import Finaptic

/// A server of one conversation: an order of events, connections that a test cuts, calls that fail as long as it says.
final class PlayedChat: Sendable {
  private struct State {
    var events: [(number: Int64, kind: String, data: Data)] = []
    var sources: [TransportBody.Source] = []
    /// What each connection asked for.
    var asked: [String] = []
    var isOffline = false
    /// Answers of connections before they succeed.
    var refusals: [FinapticCode] = []
    /// What keeps connections from being made before they succeed.
    var failures: [TransportError.Code] = []
    var sent: [FinapticAPI.SendMessageRequest] = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  let server = PlayedServer()
  static let token = "secret of the chat"

  /// What each connection said that it had seen last.
  var asked: [String] { state.withLock { $0.asked } }
  var sent: [FinapticAPI.SendMessageRequest] { state.withLock { $0.sent } }

  var transport: HTTPTransport {
    let calls = server.options().transport ?? .unexpected()
    return HTTPTransport(
      send: { (request, progress) async throws(TransportError) in
        guard request.url.path == FinapticMethod.sendMessage.path else {
          return try await calls.send(request, progress: progress)
        }
        return try self.take(request)
      }, open: { (request) async throws(TransportError) in try self.open(request) })
  }

  private func open(_ request: TransportRequest) throws(TransportError) -> TransportStream {
    let (body, source) = TransportBody.make()
    let outcome = state.withLock { state -> Result<TransportStream, TransportError> in
      state.asked.append(request.headers["last-event-id"] ?? "")
      for waiter in state.waiters { waiter.resume() }
      state.waiters = []
      guard !state.isOffline else { return .failure(TransportError(.offline)) }
      guard state.failures.isEmpty else { return .failure(TransportError(state.failures.removeFirst())) }
      if !state.refusals.isEmpty {
        let code = state.refusals.removeFirst()
        source.add(
          (try? WireJSON.encode(FinapticAPI.ErrorBody(code: code.rawValue, message: "no", details: nil))) ?? Data())
        source.end()
        return .success(
          TransportStream(status: code.httpStatus, headers: ["content-type": "application/json"], body: body))
      }
      state.sources.append(source)
      source.add(Data(":\n\n".utf8))
      let last = Int64(request.headers["last-event-id"] ?? "") ?? 0
      for event in state.events where event.number > last { source.add(Self.text(event)) }
      return .success(TransportStream(status: 200, headers: ["content-type": "text/event-stream"], body: body))
    }
    return try outcome.get()
  }

  private func take(_ request: TransportRequest) throws(TransportError) -> TransportResponse {
    let outcome = state.withLock { state -> Result<TransportResponse, TransportError> in
      guard !state.isOffline else { return .failure(TransportError(.offline)) }
      guard let asked = try? WireJSON.decode(FinapticAPI.SendMessageRequest.self, from: request.body ?? Data()) else {
        return .failure(TransportError(.other))
      }
      state.sent.append(asked)
      let (number, message) = Self.add(asked.messageContent ?? "", "CUSTOMER", to: &state)
      let answer = FinapticAPI.SendMessageResponse(message: message, position: number)
      return .success(TransportResponse(status: 200, body: (try? WireJSON.encode(answer)) ?? Data()))
    }
    return try outcome.get()
  }

  /// Something that is said, and told to all who are connected.
  @discardableResult
  func say(_ text: String, role: String = "AGENT") -> Int64 {
    state.withLock { Self.add(text, role, to: &$0).0 }
  }

  /// Something that is said under a number of the test's choice.
  func say(_ text: String, numbered number: Int64) {
    let message = FinapticAPI.ChatMessage(
      id: "id \(number)", participantRole: "AGENT", displayName: "K", content: text,
      timestamp: .init(millisecondsSince1970: 0))
    let event = (number: number, kind: "message", data: (try? WireJSON.encode(message)) ?? Data())
    state.withLock { state in for source in state.sources { source.add(Self.text(event)) } }
  }

  func happen(_ kind: String) {
    state.withLock { state in
      let event = FinapticAPI.ChatEvent(
        id: UUID().uuidString, type: kind.uppercased(), timestamp: .init(millisecondsSince1970: 0),
        displayName: "Kim")
      Self.add(kind, (try? WireJSON.encode(event)) ?? Data(), to: &state)
    }
  }

  /// The conversation ends.
  func close() {
    state.withLock { state in
      for source in state.sources {
        source.add(Data("event: ended\ndata: {\"reason\":\"RESOLVED\"}\n\n".utf8))
        source.end()
      }
    }
  }

  /// Sends everything again that was sent.
  func stutter() {
    state.withLock { state in
      for source in state.sources { for event in state.events { source.add(Self.text(event)) } }
    }
  }

  /// Connections end: in order, or as when the network is gone.
  func cut(inOrder: Bool = false, goesOffline: Bool = false) {
    state.withLock { state in
      state.isOffline = goesOffline
      for source in state.sources { source.end(inOrder ? nil : TransportError(.connectionLost)) }
      state.sources = []
    }
  }

  func refuse(_ codes: FinapticCode...) { state.withLock { $0.refusals = codes } }

  func fail(_ codes: TransportError.Code...) { state.withLock { $0.failures = codes } }

  func comeBack() { state.withLock { $0.isOffline = false } }

  /// Returns at the next connection.
  func connection() async {
    await withCheckedContinuation { waiter in state.withLock { $0.waiters.append(waiter) } }
  }

  private static func add(
    _ text: String, _ role: String, to state: inout State
  ) -> (Int64, FinapticAPI.ChatMessage) {
    let message = FinapticAPI.ChatMessage(
      id: "id \(state.events.count + 1)", participantRole: role, displayName: "K", content: text,
      timestamp: .init(millisecondsSince1970: 0))
    return (add("message", (try? WireJSON.encode(message)) ?? Data(), to: &state), message)
  }

  @discardableResult
  private static func add(_ kind: String, _ data: Data, to state: inout State) -> Int64 {
    let event = (number: Int64(state.events.count + 1), kind: kind, data: data)
    state.events.append(event)
    for source in state.sources { source.add(text(event)) }
    return event.number
  }

  private static func text(_ event: (number: Int64, kind: String, data: Data)) -> Data {
    Data("id: \(event.number)\nevent: \(event.kind)\ndata: \(String(decoding: event.data, as: UTF8.self))\n\n".utf8)
  }
}
