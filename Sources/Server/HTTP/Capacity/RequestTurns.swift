// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Holds each request of one connection until its turn: its head, and so much of its body as is read unasked. Nothing
/// else has looked at it until then, so that waiting costs the node no more than reading the head did.
///
/// A request that follows another one on the same connection waits until that one is answered. Those of clients of this
/// machine do not wait.
final class RequestTurns: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Parts of requests. Each may keep the whole of the buffer that it was read into.
  static let heldMax = 10

  private let turns: Turns
  /// Which header a trusted proxy names the client in.
  private let header: ForwardedHeader?
  /// Of the request that waits or is worked on.
  private var id: Int?
  private var isWaiting = false
  /// Requests that were let in and not answered yet: more than one of a client of this machine alone.
  private var unanswered = 0
  private var held = CircularBuffer<HTTPRequestPart>()
  /// Whether a whole request is held.
  private var isWhole = false
  private var isReadDue = false
  /// Whether the client said that it sends nothing more while a request was held.
  private var isInputClosed = false

  init(_ turns: Turns, header: ForwardedHeader?) { (self.turns, self.header) = (turns, header) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = unwrapInboundIn(data)
    guard held.isEmpty else { return hold(part) }
    guard case .head(let head) = part else { return context.fireChannelRead(data) }
    if let network = network(of: head, context) {
      guard unanswered == 0, isIn(network, context) else { return hold(part) }
    }
    unanswered += 1
    context.fireChannelRead(data)
  }

  /// Whether nothing more is read until the turn of what is held.
  private var isFull: Bool { isWhole || held.count >= Self.heldMax }

  private func hold(_ part: HTTPRequestPart) {
    held.append(part)
    if case .end = part { isWhole = true }
  }

  /// Whether it is the turn of a request of this network. If not, it waits.
  private func isIn(_ network: String?, _ context: ChannelHandlerContext) -> Bool {
    guard let network else { return true }
    let (loop, this) = (context.eventLoop, NIOLoopBound((self, context), eventLoop: context.eventLoop))
    let (id, isIn) = turns.begin(of: network, on: loop) { id in
      loop.execute { this.value.0.enter(id, this.value.1) }
    }
    self.id = id
    isWaiting = !isIn
    return isIn
  }

  /// Nil for a client of this machine.
  private func network(of head: HTTPRequest, _ context: ChannelHandlerContext) -> String? {
    let told = header.flatMap { ForwardedAddress.of(head.headerFields, header: $0) }
    return (told ?? context.channel.remoteAddress?.ipAddress).flatMap(ClientNetwork.ofStranger)
  }

  /// The turn of a request has come.
  private func enter(_ id: Int, _ context: ChannelHandlerContext) {
    guard isWaiting, self.id == id else { return }
    isWaiting = false
    release(context)
  }

  /// Hands on what is held of one request.
  private func release(_ context: ChannelHandlerContext) {
    unanswered += 1
    isWhole = false
    while let part = held.popFirst() {
      context.fireChannelRead(wrapInboundOut(part))
      guard case .end = part else { continue }
      isWhole = held.contains { if case .end = $0 { true } else { false } }
      break
    }
    context.fireChannelReadComplete()
    if isInputClosed, held.isEmpty {
      isInputClosed = false
      context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
    guard isReadDue, !isFull else { return }
    isReadDue = false
    context.read()
  }

  func read(context: ChannelHandlerContext) {
    if isFull { isReadDue = true } else { context.read() }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let part = unwrapOutboundIn(data)
    context.write(data, promise: promise)
    guard case .end = part else { return }
    unanswered = max(0, unanswered - 1)
    guard unanswered == 0 else { return }
    end(context)
    guard case .head(let head) = held.first, isIn(network(of: head, context), context) else { return }
    release(context)
  }

  private func end(_ context: ChannelHandlerContext) {
    isWaiting = false
    if let id { turns.end(id, on: context.eventLoop) }
    id = nil
  }

  // MARK: What does not wait

  /// What is wrong with a request is told by whoever reads it.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    letGo(context)
    context.fireErrorCaught(error)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if event as? ChannelEvent == .inputClosed, !held.isEmpty {
      isInputClosed = true
      return
    }
    // A node that leaves answers what it has.
    if event is ChannelShouldQuiesceEvent { letGo(context) }
    context.fireUserInboundEventTriggered(event)
  }

  private func letGo(_ context: ChannelHandlerContext) {
    if let id { enter(id, context) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(context)
    held.removeAll()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { end(context) }
}
