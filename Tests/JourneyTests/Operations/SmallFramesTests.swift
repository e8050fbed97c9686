// SPDX-License-Identifier: Apache-2.0

import HTTP
import NIOCore
import NIOEmbedded
import NIOTLS
import TestSupport
import Testing

@testable import ServerTLS

@Suite("Operations: small frames of HTTP/2", .storeless)
struct SmallFramesTests {
  private static let preface = ByteBuffer(string: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
  private static let update = frame(0x8, stream: 1, 4)
  private static let byte = frame(0x0, stream: 1, 1)

  private static func frame(_ kind: UInt8, flags: UInt8 = 0, stream: UInt32, _ length: Int) -> ByteBuffer {
    var frame = ByteBuffer()
    frame.writeMultipleIntegers(UInt8(length >> 16), UInt16(truncatingIfNeeded: length), kind, flags, stream)
    // Payloads that look like heads of small frames.
    frame.writeRepeatingByte(0x8, count: length)
    return frame
  }

  private static func joined(_ pieces: [ByteBuffer]) -> ByteBuffer {
    pieces.reduce(into: ByteBuffer()) { $0.writeImmutableBuffer($1) }
  }

  @Test("updates of a stream's window count, and short DATA that does not end its stream, in whatever pieces they come")
  func counted() {
    let frames = [
      Self.preface, Self.frame(0x4, stream: 0, 0), Self.frame(0x1, flags: 4, stream: 1, 90), Self.update,
      Self.frame(0x8, stream: 0, 4), Self.byte, Self.frame(0x0, stream: 1, 63), Self.frame(0x0, stream: 1, 64),
      Self.frame(0x0, stream: 1, 16_384), Self.frame(0x0, flags: 1, stream: 1, 1), Self.frame(0x6, stream: 0, 8),
      Self.frame(0x8, stream: 0x8000_0000, 4), Self.frame(0x8, stream: 0x8000_0003, 4), Self.frame(0x3, stream: 3, 4),
    ]
    var bytes = Self.joined(frames)
    var whole = SmallFrames()
    whole.receive(bytes)
    #expect(whole.count == 4)
    var trickled = SmallFrames()
    while let byte = bytes.readSlice(length: 1) { trickled.receive(byte) }
    #expect(trickled.count == 4)
  }

  @Test("what is sent makes up for them: each piece for one, and one more for each KiB")
  func madeUp() {
    var frames = SmallFrames()
    frames.receive(Self.joined([Self.preface] + Array(repeating: Self.update, count: 20)))
    frames.send(9)
    #expect(frames.count == 19)
    frames.send(16_384)
    #expect(frames.count == 2)
    frames.send(65_536)
    #expect(frames.count == 0)
  }

  @Test("a connection of HTTP/2 that sends more than it may is closed; one of a proxy may send more, and HTTP/1.1 any")
  func closed() throws {
    for (most, chosen, piece) in [
      (SmallFrames.most, "h2", Self.update), (SmallFrames.most, "h2", Self.byte),
      (SmallFrames.mostOfProxy, "h2", Self.byte), (SmallFrames.most, "http/1.1", Self.byte),
    ] {
      let count = ConnectionCount(ConnectionLimits())
      let channel = EmbeddedChannel()
      try channel.pipeline.syncOperations.addHandler(
        SecureConnectionGuard(
          handshakeTime: .seconds(10), isTaken: true, abandoned: AbandonedStreams(count, from: nil),
          smallFramesMost: most))
      channel.connect(to: try SocketAddress(ipAddress: "192.0.2.1", port: 1), promise: nil)
      channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: chosen))
      try channel.writeInbound(Self.joined([Self.preface] + Array(repeating: piece, count: most)))
      #expect(channel.isActive)
      // An answer makes up for as many, and so may another one come for each.
      let answered = 3
      for _ in 0..<answered { try channel.writeOutbound(ByteBuffer(string: "a")) }
      try channel.writeInbound(Self.joined(Array(repeating: piece, count: answered)))
      #expect(channel.isActive)
      while try channel.readInbound(as: ByteBuffer.self) != nil {}
      try channel.writeInbound(piece)
      #expect(channel.isActive == (chosen != "h2"))
      #expect(try (channel.readInbound(as: ByteBuffer.self) == nil) == (chosen == "h2"))
      let closed = chosen == "h2" ? 1 : 0
      #expect(
        PrometheusText.page(count.families).contains("gatehouse_http_connections_abandoning_total \(closed)\n"))
    }
  }
}
