import HTTP
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Kit
import Logging
import NIOCore
import NIOHTTPTypes
import NIOSSL
import NIOTLS

extension HTTPServerBuilder {
  /// HTTP/1.1 over TLS, or HTTP/2 where the client chooses it (RFC 9113 §3.2).
  /// - Parameters:
  ///   - handshakeTime: a client that takes longer is given up: before it there is no request whose head could be late.
  ///   - stream: of a connection of HTTP/1.1, and of each stream of HTTP/2.
  static func secure(
    _ certificate: ServerCertificate, handshakeTime: Duration, stream: HTTP1Channel.Configuration
  ) -> HTTPServerBuilder {
    HTTPServerBuilder { responder in
      var own = stream
      own.additionalChannelHandlers = { [SecureFields()] + stream.additionalChannelHandlers() }
      let base = try HTTP2UpgradeChannel(
        tlsConfiguration: certificate.configuration,
        configuration: .init(
          idleTimeout: .seconds(60), gracefulCloseTimeout: .seconds(30), streamConfiguration: own),
        responder: responder)
      return SecureChannel(base: base, handshakeTime: handshakeTime)
    }
  }
}

/// A connection whose handshake has to come in time.
private struct SecureChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base
  let handshakeTime: Duration

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { value in
      try channel.pipeline.syncOperations.addHandler(HandshakeLimit(TimeAmount(handshakeTime)))
      return value
    }
  }

  func handle(value: Base.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}

/// Closes a connection whose handshake does not end in time.
final class HandshakeLimit: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = NIOAny

  private let time: TimeAmount
  private var timer: Scheduled<Void>?

  init(_ time: TimeAmount) { self.time = time }

  func handlerAdded(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { channel.close(promise: nil) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case .handshakeCompleted = event as? TLSUserEvent { cancel() }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    cancel()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { cancel() }

  private func cancel() {
    timer?.cancel()
    timer = nil
  }
}

/// The fields of an answer that depend on how it is sent: every one over TLS asks for TLS the next time
/// (RFC 6797 §7.1), and one over HTTP/2 says nothing about the connection, which RFC 9113 §8.2.2 forbids.
final class SecureFields: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data), head.status.kind != .informational else {
      return context.write(data, promise: promise)
    }
    head.headerFields[.strictTransportSecurity] = "max-age=31536000"
    if context.channel.isStream {
      head.headerFields[.connection] = nil
      head.headerFields[.transferEncoding] = nil
    }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
