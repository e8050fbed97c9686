// SPDX-License-Identifier: Apache-2.0

import NIOCore
import NIOHTTPTypes

/// Hands on the pieces of a body that came with one read as one. A client that sends chunks of one byte makes thousands
/// of pieces of a read of 32 KiB: each waits in a place of some 40 bytes, and the connection keeps the places until it
/// ends.
final class JoinedBody: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart

  private var bytes: ByteBuffer?

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .body(var piece) = unwrapInboundIn(data) else {
      handOn(context)
      return context.fireChannelRead(data)
    }
    if bytes == nil { bytes = piece } else { bytes?.writeBuffer(&piece) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    handOn(context)
    context.fireChannelReadComplete()
  }

  func channelInactive(context: ChannelHandlerContext) {
    handOn(context)
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    handOn(context)
    context.fireErrorCaught(error)
  }

  private func handOn(_ context: ChannelHandlerContext) {
    guard let bytes else { return }
    self.bytes = nil
    context.fireChannelRead(wrapInboundOut(.body(bytes)))
  }
}
