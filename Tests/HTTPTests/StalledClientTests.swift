// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import TestSupport
import Testing

@Suite("HTTP: clients that stop reading", .storeless, .timeLimit(.minutes(1)))
struct StalledClientTests {
  @Test("an answer that goes on is given up when its client stays and takes nothing")
  func stalled() async throws {
    let (ended, end) = AsyncStream.makeStream(of: Void.self)
    let router = Router()
    router.get("endless") { _, _ in
      Response(
        status: .ok,
        body: ResponseBody { writer in
          let part = ByteBuffer(repeating: 46, count: 64 * 1024)
          defer { end.yield() }
          while true { try await writer.write(part) }
        })
    }
    let app = Application(
      router: router,
      server: .http1(configuration: .init(additionalChannelHandlers: [StalledClient(.milliseconds(300))])))
    try await app.serve { client in
      let port = try #require(client.port)
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelOption(.autoRead, value: false)
        .connect(host: "localhost", port: port).get()
      try await channel.writeAndFlush(ByteBuffer(string: "GET /endless HTTP/1.1\r\nHost: localhost\r\n\r\n")).get()
      for await _ in ended { break }
      try await channel.close().get()
    }
  }

  @Test("an answer that is larger than what the network holds reaches a client that reads")
  func read() async throws {
    let size = 8 * 1024 * 1024
    let router = Router()
    router.get("large") { _, _ in
      Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 46, count: size)))
    }
    let app = Application(
      router: router,
      server: .http1(configuration: .init(additionalChannelHandlers: [StalledClient(.seconds(20))])))
    try await app.serve { client in
      let answer = try await client.execute(uri: "/large", method: .get)
      #expect(answer.body.readableBytes == size)
    }
  }

  @Test("a client that reads slowly, for longer than one may stand still, gets all of a large answer")
  func slow() async throws {
    let size = 16 * 1024 * 1024
    let router = Router()
    router.get("large") { _, _ in
      Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(repeating: 46, count: size)))
    }
    let app = Application(
      router: router,
      server: .http1(configuration: .init(additionalChannelHandlers: [StalledClient(.seconds(1))])))
    let (parts, heard) = AsyncStream.makeStream(of: Int.self)
    try await app.serve { client in
      let port = try #require(client.port)
      let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelOption(.autoRead, value: false)
        .channelOption(.maxMessagesPerRead, value: 1)
        .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 64 * 1024))
        .channelOption(.socketOption(.so_rcvbuf), value: 512 * 1024)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(SlowReader(heard)) }
        }
        .connect(host: "localhost", port: port).get()
      let begun = ContinuousClock.now
      try await channel.writeAndFlush(
        ByteBuffer(string: "GET /large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      ).get()
      var count = 0
      for await bytes in parts { count += bytes }
      #expect(count > size)
      #expect(ContinuousClock.now - begun > .seconds(2), "or it shows nothing")
    }
  }

  /// Reads at most 64 KiB each 10 milliseconds, until the other end closes.
  private final class SlowReader: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let heard: AsyncStream<Int>.Continuation

    init(_ heard: AsyncStream<Int>.Continuation) { self.heard = heard }

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      heard.yield(unwrapInboundIn(data).readableBytes)
      let channel = context.channel
      context.eventLoop.scheduleTask(in: .milliseconds(10)) { channel.read() }
    }

    func channelInactive(context: ChannelHandlerContext) { heard.finish() }
  }
}
