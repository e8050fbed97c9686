// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import TestSupport
import Testing

@Suite("Outbound: calls whose answer matters", .storeless)
struct PeerHTTPTests {
  private func server(_ heard: Transcript, answer: @escaping @Sendable () -> [String]) throws -> LoopbackServer {
    try LoopbackServer { connection in
      var length = 0
      while let line = connection.line(), !line.isEmpty {
        heard.note(line)
        if line.lowercased().hasPrefix("content-length:") { length = Int(line.split(separator: " ").last ?? "") ?? 0 }
      }
      heard.note(String(decoding: connection.bytes(length), as: UTF8.self))
      for line in answer() { connection.say(line) }
    }
  }

  private let threads = BlockingThreadPool("peer tests", width: 2)

  @Test("method, fields and body arrive as they are, and status and body of the answer come back")
  func exchange() async throws {
    let heard = Transcript()
    let server = try server(heard) { ["HTTP/1.1 404 Not Found", "Content-Length: 13", "", #"{"error":"x"}"#] }
    let answer = try await PeerHTTP.curl(threads: threads).send(
      .init(
        "PUT", "http://127.0.0.1:\(server.port)/a/b", headers: ["X-One": "1", "Content-Type": "application/json"],
        body: Data(#"{"a":1}"#.utf8)))
    #expect(answer.status == 404 && String(decoding: answer.body, as: UTF8.self) == #"{"error":"x"}"#)
    #expect(heard.lines.first == "PUT /a/b HTTP/1.1" && heard.lines.last == #"{"a":1}"#)
    #expect(heard.lines.contains("X-One: 1"))
  }

  @Test("an answer without end is cut off")
  func endless() async throws {
    let server = try server(Transcript()) {
      ["HTTP/1.1 200 OK", ""] + Array(repeating: String(repeating: "x", count: 65536), count: 20)
    }
    await #expect(throws: PeerHTTP.Failure.self) {
      try await PeerHTTP.curl(threads: threads).send(
        .init("GET", "http://127.0.0.1:\(server.port)/", headers: [:], body: Data()))
    }
  }

  @Test(
    "where the status says all, it is the answer, however the body is",
    arguments: [
      ["HTTP/1.1 200 OK", ""] + Array(repeating: String(repeating: "x", count: 65536), count: 40),
      ["HTTP/1.1 200 OK", "Content-Length: 10", "", "short"],
      ["HTTP/1.1 200 OK", "Content-Encoding: gzip", "Content-Length: 4", "", "none"],
    ])
  func unread(lines: [String]) async throws {
    let server = try server(Transcript()) { lines }
    let answer = try await PeerHTTP.curl(threads: threads, answerMax: nil).send(
      .init("POST", "http://127.0.0.1:\(server.port)/", headers: [:], body: Data("{}".utf8)))
    #expect(answer.status == 200 && answer.body.isEmpty)
  }

  @Test("a body that never ends does not undo the status, and no status is no answer")
  func unended() async throws {
    let peer = PeerHTTP.curl(threads: threads, timeout: .milliseconds(300), answerMax: nil)
    let slow = try LoopbackServer { connection in
      while let line = connection.line(), !line.isEmpty {}
      for line in ["HTTP/1.1 202 Accepted", "Content-Length: 100", "", "{"] { connection.say(line) }
      _ = connection.line()
    }
    #expect(
      try await peer.send(.init("GET", "http://127.0.0.1:\(slow.port)/", headers: [:], body: Data())).status == 202)
    let silent = try LoopbackServer { connection in while connection.line() != nil {} }
    await #expect(throws: PeerHTTP.Failure.timedOut) {
      try await peer.send(.init("GET", "http://127.0.0.1:\(silent.port)/", headers: [:], body: Data()))
    }
  }

  @Test("a closed port is unreachable, and a silent server times out")
  func failures() async throws {
    let peer = PeerHTTP.curl(threads: threads, timeout: .milliseconds(200))
    await #expect(throws: PeerHTTP.Failure.unreachable) {
      try await peer.send(.init("GET", "http://127.0.0.1:1/", headers: [:], body: Data()))
    }
    let silent = try LoopbackServer { connection in while connection.line() != nil {} }
    await #expect(throws: PeerHTTP.Failure.timedOut) {
      try await peer.send(.init("GET", "http://127.0.0.1:\(silent.port)/", headers: [:], body: Data()))
    }
  }

  @Test(
    "an answer that is no HTTP may be one the next time; another protocol never is",
    arguments: ["200 OK nothing", "220 mail.bank.example ESMTP", "<html>starting</html>", "\u{16}\u{3}\u{1}"])
  func noHTTP(line: String) async throws {
    let peer = PeerHTTP.curl(threads: threads, timeout: .seconds(10), answerMax: nil)
    let server = try server(Transcript()) { [line] }
    await #expect(throws: PeerHTTP.Failure.failed) {
      try await peer.send(
        .init("POST", "http://127.0.0.1:\(server.port)/", headers: [:], body: Data("{}".utf8)))
    }
    await #expect(throws: PeerHTTP.Failure.misconfigured) {
      try await peer.send(.init("GET", "ftp://127.0.0.1:\(server.port)/", headers: [:], body: Data()))
    }
  }

  @Test("a field that would be two is not sent", arguments: ["a\r\nEvil: 1", "a\nb", "a\u{0}b"])
  func injection(value: String) async throws {
    await #expect(throws: PeerHTTP.Failure.misconfigured) {
      try await PeerHTTP.curl(threads: threads).send(
        .init("GET", "http://127.0.0.1:1/", headers: ["X": value], body: Data()))
    }
  }
}
