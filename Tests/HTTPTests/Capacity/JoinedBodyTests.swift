// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: bodies in many small pieces", .storeless, .timeLimit(.minutes(1)))
struct JoinedBodyTests {
  private static let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"

  private static func connection() throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    let pipeline = channel.pipeline.syncOperations
    try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
    try pipeline.addHandlers([HTTP1ToHTTPServerCodec(secure: false), ConnectionGuard(ConnectionCount(.init()))])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return channel
  }

  /// What a reader is handed: bytes of a body by their count, and the other parts by their names.
  private static func parts(_ channel: EmbeddedChannel) throws -> [String] {
    var parts: [String] = []
    while let part = try channel.readInbound(as: HTTPRequestPart.self) {
      switch part {
      case .head: parts.append("head")
      case .body(let bytes): parts.append("\(bytes.readableBytes)")
      case .end: parts.append("end")
      }
    }
    return parts
  }

  @Test("chunks that came with one read are one piece, in their order and in their place")
  func joined() throws {
    let channel = try Self.connection()
    let chunks = String(repeating: "1\r\na\r\n", count: 5000)
    try channel.writeInbound(ByteBuffer(string: Self.head + chunks))
    #expect(try Self.parts(channel) == ["head", "5000"])
    try channel.writeInbound(ByteBuffer(string: "1\r\nb\r\n2\r\ncd\r\n"))
    guard case .body(let bytes) = try channel.readInbound(as: HTTPRequestPart.self) else {
      Issue.record("no piece")
      return
    }
    #expect(String(buffer: bytes) == "bcd")
    // The end of one request and the next one behind it.
    try channel.writeInbound(ByteBuffer(string: "1\r\na\r\n0\r\n\r\n" + Self.head + "1\r\na\r\n1\r\na\r\n"))
    #expect(try Self.parts(channel) == ["1", "end", "head", "2"])
  }

  @Test("what came of a body before its connection broke is handed on before the break")
  func broken() throws {
    let channel = try Self.connection()
    try channel.writeInbound(ByteBuffer(string: Self.head))
    channel.pipeline.fireChannelRead(ByteBuffer(string: "1\r\na\r\n1\r\na\r\n"))
    channel.pipeline.fireChannelInactive()
    #expect(try Self.parts(channel) == ["head", "2"])
  }

  @Test("what came of a body before it broke is handed on before the error")
  func malformed() throws {
    let channel = try Self.connection()
    let order = Order()
    try channel.pipeline.syncOperations.addHandler(order)
    try channel.writeInbound(ByteBuffer(string: Self.head))
    #expect(throws: HTTPParserError.self) { try channel.writeInbound(ByteBuffer(string: "1\r\na\r\n1\r\na\r\nx")) }
    #expect(order.seen == ["head", "body", "error"])
  }

  /// What comes to the end of a connection's handlers, in its order.
  private final class Order: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart

    private(set) var seen: [String] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head: seen.append("head")
      case .body: seen.append("body")
      case .end: seen.append("end")
      }
      context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      seen.append("error")
      context.fireErrorCaught(error)
    }
  }
}
