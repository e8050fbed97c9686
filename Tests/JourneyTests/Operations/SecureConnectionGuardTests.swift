// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import NIOCore
import NIOEmbedded
import NIOTLS
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: connections over TLS that do nothing", .storeless)
struct SecureConnectionGuardTests {
  private static let address = "192.0.2.1"

  /// A connection that was accepted, with a handler behind the guard that keeps the end of the handshake to itself.
  private static func connection(_ count: ConnectionCount = ConnectionCount(ConnectionLimits())) throws
    -> EmbeddedChannel
  {
    let channel = EmbeddedChannel()
    let address = try SocketAddress(ipAddress: address, port: 1)
    channel.remoteAddress = address
    let guarding = SecureConnectionGuard(handshakeTime: .seconds(10), isTaken: count.takes(channel))
    try channel.pipeline.syncOperations.addHandler(guarding)
    channel.connect(to: address, promise: nil)
    return channel
  }

  private static func shakeHands(_ channel: EmbeddedChannel, _ chosen: String?) {
    channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: chosen))
  }

  @Test("a handshake has its time, and a connection of HTTP/1.1 has no limit afterwards here")
  func handshake() throws {
    let silent = try Self.connection()
    silent.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(silent.isActive)
    silent.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!silent.isActive)
    for chosen in ["http/1.1", nil] {
      let channel = try Self.connection()
      Self.shakeHands(channel, chosen)
      channel.embeddedEventLoop.advanceTime(by: .hours(1))
      #expect(channel.isActive)
    }
  }

  @Test("a connection of HTTP/2 ends when it had no stream for a minute and a half, whatever the client answers")
  func streamless() throws {
    let idle = try Self.connection()
    Self.shakeHands(idle, "h2")
    idle.embeddedEventLoop.advanceTime(by: .seconds(89))
    #expect(idle.isActive)
    idle.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!idle.isActive)

    let busy = try Self.connection()
    Self.shakeHands(busy, "h2")
    let guarding = try busy.pipeline.syncOperations.handler(type: SecureConnectionGuard.self)
    let streams = [1, 2].map { _ in EmbeddedChannel(loop: busy.embeddedEventLoop) }
    for stream in streams {
      stream.connect(to: try SocketAddress(ipAddress: Self.address, port: 1), promise: nil)
      guarding.streamOpened(stream, of: busy)
    }
    busy.embeddedEventLoop.advanceTime(by: .hours(1))
    #expect(busy.isActive)
    streams[0].close(promise: nil)
    busy.embeddedEventLoop.advanceTime(by: .hours(1))
    #expect(busy.isActive)
    streams[1].close(promise: nil)
    busy.embeddedEventLoop.advanceTime(by: .seconds(89))
    #expect(busy.isActive)
    busy.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!busy.isActive)
  }

  @Test("connections are counted before their handshake, by network too, and those beyond a quarter more are closed")
  func counted() throws {
    for byNetwork in [false, true] {
      var limits = ConnectionLimits()
      (limits.connectionsMax, limits.ofNetworkMax) = byNetwork ? (2048, 4) : (4, nil)
      let count = ConnectionCount(limits)
      func isCounted(_ open: Int, refused: Int) -> Bool {
        let text = PrometheusText.page(count.families)
        return text.contains("gatehouse_tls_connections \(open)\n")
          && text.contains("gatehouse_http_connections_refused_total \(refused)\n")
          && text.contains("gatehouse_http_connections 0\n")
      }
      let first = try (1...6).map { _ in try Self.connection(count) }
      #expect(first.allSatisfy(\.isActive) && isCounted(6, refused: 0))
      let seventh = try Self.connection(count)
      #expect(!seventh.isActive)
      seventh.embeddedEventLoop.run()
      #expect(isCounted(6, refused: 1))
      first[0].close(promise: nil)
      first[0].embeddedEventLoop.run()
      #expect(isCounted(5, refused: 1))
      #expect(try Self.connection(count).isActive)
    }
  }
}
