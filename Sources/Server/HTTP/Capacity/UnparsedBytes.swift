// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTP1

/// Bounds what the parser of HTTP/1 keeps of bytes that are no part of a request yet. Its own limits count the names
/// and values of fields, and not the blanks in front of a value (RFC 9112 §5), nor what follows a request that asks
/// for another protocol: it keeps all of that until the connection ends.
///
/// Stands in front of the parser, and `RequestFraming` behind it tells of each part. Refused like what the parser
/// refuses: 400, and closed.
final class UnparsedBytes: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// Twice what the names and values of a head may have.
  static let most = 64 * 1024

  /// What is dropped of a connection that was refused, and is closed a moment later: behind a last request that was
  /// answered nothing else ends it.
  static let droppedMost = 16 * 1024 * 1024

  /// Since the last part of a request.
  private var count = 0
  private var isOver = false

  func gavePart() { count = 0 }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    count += unwrapInboundIn(data).readableBytes
    guard !isOver else {
      if count > Self.droppedMost { context.close(promise: nil) }
      return
    }
    context.fireChannelRead(data)
    guard count > Self.most else { return }
    isOver = true
    context.fireErrorCaught(HTTPParserError.headerOverflow)
  }
}
