// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOEmbedded
import NIOHTTP1
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: what a parser keeps of bytes that are no part of a request", .storeless, .timeLimit(.minutes(1)))
struct UnparsedBytesTests {
  private static func connection() throws -> (EmbeddedChannel, UnparsedBytes) {
    let unparsed = UnparsedBytes()
    let channel = EmbeddedChannel(handler: unparsed)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    return (channel, unparsed)
  }

  private static func blanks(_ count: Int) -> ByteBuffer { ByteBuffer(repeating: UInt8(ascii: " "), count: count) }

  @Test("they are counted from the last part, and beyond the maximum nothing more reaches the parser")
  func counted() throws {
    let (channel, unparsed) = try Self.connection()
    for _ in 1...3 {
      try channel.writeInbound(Self.blanks(UnparsedBytes.most))
      #expect(try channel.readInbound(as: ByteBuffer.self)?.readableBytes == UnparsedBytes.most)
      unparsed.gavePart()
    }
    try channel.writeInbound(Self.blanks(UnparsedBytes.most))
    #expect(throws: HTTPParserError.headerOverflow) { try channel.writeInbound(Self.blanks(1)) }
    #expect(try channel.readInbound(as: ByteBuffer.self) != nil)
    #expect(try channel.readInbound(as: ByteBuffer.self) != nil)
    try channel.writeInbound(Self.blanks(1000))
    #expect(try channel.readInbound(as: ByteBuffer.self) == nil)
    #expect(channel.isActive)
  }

  @Test("a client that goes on without end is closed")
  func closed() throws {
    let (channel, _) = try Self.connection()
    #expect(throws: HTTPParserError.headerOverflow) { try channel.writeInbound(Self.blanks(UnparsedBytes.most + 1)) }
    try channel.writeInbound(Self.blanks(UnparsedBytes.droppedMost))
    #expect(!channel.isActive)
  }
}
