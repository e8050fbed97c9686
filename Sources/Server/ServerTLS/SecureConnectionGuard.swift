// SPDX-License-Identifier: Apache-2.0

import HTTP
import NIOCore
import NIOTLS

/// Closes a connection over TLS whose handshake does not end in time, and one of HTTP/2 that has no stream for a while,
/// abandons too many or sends too many small frames.
///
/// Hummingbird's own timer asks such a client of HTTP/2 to leave (GOAWAY and PING, RFC 9113 §6.8) and closes when the
/// client has answered. This one waits for no answer. Connections of HTTP/1.1 have a timer of their own.
final class SecureConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = IOData
  typealias OutboundOut = IOData

  /// Half a minute after Hummingbird asks.
  static let streamlessTime = TimeAmount.seconds(90)

  let abandoned: AbandonedStreams
  private let handshakeTime: TimeAmount
  private let isTaken: Bool
  private let smallFramesMost: Int
  /// Nil where another protocol was chosen.
  private var smallFrames: SmallFrames?
  /// Whether it is being closed, for its streams or frames: the streams that its last bytes begin are not taken.
  private var isOver = false
  private var streams = 0
  private var timer: Scheduled<Void>?

  /// - Parameters:
  ///   - isTaken: false when there is no room for it: it is closed at once.
  ///   - smallFramesMost: more than these, and it is closed.
  init(
    handshakeTime: Duration, isTaken: Bool, abandoned: AbandonedStreams, smallFramesMost: Int = SmallFrames.most
  ) {
    (self.handshakeTime, self.isTaken, self.abandoned) = (TimeAmount(handshakeTime), isTaken, abandoned)
    self.smallFramesMost = smallFramesMost
  }

  func handlerAdded(context: ChannelHandlerContext) {
    close(context.channel, in: handshakeTime)
    if !isTaken, context.channel.isActive { context.close(promise: nil) }
  }

  func channelActive(context: ChannelHandlerContext) {
    guard isTaken else { return context.close(promise: nil) }
    context.fireChannelActive()
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted(let chosen) = event as? TLSUserEvent {
      cancel()
      if chosen == "h2" {
        smallFrames = SmallFrames()
        close(context.channel, in: Self.streamlessTime)
      }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // The end of TLS waits for the client's, which may go on with its streams meanwhile.
    guard !isOver else { return }
    smallFrames?.receive(unwrapInboundIn(data))
    if let count = smallFrames?.count, count > smallFramesMost { return end(context.channel) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if smallFrames != nil { smallFrames?.send(unwrapOutboundIn(data).readableBytes) }
    context.write(data, promise: promise)
  }

  func channelInactive(context: ChannelHandlerContext) {
    cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { cancel() }

  /// - Parameters:
  ///   - stream: a channel of the same event loop.
  ///   - connection: that of the stream, and of this handler.
  /// - Returns: false when it is to be closed unheard.
  func streamOpened(_ stream: any Channel, of connection: any Channel) -> Bool {
    closeIfOver(connection)
    guard !isOver else { return false }
    streams += 1
    cancel()
    let name = ObjectIdentifier(stream)
    stream.closeFuture.assumeIsolated().whenComplete { [self] _ in
      streams -= 1
      abandoned.closed(name)
      if streams == 0, connection.isActive, !isOver { close(connection, in: Self.streamlessTime) }
    }
    return true
  }

  /// A stream that was opened has become inactive. Told at once: `closeFuture` waits until all that came together was
  /// read, which may be hundreds of streams, each with its reset.
  /// - Parameter isAnswered: nil where this node ended it without an answer.
  func streamEnded(_ stream: any Channel, of connection: any Channel, isAnswered: Bool?) {
    abandoned.ended(ObjectIdentifier(stream), isAnswered: isAnswered)
    closeIfOver(connection)
  }

  private func closeIfOver(_ connection: any Channel) {
    if !isOver, abandoned.isOver { end(connection) }
  }

  private func end(_ connection: any Channel) {
    isOver = true
    // Streams end with a connection that their client closed, too: that is no close of this node.
    if connection.isActive { abandoned.closed() }
    connection.close(promise: nil)
  }

  private func close(_ channel: any Channel, in time: TimeAmount) {
    cancel()
    timer = channel.eventLoop.assumeIsolated().scheduleTask(in: time) { channel.close(promise: nil) }
  }

  private func cancel() {
    timer?.cancel()
    timer = nil
  }
}
