// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOPosix

/// One connection to a server on this machine, by its bytes.
struct RawClient: Sendable {
  private let channel: any Channel
  private let received: AsyncStream<ByteBuffer>

  /// - Parameter keepsOpen: whether it goes on when the server ends its side.
  init(_ port: Int, keepsOpen: Bool = false) async throws {
    let (received, heard) = AsyncStream.makeStream(of: ByteBuffer.self)
    self.received = received
    channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelOption(.allowRemoteHalfClosure, value: keepsOpen)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Listener(heard)) }
      }
      .connect(host: "localhost", port: port).get()
  }

  func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)).get() }

  func close() async throws { try await channel.close().get() }

  /// Everything until the server closes.
  func answer() async -> String {
    var all = ""
    for await piece in received { all += String(buffer: piece) }
    return all
  }

  /// What comes until there is a whole head of an answer.
  func head() async -> String {
    var all = ""
    for await piece in received {
      all += String(buffer: piece)
      if all.contains("\r\n\r\n") { break }
    }
    return all
  }

  private final class Listener: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let heard: AsyncStream<ByteBuffer>.Continuation

    init(_ heard: AsyncStream<ByteBuffer>.Continuation) { self.heard = heard }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { heard.yield(unwrapInboundIn(data)) }
    func channelInactive(context: ChannelHandlerContext) { heard.finish() }
    // The server may close while something is on its way to it.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
