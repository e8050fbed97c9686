// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import GatehouseTransport

@Suite("Transport: answers that go on", .timeLimit(.minutes(1)))
struct StreamingTests {
  @Test("parts are read as the server writes them, until it closes in order")
  func parts() async throws {
    let server = try DripServer()
    async let request = server.accept()
    async let opened = HTTPTransport.live().open(
      TransportRequest(method: "GET", url: server.url, headers: ["Last-Event-ID": "7"]))
    #expect(await request.lowercased().contains("last-event-id: 7"))
    server.write(
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\nTransfer-Encoding: chunked\r\n\r\n")
    server.write(chunk: ":\n\n")
    let stream = try await opened
    #expect(stream.status == 200 && stream.mediaType == "text/event-stream")
    #expect(try await stream.body.next() == Data(":\n\n".utf8))
    for part in ["one", "two", "three"] {
      server.write(chunk: part)
      #expect(try await stream.body.next() == Data(part.utf8))
    }
    server.write("0\r\n\r\n")
    server.close()
    #expect(try await stream.body.next() == nil)
    #expect(try await stream.body.next() == nil)
  }

  @Test("a refusal without a body is an answer, too")
  func refusal() async throws {
    let server = try DripServer()
    async let request = server.accept()
    async let opened = HTTPTransport.live().open(server.request)
    _ = await request
    server.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    server.close()
    let stream = try await opened
    #expect(stream.status == 404 && stream.mediaType == "")
    #expect(try await stream.body.next() == nil)
  }

  @Test("a connection that breaks inside the answer ends it with an error, after what arrived")
  func broken() async throws {
    let server = try DripServer()
    async let request = server.accept()
    async let opened = HTTPTransport.live().open(server.request)
    _ = await request
    server.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    server.write(chunk: "half")
    let stream = try await opened
    #expect(try await stream.body.next() == Data("half".utf8))
    server.close()
    await #expect(throws: TransportError(.connectionLost)) { try await stream.body.next() }
  }

  @Test("when the reader is gone the server sees the connection close")
  func dropped() async throws {
    let server = try DripServer()
    var stream: TransportStream? = try await Self.begun(server)
    #expect(try await stream?.body.next() == Data("x".utf8))
    stream = nil
    #expect(await server.isClosedByClient())
  }

  /// An answer that has begun, without another owner.
  private static func begun(_ server: DripServer) async throws -> TransportStream {
    async let request = server.accept()
    async let opened = HTTPTransport.live().open(server.request)
    _ = await request
    server.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    server.write(chunk: "x")
    return try await opened
  }

  @Test("no head within the deadline is a time-out, clear text does not leave, and whole answers only is unsupported")
  func refused() async throws {
    // Connected by the kernel, and never answered.
    let server = try DripServer()
    let hasArrived = ClientClock { (_) async throws(CancellationError) in }
    await #expect(throws: TransportError(.timedOut)) {
      try await HTTPTransport.live(clock: hasArrived).open(TransportRequest(method: "GET", url: server.url))
    }
    let url = try #require(URL(string: "http://bank.example/"))
    await #expect(throws: TransportError(.clearText)) {
      try await HTTPTransport.live().open(TransportRequest(method: "GET", url: url))
    }
    await #expect(throws: TransportError(.unsupported)) {
      try await HTTPTransport.unexpected().open(TransportRequest(method: "GET", url: url))
    }
  }

  @Test("a reader that is cancelled loses nothing; the next one goes on")
  func cancelled() async throws {
    let (body, source) = TransportBody.make()
    let reader = Task { try await body.next() }
    reader.cancel()
    await #expect(throws: TransportError(.cancelled)) { try await reader.value }
    source.add(Data("a".utf8))
    source.add(Data("b".utf8))
    #expect(try await body.next() == Data("ab".utf8))
    source.end(TransportError(.connectionLost))
    await #expect(throws: TransportError(.connectionLost)) { try await body.next() }
  }

  @Test("more than is read in time ends the answer")
  func tooMuch() async throws {
    let (body, source) = TransportBody.make()
    #expect(source.add(Data(count: TransportBody.unreadMax)))
    #expect(!source.add(Data([1])))
    #expect(!source.add(Data([2])))
    await #expect(throws: TransportError(.answerTooLarge)) { try await body.next() }
  }

  @Test("a released body closes its exchange once")
  func closes() async throws {
    let count = Mutex(0)
    var made: (body: TransportBody, source: TransportBody.Source)? = TransportBody.make {
      count.withLock { $0 += 1 }
    }
    let source = try #require(made).source
    made = nil
    source.add(Data([1]))
    source.end()
    #expect(count.withLock { $0 } == 1)
  }
}

@Suite("Transport: server-sent events are read")
struct ServerSentEventTests {
  static let samples: [(text: String, events: [ServerSentEvent])] = [
    ("data: a\n\n", [.init(data: "a")]),
    ("data:a\r\n\r\n", [.init(data: "a")]),
    ("data: a\r\rdata: b\r\r", [.init(data: "a"), .init(data: "b")]),
    ("\u{FEFF}data: a\n\n", [.init(data: "a")]),
    (": a sign of life\n\n:\n\n", []),
    ("id: 7\nevent: verification\ndata: {}\n\n", [.init(id: "7", kind: "verification", data: "{}")]),
    ("data: a\ndata:  b\ndata\n\n", [.init(data: "a\n b\n")]),
    ("id: 1\n\ndata: a\n\n", [.init(id: "1", data: "a")]),
    (
      "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
      [.init(id: "1", data: "a"), .init(id: "1", data: "b"), .init(id: "", data: "c")]
    ),
    ("id: 1\u{0}\ndata: a\n\n", [.init(data: "a")]),
    ("event: x\n\ndata: a\n\n", [.init(data: "a")]),
    ("retry: 10\nunknown: x\nDATA: no\ndata: a\n\n", [.init(data: "a")]),
    ("data: unfinished\n", []),
    ("data: ä\u{1F600}\n\n", [.init(data: "ä\u{1F600}")]),
  ]

  @Test("as the standard has them, wherever the parts are cut", arguments: samples.indices)
  func read(index: Int) throws {
    let (text, events) = Self.samples[index]
    let bytes = Array(text.utf8)
    for size in 1...max(1, bytes.count) {
      var reader = ServerSentEventReader()
      var read: [ServerSentEvent] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        read += try reader.read(Data(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(read == events, "in parts of \(size)")
    }
  }

  @Test("a reader goes on from the id of the body before")
  func goesOn() throws {
    var reader = ServerSentEventReader(lastID: "41")
    #expect(try reader.read(Data("data: a\n\n".utf8)) == [.init(id: "41", data: "a")])
    _ = try reader.read(Data("id: 42\n\n".utf8))
    #expect(reader.lastID == "42")
  }

  @Test("an event beyond the limit is refused, however it grows; comments may go on for ever")
  func tooLarge() throws {
    let line = Data(("data: " + String(repeating: "x", count: 1000) + "\n").utf8)
    var reader = ServerSentEventReader()
    #expect(throws: TransportError(.answerTooLarge)) { for _ in 0..<300 { _ = try reader.read(line) } }
    var endless = ServerSentEventReader()
    #expect(throws: TransportError(.answerTooLarge)) {
      _ = try endless.read(Data(count: ServerSentEventReader.eventMax + 1))
    }
    var quiet = ServerSentEventReader()
    for _ in 0..<400 { #expect(try quiet.read(Data((":" + String(repeating: "x", count: 999) + "\n").utf8)).isEmpty) }
  }

  @Test("any bytes are read without harm, and alike in one part or in many")
  func fuzz() throws {
    var state: UInt64 = 7
    let alphabet = Array("data:id event\r\n\u{0}\u{FEFF}ä".utf8)
    for _ in 0..<2000 {
      let bytes = (0..<40).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state >> 60 == 0 ? UInt8(truncatingIfNeeded: state >> 33) : alphabet[Int(state >> 33) % alphabet.count]
      }
      var (whole, single) = (ServerSentEventReader(), ServerSentEventReader())
      let events = try whole.read(Data(bytes))
      #expect(try bytes.flatMap { try single.read(Data([$0])) } == events)
    }
  }
}

/// A server on this machine that says what a test tells it to, when it tells it to.
private final class DripServer: Sendable {
  private let listener: Int32
  private let connection = Mutex<Int32>(-1)
  let url: URL
  /// With time for a machine that is busy: how long an answer may take is not the subject.
  var request: TransportRequest { TransportRequest(method: "GET", url: url, deadline: .seconds(180)) }

  init() throws {
    let port: UInt16
    (listener, port) = try LoopbackServer.openListener()
    guard let url = URL(string: "http://127.0.0.1:\(port)/events") else { throw CocoaError(.fileNoSuchFile) }
    self.url = url
  }

  deinit {
    close()
    _ = unistd.close(listener)
  }

  /// The head of the first request.
  func accept() async -> String {
    await onThread { [self] in
      let accepted = unistd.accept(listener)
      connection.withLock { $0 = accepted }
      var (head, buffer) = (Data(), [UInt8](repeating: 0, count: 4096))
      while !String(decoding: head, as: UTF8.self).contains("\r\n\r\n") {
        let count = recv(accepted, &buffer, buffer.count, 0)
        guard count > 0 else { break }
        head += buffer[..<count]
      }
      return String(decoding: head, as: UTF8.self)
    }
  }

  func write(_ text: String) {
    let descriptor = connection.withLock { $0 }
    let bytes = Array(text.utf8)
    _ = send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  func write(chunk text: String) { write("\(String(text.utf8.count, radix: 16))\r\n\(text)\r\n") }

  func close() {
    let descriptor = connection.withLock { descriptor in
      defer { descriptor = -1 }
      return descriptor
    }
    if descriptor >= 0 { _ = unistd.close(descriptor) }
  }

  /// Waits until there is nothing more to come from the client.
  func isClosedByClient() async -> Bool {
    let descriptor = connection.withLock { $0 }
    return await onThread {
      var buffer = [UInt8](repeating: 0, count: 64)
      return recv(descriptor, &buffer, buffer.count, 0) <= 0
    }
  }

  private func onThread<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: work()) }
    }
  }
}

/// The system's calls of these names, beside methods of the same names.
private enum unistd {
  static func accept(_ listener: Int32) -> Int32 { systemAccept(listener, nil, nil) }
  static func close(_ descriptor: Int32) -> Int32 { systemClose(descriptor) }
}

#if canImport(Glibc)
  import Glibc
  private let systemAccept:
    @Sendable (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32 = {
      Glibc.accept($0, $1, $2)
    }
  private let systemClose: @Sendable (Int32) -> Int32 = { Glibc.close($0) }
#else
  import Darwin
  private let systemAccept:
    @Sendable (Int32, UnsafeMutablePointer<sockaddr>?, UnsafeMutablePointer<socklen_t>?) -> Int32 = {
      Darwin.accept($0, $1, $2)
    }
  private let systemClose: @Sendable (Int32) -> Int32 = { Darwin.close($0) }
#endif
