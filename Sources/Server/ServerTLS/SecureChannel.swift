// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import Kit
import Logging
import NIOCore
import NIOHTTPTypes
import NIOSSL

extension CertificateFiles {
  package func server(
    connections: ConnectionCount, handshakeTime: Duration, stream: HTTP1Channel.Configuration
  ) -> HTTPServerBuilder {
    HTTPServerBuilder { [self] responder in
      var own = stream
      let strict = settings.strictTransportSecurity
      own.additionalChannelHandlers = { [SecureFields(strict)] + stream.additionalChannelHandlers() }
      let base = try HTTP2UpgradeChannel(
        tlsConfiguration: configuration,
        configuration: .init(
          idleTimeout: .seconds(60), gracefulCloseTimeout: .seconds(30), streamConfiguration: own),
        responder: responder)
      return SecureChannel(base: base, connections: connections, handshakeTime: handshakeTime)
    }
  }
}

/// A connection that is counted, whose handshake has to come in time, and that ends when nothing is asked in it.
private struct SecureChannel<Base: ServerChildChannel>: ServerChildChannel {
  let base: Base
  let connections: ConnectionCount
  let handshakeTime: Duration

  struct Value: ServerChildChannelValue {
    let base: Base.Value
    let abandoned: AbandonedStreams

    var channel: any Channel { base.channel }
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    base.setup(channel: channel, logger: logger).flatMapThrowing { value in
      let abandoned = AbandonedStreams(connections, from: ConnectionCount.network(of: channel))
      let pipeline = channel.pipeline.syncOperations
      // Before the handler that chooses the protocol, which keeps the end of the handshake to itself.
      let tls = try pipeline.handler(type: NIOSSLServerHandler.self)
      let guarding = SecureConnectionGuard(
        handshakeTime: handshakeTime, isTaken: connections.takes(channel), abandoned: abandoned,
        smallFramesMost: connections.limits.ofNetworkMax == nil ? SmallFrames.mostOfProxy : SmallFrames.most)
      try pipeline.addHandler(guarding, position: .after(tls))
      return Value(base: value, abandoned: abandoned)
    }
  }

  /// Returns when the tasks of all its streams have.
  func handle(value: Value, logger: Logger) async {
    await AbandonedStreams.$current.withValue(value.abandoned) { await base.handle(value: value.base, logger: logger) }
    value.abandoned.done()
  }
}

/// The fields of an answer that depend on how it is sent: every one over TLS asks for TLS the next time
/// (RFC 6797 §7.1), and one over HTTP/2 says nothing about the connection, which RFC 9113 §8.2.2 forbids.
///
/// A stream that its connection does not take is closed before anything is made of its request.
final class SecureFields: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let strictTransportSecurity: String
  /// Whether the whole answer was written; nil once this node ends the stream without one: it has no work with it then.
  private var isAnswered: Bool? = false
  private var isTaken = true
  /// That of the connection; nil for what is no stream.
  private var guarding: SecureConnectionGuard?

  init(_ strictTransportSecurity: String) { self.strictTransportSecurity = strictTransportSecurity }

  func handlerAdded(context: ChannelHandlerContext) {
    guard context.channel.isStream, let connection = context.channel.parent else { return }
    guarding = try? connection.pipeline.syncOperations.handler(type: SecureConnectionGuard.self)
    isTaken = guarding?.streamOpened(context.channel, of: connection) ?? true
  }

  func channelActive(context: ChannelHandlerContext) {
    if !isTaken { context.close(promise: nil) }
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard isTaken else { return }
    // What is answered by then, as where the node is full, gets no task.
    if isAnswered == false, case .head = unwrapInboundIn(data) {
      guarding?.abandoned.taskBegan(ObjectIdentifier(context.channel))
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    if let connection = context.channel.parent {
      guarding?.streamEnded(context.channel, of: connection, isAnswered: isAnswered)
    }
    context.fireChannelInactive()
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode == .all, isAnswered == false { isAnswered = nil }
    context.close(mode: mode, promise: promise)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    if case .end = part { isAnswered = true }
    guard case .head(var head) = part, head.status.kind != .informational else {
      return context.write(data, promise: promise)
    }
    head.headerFields[.strictTransportSecurity] = strictTransportSecurity
    if context.channel.isStream {
      head.headerFields[.connection] = nil
      head.headerFields[.transferEncoding] = nil
    }
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
