// SPDX-License-Identifier: Apache-2.0

import NIOCore

/// Gives up clients that stop reading.
///
/// What is written waits while the network takes nothing more, and the writer waits with it. Without an end to
/// that, an answer that goes on would hold its place for as long as such a client stays.
package final class StalledClient: ChannelInboundHandler, RemovableChannelHandler {
  package typealias InboundIn = NIOAny

  /// For so long a connection may take nothing of what waits for it. A client that reads takes some.
  package static let stillnessMax = TimeAmount.seconds(30)
  /// Looks in that time.
  private static let looks = 6

  private let pause: TimeAmount
  private var look: Scheduled<Void>?

  package init(_ stillnessMax: TimeAmount = stillnessMax) {
    pause = .nanoseconds(stillnessMax.nanoseconds / Int64(Self.looks))
  }

  package func channelWritabilityChanged(context: ChannelHandlerContext) {
    if context.channel.isWritable {
      cancel()
    } else if look == nil {
      watch(context.channel, waiting: Self.waiting(in: context.channel), left: Self.looks)
    }
    context.fireChannelWritabilityChanged()
  }

  package func channelInactive(context: ChannelHandlerContext) {
    cancel()
    context.fireChannelInactive()
  }

  package func handlerRemoved(context: ChannelHandlerContext) { cancel() }

  /// Closes a connection of which as much waits for so many looks on end. Nothing else says that some went out: it is
  /// writable again only when nearly all did, which takes long when much was written at once.
  private func watch(_ channel: any Channel, waiting before: Int?, left: Int) {
    look = channel.eventLoop.assumeIsolated().scheduleTask(in: pause) { [self] in
      let now = Self.waiting(in: channel)
      if now != before {
        watch(channel, waiting: now, left: Self.looks)
      } else if left > 1 {
        watch(channel, waiting: now, left: left - 1)
      } else {
        channel.close(promise: nil)
      }
    }
  }

  /// Bytes that the network has not taken. A stream of HTTP/2 does not tell: it is writable again whenever its client
  /// took some.
  private static func waiting(in channel: any Channel) -> Int? {
    channel.isStream ? nil : try? channel.syncOptions?.getOption(.bufferedWritableBytes)
  }

  private func cancel() {
    look?.cancel()
    look = nil
  }
}
