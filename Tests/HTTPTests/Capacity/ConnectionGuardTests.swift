// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Kit
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: what one connection may take", .storeless, .timeLimit(.minutes(1)))
struct ConnectionGuardTests {
  /// Counts what is read from the network.
  private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart

    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }
  }

  private static func connection(
    _ change: (inout ConnectionLimits) -> Void = { _ in }
  ) throws -> (EmbeddedChannel, Reads, ConnectionCount) {
    var limits = ConnectionLimits()
    change(&limits)
    let (reads, count) = (Reads(), ConnectionCount(limits))
    let channel = EmbeddedChannel(handlers: [reads, ConnectionGuard(count)])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return (channel, reads, count)
  }

  private static func head(_ method: HTTPRequest.Method = .post) -> HTTPRequestPart {
    .head(HTTPRequest(method: method, scheme: "http", authority: "h", path: "/"))
  }

  private static func piece(_ count: Int) -> HTTPRequestPart { .body(ByteBuffer(repeating: 1, count: count)) }

  @Test("a body is left with its client until it is asked for, and what was not read is read when it was answered")
  func unasked() throws {
    let (channel, reads, _) = try Self.connection()
    try channel.writeInbound(Self.head())
    let before = reads.count
    channel.read()
    #expect(reads.count == before)
    channel.triggerUserOutboundEvent(BodyReadRequest(), promise: nil)
    #expect(reads.count == before + 1)
    try channel.writeInbound(HTTPRequestPart.end(nil))
    channel.read()
    #expect(reads.count == before + 2)
    // The next one is refused unread.
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    try channel.writeInbound(Self.head())
    channel.read()
    #expect(reads.count == before + 2)
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    #expect(reads.count == before + 3)
  }

  /// Of a body that says its length.
  private static func head(ofBody length: Int, _ fields: HTTPFields = [:]) -> HTTPRequestPart {
    var fields = fields
    fields[.contentLength] = "\(length)"
    return .head(HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/", headerFields: fields))
  }

  @Test("a body that says it is short is read unasked, and has its time from its head")
  func short() throws {
    for (head, isRead) in [
      (Self.head(ofBody: 16 * 1024), true), (Self.head(ofBody: 16 * 1024 + 1), false),
      (Self.head(ofBody: 1, [.expect: "100-continue"]), false),
    ] {
      let (channel, reads, _) = try Self.connection()
      try channel.writeInbound(head)
      let before = reads.count
      channel.read()
      #expect((reads.count == before + 1) == isRead)
    }
    let (channel, _, count) = try Self.connection()
    // Whole with its head: nothing is waited for.
    for part in [Self.head(ofBody: 10), Self.piece(10), .end(nil)] { try channel.writeInbound(part) }
    channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    try channel.throwIfErrorCaught()
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    // Its end does not come.
    for part in [Self.head(ofBody: 10), Self.piece(9)] { try channel.writeInbound(part) }
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    #expect(throws: SlowClient.self) { try channel.throwIfErrorCaught() }
    #expect(MetricsText.of(count.families).contains("gatehouse_http_slow_requests_total 1\n"))
  }

  @Test("a short body that came behind another request is read, and has its time from the answer to that")
  func pipelinedShort() throws {
    let (channel, reads, count) = try Self.connection()
    for part in [Self.head(.get), .end(nil), Self.head(ofBody: 10), Self.piece(9)] { try channel.writeInbound(part) }
    let before = reads.count
    channel.read()
    #expect(reads.count == before + 1)
    channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    try channel.throwIfErrorCaught()
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    channel.embeddedEventLoop.advanceTime(by: .seconds(9))
    try channel.throwIfErrorCaught()
    #expect(MetricsText.of(count.families).contains("gatehouse_http_slow_requests_total 0\n"))
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(throws: SlowClient.self) { try channel.throwIfErrorCaught() }
  }

  @Test("a body that came behind another request is asked for by its own, and has its time from then")
  func pipelined() throws {
    let (channel, reads, count) = try Self.connection()
    // A whole request, and the beginning of the next one, in one segment.
    for part in [Self.head(.get), .end(nil), Self.head(), Self.piece(10)] { try channel.writeInbound(part) }
    let before = reads.count
    channel.read()
    channel.triggerUserOutboundEvent(BodyReadRequest(), promise: nil)
    #expect(reads.count == before)
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    #expect(reads.count == before)
    channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    try channel.throwIfErrorCaught()
    #expect(MetricsText.of(count.families).contains("gatehouse_http_slow_requests_total 0\n"))
    channel.triggerUserOutboundEvent(BodyReadRequest(), promise: nil)
    #expect(reads.count == before + 1)
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    #expect(throws: SlowClient.self) { try channel.throwIfErrorCaught() }
  }

  @Test("a body that comes at the minimum rate is taken for as long as a body may take, and a slower one is not")
  func pace() throws {
    let (channel, _, count) = try Self.connection()
    try channel.writeInbound(Self.head())
    channel.triggerUserOutboundEvent(BodyReadRequest(), promise: nil)
    for _ in 1...5 {
      try channel.writeInbound(Self.piece(10_240))
      channel.embeddedEventLoop.advanceTime(by: .seconds(10))
      try channel.throwIfErrorCaught()
    }
    try channel.writeInbound(Self.piece(10_240))
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    #expect(throws: SlowClient.self) { try channel.throwIfErrorCaught() }

    let (slow, _, _) = try Self.connection()
    try slow.writeInbound(Self.head())
    slow.triggerUserOutboundEvent(BodyReadRequest(), promise: nil)
    try slow.writeInbound(Self.piece(10_239))
    slow.embeddedEventLoop.advanceTime(by: .seconds(10))
    #expect(throws: SlowClient.self) { try slow.throwIfErrorCaught() }
    #expect(MetricsText.of(count.families).contains("gatehouse_http_slow_requests_total 1\n"))
  }

  @Test("a body that has a place in memory comes as fast as the whole of it has to")
  func placedPace() throws {
    let megabyte = 1024 * 1024
    // Six windows of ten seconds: a sixth in each, or more before.
    for (pieces, isSlow) in [
      ([10_240], true), ([3, 2, 1, 1, 1].map { $0 * megabyte }, false), ([2, 1].map { $0 * megabyte / 2 }, true),
    ] {
      let (channel, _, _) = try Self.connection()
      try channel.writeInbound(Self.head())
      channel.triggerUserOutboundEvent(BodyReadRequest(place: 6 * megabyte), promise: nil)
      func play() throws {
        for piece in pieces {
          try channel.writeInbound(Self.piece(piece))
          channel.embeddedEventLoop.advanceTime(by: .seconds(10))
          try channel.throwIfErrorCaught()
        }
      }
      if isSlow { #expect(throws: SlowClient.self) { try play() } } else { try play() }
    }
  }

  @Test("a body that was not asked for has all the time that its proof takes")
  func waiting() throws {
    let (channel, _, _) = try Self.connection()
    try channel.writeInbound(Self.head())
    channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    try channel.throwIfErrorCaught()
    #expect(channel.isActive)
  }

  @Test("a connection that sends nothing after the rest of a refused body is not told that it was slow")
  func refusedEarly() throws {
    let (channel, _, _) = try Self.connection()
    try channel.writeInbound(Self.head())
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    _ = try channel.readOutbound(as: HTTPResponsePart.self)
    for part in [Self.piece(10), HTTPRequestPart.end(nil)] { channel.pipeline.fireChannelRead(part) }
    channel.pipeline.fireChannelReadComplete()
    channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    #expect(try channel.readOutbound(as: HTTPResponsePart.self) == nil)
    #expect(channel.isActive)
    // What comes then and is no head yet has its time.
    channel.pipeline.fireChannelReadComplete()
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    guard case .head(let head) = try channel.readOutbound(as: HTTPResponsePart.self) else {
      Issue.record("nothing was answered")
      return
    }
    #expect(head.status == .requestTimeout)
  }

  @Test("a client that trickles the head of a request is answered 408 and closed")
  func trickledHead() async throws {
    try await GuardedServer.run({ $0.headTime = .milliseconds(50) }) { server in
      let client = try await server.connect()
      try await client.send("GET /fine HTTP/1.1\r\nHo")
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 408") && answer.lowercased().contains("connection: close"), "\(answer)")
    }
  }

  @Test("a client that trickles a body is answered 408, not told to come again, and closed", arguments: [100_000, 10])
  func trickledBody(length: Int) async throws {
    try await GuardedServer.run({ $0.window = .milliseconds(50) }) { server in
      let client = try await server.post("/read", length: length, "abc")
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 408") && !answer.lowercased().contains("retry-after"), "\(answer)")
      #expect(answer.hasSuffix("request-timeout"))
      let counted = MetricsText.of(server.metrics.families)
      #expect(counted.contains(#"gatehouse_http_requests_total{method="POST",route="/read",status="408"} 1"#))
    }
  }

  @Test("a client that waits to be told to send its body is told when it is asked for, and not when it is refused")
  func awaited() async throws {
    try await GuardedServer.run { server in
      let head = "Host: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n"
      let client = try await server.connect()
      try await client.send("POST /read HTTP/1.1\r\n\(head)")
      #expect(await client.head() == "HTTP/1.1 100 Continue\r\n\r\n")
      try await client.send("abc")
      #expect(await client.head().hasPrefix("HTTP/1.1 200"))
      let other = try await server.connect()
      try await other.send("POST /refuse HTTP/1.1\r\n\(head)")
      #expect(await other.head().hasPrefix("HTTP/1.1 404"))
      // It did not wait, so that there is nothing to tell.
      let hasty = try await server.connect()
      try await hasty.send("POST /read HTTP/1.1\r\n\(head)abc")
      #expect(await hasty.head().hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("a client that trickles what is not read any more is closed")
  func trickledRest() async throws {
    try await GuardedServer.run({ $0.window = .milliseconds(50) }) { server in
      let client = try await server.post("/refuse", length: 100_000, "abc")
      #expect(await client.answer().hasPrefix("HTTP/1.1 404"))
    }
  }

  @Test("a target that is not ASCII is refused before the router, which would compare it with each of its routes")
  func target() throws {
    for (path, isTaken) in [("/caf%C3%A9?q=%CC%81", true), ("/caf\u{e9}", false), ("/fine?q=a\u{301}", false)] {
      let (channel, _, _) = try Self.connection()
      try channel.writeInbound(
        HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "https", authority: "h", path: path)))
      try channel.writeInbound(HTTPRequestPart.end(nil))
      #expect(try (channel.readInbound(as: HTTPRequestPart.self) != nil) == isTaken, "\(path)")
      guard case .head(let head) = try channel.readOutbound(as: HTTPResponsePart.self) else {
        #expect(isTaken, "\(path)")
        continue
      }
      #expect(!isTaken && head.status == .badRequest, "\(path)")
    }
  }

  @Test("words of the protocol are compared by their bytes, in either case")
  func tokens() {
    #expect("chunked".isToken("chunked") && "Chunked".isToken("chunked") && "100-CONTINUE".isToken("100-continue"))
    // The sign of Kelvin, whose lower case is a k, and a text that takes long to compare.
    for other in ["chun\u{212a}ed", "chunke", "chunkedd", "", "chunked\u{301}", "100\r" + "continue"] {
      #expect(!other.isToken("chunked") && !other.isToken("100-continue"), "\(other)")
    }
  }

  @Test("a network has a part of the connections, and this machine none")
  func networks() throws {
    var limits = ConnectionLimits()
    limits.ofNetworkMax = 2
    let count = ConnectionCount(limits)
    func connect(_ address: String) throws -> EmbeddedChannel {
      let channel = EmbeddedChannel()
      channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
      try channel.pipeline.syncOperations.addHandler(ConnectionGuard(count))
      try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
      return channel
    }
    func isRefused(_ channel: EmbeddedChannel) throws -> Bool {
      try channel.readOutbound(as: HTTPResponsePart.self) != nil
    }
    let first = try connect("192.0.2.1")
    #expect(try !isRefused(first) && !isRefused(connect("::ffff:192.0.2.2")))
    #expect(try isRefused(connect("192.0.2.3")))
    // Not even told.
    #expect(try !connect("192.0.2.4").isActive)
    #expect(try !isRefused(connect("192.0.3.1")) && !isRefused(connect("2001:db8::1")))
    for _ in 1...3 { #expect(try !isRefused(connect("127.0.0.1")) && !isRefused(connect("::1"))) }
    let place = try connect("198.51.100.1")
    #expect(try !isRefused(connect("198.51.100.2")))
    try place.close().wait()
    #expect(try !isRefused(connect("198.51.100.3")))
    limits.ofNetworkMax = nil
    #expect(ConnectionCount(limits).begin(from: "192.0.2.0/24") == .admitted)
  }

  @Test("one connection too many is answered 503 and closed; the others are served, and make room when they go")
  func full() async throws {
    // The test framework holds a connection of its own.
    try await GuardedServer.run({ $0.connectionsMax = 3 }) { server in
      let first = try await server.connect()
      let second = try await server.connect()
      for client in [first, second] {
        try await client.send("GET /fine HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(await client.head().hasPrefix("HTTP/1.1 200"))
      }
      let third = try await server.connect()
      // It is told before it asks.
      let answer = await third.answer()
      #expect(answer.hasPrefix("HTTP/1.1 503") && answer.lowercased().contains("retry-after: 1"), "\(answer)")
      try await first.close()
      try await server.connections.reach(2)
      let fourth = try await server.connect()
      try await fourth.send("GET /fine HTTP/1.1\r\nHost: h\r\n\r\n")
      #expect(await fourth.head().hasPrefix("HTTP/1.1 200"))
    }
  }
}
