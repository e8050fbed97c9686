// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Kit
import NIOCore
import NIOHTTP1
import NIOHTTPTypes

/// Asks a connection for the body of its request: until then the body waits with the client.
struct BodyReadRequest: Sendable {
  /// Bytes of the node's memory that are kept for it.
  var place = 0
}

/// Why reading a body ended: the client sent too little in a window, or took too long.
struct SlowClient: Error {}

/// Keeps one connection from taking more of the node than it may: it is counted, its requests have to come at a minimum
/// rate, and of a body that is not short and was not asked for no more is read than what came with the head. Requests
/// have to be clear about their end (`RequestFraming`) and about whom they ask for what.
///
/// A connection that breaks a rule is answered where answers are due, and closed after a moment in which what still
/// comes is dropped. Closed at once, it would often lose the last of them (RFC 9112 §9.6).
package final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  package typealias InboundIn = HTTPRequestPart
  package typealias InboundOut = HTTPRequestPart
  package typealias OutboundIn = HTTPResponsePart
  package typealias OutboundOut = HTTPResponsePart

  /// What one connection buffers at most before it is known what becomes of it.
  private static let readMax = 32 * 1024
  /// A body that says it is no longer than this is read without being asked for: it costs less memory than what the
  /// connection buffers anyway, and asking takes two hops between threads.
  static let unaskedMax = 16 * 1024

  private let count: ConnectionCount
  private let limits: ConnectionLimits
  /// The network of the peer.
  private var network: String?
  /// Nil once the connection is not counted any more.
  private var admission: ConnectionCount.Admission?
  /// Whether what comes is dropped, because the connection is given up.
  private var isOver = false
  private enum Ending { case lastAnswer, client }
  /// What the end of a connection that is given up waits for; nil until its last answer was written.
  private var ending: Ending?
  /// Requests that have come, and whose answers have not gone.
  private(set) var unanswered = 0
  /// Whether the body of a request is on its way.
  private var isReceiving = false
  /// Whether that body has to be asked for, and was not yet.
  private var isHeld = false
  private var isReadDue = false
  /// Whether the client sends the body when it is told to (RFC 9110 §10.1.1).
  private var isAwaited = false
  /// Whether the client named this request its last. The server that answered it does not read on, so that the rest of
  /// its body is read and dropped here: left in the network it would keep a client that sends all from its answer.
  private(set) var isLast = false
  /// Whether a part of a request came since the last read was complete.
  private var hasPart = false
  /// Of the body.
  private var received = 0
  /// Of the body, after its request was answered or given up.
  private var dropped = 0
  /// Before this window.
  private var receivedBefore = 0
  /// Of the node's memory, kept for the body.
  private var place = 0
  private var windows = 0
  private var timer: Scheduled<Void>?

  package init(_ count: ConnectionCount) { (self.count, limits) = (count, count.limits) }

  // MARK: The connection

  package func handlerAdded(context: ChannelHandlerContext) {
    network = ConnectionCount.network(of: context.channel)
    admission = count.begin(from: network)
    do {
      try RequestFraming.add(to: context.pipeline.syncOperations)
      try context.pipeline.syncOperations.addHandler(JoinedBody(), position: .after(self))
    } catch { context.close(promise: nil) }
    // What a stream buffers is bounded by its window (RFC 9113 §6.9.2).
    let options = context.channel.isStream ? nil : context.channel.syncOptions
    try? options?.setOption(
      .recvAllocator, value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: Self.readMax))
    try? options?.setOption(.maxMessagesPerRead, value: 1)
    if context.channel.isActive { admit(context) }
  }

  package func channelActive(context: ChannelHandlerContext) {
    admit(context)
    context.fireChannelActive()
  }

  package func channelInactive(context: ChannelHandlerContext) {
    forget()
    context.fireChannelInactive()
  }

  package func handlerRemoved(context: ChannelHandlerContext) { forget() }

  private func admit(_ context: ChannelHandlerContext) {
    switch admission {
    case .admitted, nil: break
    case .refused: answer(.serviceUnavailable, "This node has as many connections as it takes.", context)
    case .dropped:
      isOver = true
      context.close(promise: nil)
    }
  }

  private func forget() {
    stopTimer()
    guard admission != nil else { return }
    admission = nil
    count.end(from: network)
  }

  // MARK: What comes

  package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isOver else { return drop(data, context) }
    hasPart = true
    // What follows a client's last request is no request (RFC 9112 §9.6). Nothing would answer it, and with a request
    // unanswered the connection would stay open for as long as its client likes.
    if isLast, !isReceiving {
      isHeld = true
      return
    }
    var data = data
    switch unwrapInboundIn(data) {
    case .head(var head):
      stopTimer()
      if let fault = Self.fault(of: head, isStream: context.channel.isStream) {
        guard unanswered == 0 else { return errorCaught(context: context, error: HTTPParserError.invalidHeaderToken) }
        return answer(.badRequest, fault, context)
      }
      unanswered += 1
      (isReceiving, isHeld) = (true, !Self.letsIn(head.headerFields))
      (received, receivedBefore, dropped, windows, place) = (0, 0, 0, 0, 0)
      isAwaited = head.headerFields[.expect]?.isToken("100-continue") == true
      isLast = !context.channel.isStream && Self.isLast(head)
      let isHostAlone = head.authority == nil && context.channel.isStream
      if isLast || isHostAlone {
        // Hummingbird knows a last request by exactly this value, and would wait for another one.
        if isLast { head.headerFields[.connection] = "close" }
        // Code that looks at the host finds it in one place.
        if isHostAlone { head.authority = StreamHost.named(by: head) }
        data = wrapInboundOut(.head(head))
      }
    case .body(let bytes):
      received += bytes.readableBytes
      if unanswered == 0 {
        drop(data, context)
        if isLast { return }
      }
    case .end:
      stopTimer()
      (isReceiving, isHeld) = (false, false)
    }
    context.fireChannelRead(data)
  }

  /// Counts what no handler reads of a body. Past its maximum the connection ends, and until then is read slowly:
  /// closed with bytes unread it would be reset, and its client may lose the answer (RFC 9112 §9.6).
  private func drop(_ data: NIOAny, _ context: ChannelHandlerContext) {
    guard case .body(let bytes) = unwrapInboundIn(data) else { return }
    dropped += bytes.readableBytes
    guard dropped > limits.droppedMax, !isHeld else { return }
    isHeld = true
    context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(limits.droppedPause)) { [self] in
      guard admission != nil else { return }
      isHeld = false
      context.read()
    }
    guard !isOver else { return }
    isOver = true
    linger(context, limits.droppedLingerTime)
  }

  package func channelReadComplete(context: ChannelHandlerContext) {
    // Bytes came that are no part of a request yet: its head is being sent.
    if !hasPart, !isOver, unanswered == 0, !isReceiving, timer == nil {
      schedule(in: limits.headTime, context) { [self] in
        count.gaveUpSlow()
        answer(.requestTimeout, "The head of the request did not come in time.", context)
      }
    }
    // A short body has its time from its head, unless it came with it. Behind another request it may wait for this node
    // and not for its client.
    if isReceiving, !isHeld, !isOver, unanswered < 2, timer == nil { watch(context) }
    hasPart = false
    if isLast, isReceiving, !isHeld, !isOver, unanswered == 0 { context.read() }
    context.fireChannelReadComplete()
  }

  package func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // Not HTTP: an answer is due unless the request was answered before its body broke.
    if !isOver, isReceiving, unanswered == 0 {
      context.close(promise: nil)
    } else {
      // What is no request is answered like one, behind those that came before it (RFC 9112 §9.3.2). What follows a
      // client's last request is not answered.
      if !isOver, !isReceiving, !isLast, error is HTTPParserError { unanswered += 1 }
      isOver = true
    }
    guard context.channel.isStream else { return context.fireErrorCaught(error) }
    // A stream of HTTP/2 that has ended, by its client or with its connection, has no client for the reader of its
    // body. One that goes on sent what is no HTTP, such as trailers with a path.
    if context.channel.isActive {
      context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    } else {
      context.fireErrorCaught(ChannelError.inputClosed)
    }
  }

  /// Whether the body of a request of these fields is read without being asked for.
  static func letsIn(_ fields: HTTPFields) -> Bool {
    guard let length = fields[.contentLength].flatMap({ Int($0) }) else { return false }
    return length <= unaskedMax && !fields.contains(.expect)
  }

  package func read(context: ChannelHandlerContext) {
    if isHeld { isReadDue = true } else { context.read() }
  }

  package func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
    guard let wanted = event as? BodyReadRequest else {
      return context.triggerUserOutboundEvent(event, promise: promise)
    }
    promise?.succeed()
    // With more than one unanswered, the one that asks has come whole, and what is on its way belongs to a later one.
    guard unanswered == 1 else { return }
    if wanted.place > 0, !isOver {
      // The time in which its place came free is not its client's.
      stopTimer()
      place = wanted.place
    }
    if isAwaited, isReceiving, received == 0, !isOver {
      context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
    isAwaited = false
    openBody(context)
  }

  private func openBody(_ context: ChannelHandlerContext) {
    guard dropped <= limits.droppedMax else { return }
    isHeld = false
    if isReceiving, !isOver, timer == nil {
      (receivedBefore, windows) = (received, 0)
      watch(context)
    }
    guard isReadDue else { return }
    isReadDue = false
    context.read()
  }

  private func watch(_ context: ChannelHandlerContext) {
    schedule(in: limits.window, context) { [self] in
      windows += 1
      let inWindow = Double(received - receivedBefore)
      let time = limits.window * windows
      // What has a place keeps it from others, so that the whole of it has to be on its way to come in time.
      let isSlow =
        inWindow < Double(limits.bytesPerSecondMin) * limits.window.inSeconds
        || Double(received) < Double(place) * (time.inSeconds / limits.bodyTime.inSeconds)
      guard isSlow || time >= limits.bodyTime else {
        receivedBefore = received
        return watch(context)
      }
      count.gaveUpSlow()
      guard unanswered > 0 else { return context.close(promise: nil) }
      isOver = true
      context.fireErrorCaught(SlowClient())
    }
  }

  // MARK: What goes

  package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .end = unwrapOutboundIn(data) else { return context.write(named(data), promise: promise) }
    unanswered = max(0, unanswered - 1)
    guard isOver, unanswered == 0 else {
      context.write(data, promise: promise)
      // What is left of a body that was not read is dropped by the reader of the next request. With another request
      // unanswered it is that one's body: a short one has its time from now, and others are not asked for yet.
      if isReceiving, unanswered == 0 || unanswered == 1 && !isHeld { openBody(context) }
      if isReceiving, isLast, unanswered == 0 { context.read() }
      return
    }
    let written = promise ?? context.eventLoop.makePromise()
    awaitEnd(written, context)
    context.write(data, promise: written)
  }

  private func answer(_ status: HTTPResponse.Status, _ detail: String, _ context: ChannelHandlerContext) {
    isOver = true
    let body =
      #"{"type":"about:blank","title":"\#(status.reasonPhrase)","status":\#(status.code),"detail":"\#(detail)"}"#
    var fields: HTTPFields = [
      .contentType: "application/problem+json", .contentLength: "\(body.utf8.count)", .connection: "close",
    ]
    if status == .serviceUnavailable { fields[.retryAfter] = "1" }
    context.write(wrapOutboundOut(.head(HTTPResponse(status: status, headerFields: fields))), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(string: body))), promise: nil)
    let written = context.eventLoop.makePromise(of: Void.self)
    awaitEnd(written, context)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
  }

  /// A client that takes nothing of its last answer is not waited for, and later answers give it no more time.
  private func awaitEnd(_ written: EventLoopPromise<Void>, _ context: ChannelHandlerContext) {
    if admission != nil, ending == nil { limitLastAnswer(context) }
    written.futureResult.assumeIsolated().whenComplete { [self] _ in linger(context) }
  }

  /// `StalledClient` watches what is not writable: a large answer that its client goes on taking may take longer.
  private func limitLastAnswer(_ context: ChannelHandlerContext) {
    ending = .lastAnswer
    stopTimer()
    schedule(in: limits.lastAnswerTime, context) { [self] in
      if context.channel.isWritable { context.close(promise: nil) } else { limitLastAnswer(context) }
    }
  }

  /// Nothing more is sent; what still comes is dropped for a moment, which later answers do not make longer. An answer
  /// to a connection that was closed meanwhile starts no timer.
  private func linger(_ context: ChannelHandlerContext, _ time: Duration? = nil) {
    guard admission != nil, ending != .client else { return }
    ending = .client
    stopTimer()
    schedule(in: time ?? limits.lingerTime, context) { context.close(promise: nil) }
    // Of a stream this would be its reset at once; the end of its answer has closed what it sends.
    if !context.channel.isStream { context.close(mode: .output, promise: nil) }
    openBody(context)
  }

  private func schedule(in time: Duration, _ context: ChannelHandlerContext, _ act: @escaping () -> Void) {
    timer = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) { [self] in
      timer = nil
      act()
    }
  }

  private func stopTimer() {
    timer?.cancel()
    timer = nil
  }
}
