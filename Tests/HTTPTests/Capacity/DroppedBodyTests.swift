// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: what is read of a body that no handler wants", .storeless, .timeLimit(.minutes(1)))
struct DroppedBodyTests {
  /// Counts what is read from the network.
  private final class Reads: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart

    var count = 0

    func read(context: ChannelHandlerContext) {
      count += 1
      context.read()
    }

    /// An embedded channel does not know of one half that is closed: it would be closed whole.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      if mode == .all { context.close(mode: mode, promise: promise) } else { promise?.succeed() }
    }
  }

  /// A connection that drops 1,000 bytes of a body.
  private static func connection() throws -> (EmbeddedChannel, Reads) {
    var limits = ConnectionLimits()
    limits.droppedMax = 1000
    let reads = Reads()
    let channel = EmbeddedChannel(handlers: [reads, ConnectionGuard(ConnectionCount(limits))])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return (channel, reads)
  }

  private static func head(_ path: String = "/", isLast: Bool = false) -> HTTPRequestPart {
    var fields: HTTPFields = [.contentLength: "100000"]
    if isLast { fields[.connection] = "close" }
    return .head(HTTPRequest(method: .post, scheme: "http", authority: "h", path: path, headerFields: fields))
  }

  private static func piece(_ count: Int) -> HTTPRequestPart { .body(ByteBuffer(repeating: 1, count: count)) }

  @Test("of a body that was refused unread a part is read and dropped, then a piece a pause: the connection ends")
  func refused() throws {
    let (channel, reads) = try Self.connection()
    try channel.writeInbound(Self.head())
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    try channel.writeInbound(Self.piece(1000))
    let before = reads.count
    channel.read()
    #expect(reads.count == before + 1)
    // A client that sends all before it reads would lose its answer to a reset, if what it sends were left unread.
    for more in 0..<10 {
      try channel.writeInbound(Self.piece(1))
      channel.read()
      #expect(reads.count == before + 1 + more)
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(20))
      #expect(reads.count == before + 2 + more && channel.isActive)
    }
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    #expect(!channel.isActive)
    #expect(reads.count == before + 11)
  }

  @Test("each body has its own part, which does not count what was read before the answer")
  func next() throws {
    let (channel, reads) = try Self.connection()
    for _ in 1...2 {
      try channel.writeInbound(Self.head())
      channel.triggerUserOutboundEvent(BodyReadRequest(), promise: nil)
      try channel.writeInbound(Self.piece(2000))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
      for part in [Self.piece(900), .end(nil)] { try channel.writeInbound(part) }
    }
    let before = reads.count
    channel.read()
    #expect(reads.count == before + 1 && channel.isActive)
  }

  @Test("of a client's last request as much is read and dropped, although nothing behind asks for it")
  func last() throws {
    let (channel, reads) = try Self.connection()
    try channel.writeInbound(Self.head(isLast: true))
    let before = reads.count
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    #expect(reads.count > before)
    var seen = reads.count
    for _ in 1...10 {
      try channel.writeInbound(Self.piece(100))
      #expect(reads.count > seen)
      seen = reads.count
    }
    // The head went on, and nothing of the body.
    #expect(try channel.readInbound(as: HTTPRequestPart.self) != nil)
    #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
    try channel.writeInbound(Self.piece(1))
    seen = reads.count
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(20))
    #expect(reads.count == seen + 1 && channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(10))
    #expect(reads.count == seen + 1 && !channel.isActive)
  }

  @Test("what follows a client's last request is no request, and nothing more is read")
  func behindLast() throws {
    let (channel, reads) = try Self.connection()
    for part in [Self.head(isLast: true), .end(nil), Self.head("/second"), .end(nil)] { try channel.writeInbound(part) }
    var heads = 0
    while let part = try channel.readInbound(as: HTTPRequestPart.self) {
      if case .head = part { heads += 1 }
    }
    #expect(heads == 1)
    try channel.writeOutbound(HTTPResponsePart.end(nil))
    let before = reads.count
    channel.read()
    #expect(reads.count == before)
  }

  @Test("of the body of a connection that was given up no more is read than of one that was refused")
  func givenUp() throws {
    let (channel, reads) = try Self.connection()
    try channel.writeInbound(Self.head("/\u{e9}"))
    let before = reads.count
    channel.read()
    #expect(reads.count == before + 1)
    try channel.writeInbound(Self.piece(1001))
    channel.read()
    #expect(reads.count == before + 1)
  }

  /// The network of a client that takes nothing.
  private final class Stuck: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart

    var waiting: [EventLoopPromise<Void>] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      if let promise { waiting.append(promise) }
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      if mode == .all { context.close(mode: mode, promise: promise) } else { promise?.succeed() }
    }
  }

  /// A connection that is given up, and is told so.
  private static func stuck() throws -> (EmbeddedChannel, Stuck) {
    let stuck = Stuck()
    let channel = EmbeddedChannel(handlers: [stuck, ConnectionGuard(ConnectionCount(ConnectionLimits()))])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let head = HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/\u{e9}")
    try channel.writeInbound(HTTPRequestPart.head(head))
    #expect(stuck.waiting.count == 1 && channel.isActive)
    return (channel, stuck)
  }

  @Test(
    "a client that takes nothing of its last answer is not waited for, and later answers give it no more time",
    arguments: [false, true])
  func untaken(isTaken: Bool) throws {
    let (channel, stuck) = try Self.stuck()
    if isTaken { stuck.waiting.removeFirst().succeed() }
    let (time, step) = isTaken ? (TimeAmount.seconds(1), 400) : (.seconds(30), 12_000)
    // More answers come meanwhile.
    for _ in 1...2 {
      channel.embeddedEventLoop.advanceTime(by: .milliseconds(Int64(step)))
      channel.pipeline.writeAndFlush(HTTPResponsePart.end(nil), promise: nil)
      if isTaken { stuck.waiting.removeFirst().succeed() }
    }
    channel.embeddedEventLoop.advanceTime(by: time - .milliseconds(Int64(2 * step + 1)))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(!channel.isActive)
    for promise in stuck.waiting { promise.fail(ChannelError.ioOnClosedChannel) }
  }

  @Test("a large last answer may take longer, until less of it waits than is looked after")
  func large() throws {
    let (channel, stuck) = try Self.stuck()
    channel.isWritable = false
    channel.embeddedEventLoop.advanceTime(by: .seconds(100))
    #expect(channel.isActive)
    channel.isWritable = true
    channel.embeddedEventLoop.advanceTime(by: .seconds(30))
    #expect(!channel.isActive)
    for promise in stuck.waiting { promise.fail(ChannelError.ioOnClosedChannel) }
  }

  @Test("a last request is named by a list of words in either case, and goes on as Hummingbird knows it")
  func named() throws {
    for (value, isLast) in [
      ("close", true), ("Close", true), ("CLOSE, te", true), ("keep-alive ,\tclose", true), ("te,close", true),
      ("keep-alive", false), ("closed", false), ("te, not-close", false), ("", false),
    ] {
      let (channel, _) = try Self.connection()
      let fields: HTTPFields = [.contentLength: "0", .connection: value]
      for path in ["/first", "/second"] {
        let head = HTTPRequest(method: .post, scheme: "http", authority: "h", path: path, headerFields: fields)
        for part in [HTTPRequestPart.head(head), .end(nil)] { try channel.writeInbound(part) }
      }
      var heads: [HTTPRequest] = []
      while let part = try channel.readInbound(as: HTTPRequestPart.self) {
        if case .head(let head) = part { heads.append(head) }
      }
      #expect(heads.count == (isLast ? 1 : 2), "\(value)")
      #expect(heads.first?.headerFields[.connection] == (isLast ? "close" : value), "\(value)")
    }
  }
}
