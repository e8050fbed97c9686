// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// Stands between a client and a store, hands on what it hears, and breaks what it was told to. One request a
/// connection, as moto does it.
final class FaultProxy: Sendable {
  enum Fault: Sendable {
    case pass
    /// Answers by itself; the store hears nothing.
    case answer(Int, code: String, date: String? = nil)
    /// The store does it; the answer is replaced.
    case performThenAnswer(Int, code: String)
    /// Closes before the store hears anything.
    case cutRequest
    /// The store does it; so many bytes of the answer's body arrive, and then the connection closes.
    case cutAnswer(after: Int)
    /// Changes a byte of the answer's body.
    case damageAnswer
    /// Answers nothing until the client goes.
    case stall
  }

  private struct State {
    var plan: @Sendable (String, Int) -> Fault = { _, _ in .pass }
    var heads: [String] = []
    var open = 0
    var openMax = 0
  }

  let port: Int
  private let upstream: Int
  private let state = Mutex(State())

  private init(port: Int, upstream: Int) {
    self.port = port
    self.upstream = upstream
  }

  /// Runs a proxy before a port of this machine for as long as the body runs.
  static func with(_ upstream: Int, _ body: (FaultProxy) async throws -> Void) async throws {
    let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .serverChannelOption(.backlog, value: 256)
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    let proxy = FaultProxy(port: server.channel.localAddress?.port ?? 0, upstream: upstream)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await server.executeThenClose { connections in
          try await withThrowingDiscardingTaskGroup { group in
            for try await connection in connections { group.addTask { try? await proxy.serve(connection) } }
          }
        }
      }
      defer { group.cancelAll() }
      try await body(proxy)
    }
  }

  // MARK: What it was told, and heard

  /// - Parameter plan: by the request's line and its number from 0.
  func plan(_ plan: @escaping @Sendable (_ line: String, _ number: Int) -> Fault) {
    state.withLock { state in
      state.plan = plan
      state.heads = []
      state.openMax = 0
    }
  }

  /// One fault a request, then none.
  func plan(_ faults: [Fault]) { plan { _, number in number < faults.count ? faults[number] : .pass } }

  /// Request lines and headers, as they came.
  var heads: [String] { state.withLock { $0.heads } }
  /// `PUT /bucket/key`, …
  var lines: [String] { heads.map { String($0.prefix { $0 != "\r\n" }) } }
  /// Requests at once, at most.
  var openMax: Int { state.withLock { $0.openMax } }

  private func fault(_ head: String) -> Fault {
    state.withLock { state in
      state.heads.append(head)
      return state.plan(String(head.prefix { $0 != "\r\n" }), state.heads.count - 1)
    }
  }

  // MARK: One connection

  private func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>) async throws {
    state.withLock { state in
      state.open += 1
      state.openMax = max(state.openMax, state.open)
    }
    defer { state.withLock { $0.open -= 1 } }
    try await connection.executeThenClose { inbound, outbound in
      var pieces = inbound.makeAsyncIterator()
      var request = Data()
      var bodyStart: Int?
      while bodyStart == nil {
        guard let piece = try await pieces.next() else { return }
        request.append(contentsOf: piece.readableBytesView)
        bodyStart = Self.bodyStart(request)
      }
      guard let bodyStart else { return }
      let head = String(decoding: request.prefix(bodyStart), as: UTF8.self)
      let fault = fault(head)
      if case .cutRequest = fault { return }
      while request.count < bodyStart + Self.bodyLength(head), let piece = try await pieces.next() {
        request.append(contentsOf: piece.readableBytesView)
      }
      var answer: Data
      switch fault {
      case .answer(let status, let code, let date):
        answer = Self.error(status, code, date)
      case .stall:
        while try await pieces.next() != nil {}
        return
      default:
        answer = try await ask(request)
      }
      if case .performThenAnswer(let status, let code) = fault { answer = Self.error(status, code, nil) }
      let answerStart = Self.bodyStart(answer) ?? answer.count
      if case .damageAnswer = fault, answerStart < answer.count { answer[answerStart] ^= 1 }
      if case .cutAnswer(let count) = fault {
        try await outbound.write(ByteBuffer(bytes: answer.prefix(answerStart + count)))
        return
      }
      try await outbound.write(ByteBuffer(bytes: answer))
      outbound.finish()
      while try await pieces.next() != nil {}
    }
  }

  private func ask(_ request: Data) async throws -> Data {
    let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connect(host: "127.0.0.1", port: upstream) { channel in
        channel.eventLoop.makeCompletedFuture {
          try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
        }
      }
    return try await channel.executeThenClose { inbound, outbound in
      try await outbound.write(ByteBuffer(bytes: request))
      var answer = Data()
      for try await piece in inbound { answer.append(contentsOf: piece.readableBytesView) }
      return answer
    }
  }

  // MARK: HTTP, as far as it is needed

  private static func bodyStart(_ message: Data) -> Int? {
    message.firstRange(of: Data("\r\n\r\n".utf8)).map { $0.upperBound - message.startIndex }
  }

  private static func bodyLength(_ head: String) -> Int {
    head.lowercased().firstMatch(of: /content-length: *([0-9]+)/).flatMap { Int($0.output.1) } ?? 0
  }

  private static func error(_ status: Int, _ code: String, _ date: String?) -> Data {
    let body = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><Error><Code>\(code)</Code><Message>no</Message></Error>"
    let lines = [
      "HTTP/1.1 \(status) Fault", "content-type: application/xml", "content-length: \(body.utf8.count)",
      "connection: close", date.map { "date: \($0)" },
    ].compactMap { $0 }
    return Data((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}
