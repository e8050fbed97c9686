// SPDX-License-Identifier: Apache-2.0

import Kit
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Refuses requests of HTTP/1 that a proxy in front may read otherwise than we do: those of no host or of several,
/// those whose body has another coding than `chunked`, or has one in HTTP/1.0 (RFC 9112 §3.2, §6.1), and those whose
/// length is beyond `Int.max` (RFC 9110 §8.6): what asks for the length would find none, and a reader wait for nothing.
///
/// What follows such a request on its connection is dropped. Refused like what the parser refuses: 400, and closed.
final class RequestFraming: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  private let unparsed: UnparsedBytes
  private var isOver = false

  private init(_ unparsed: UnparsedBytes) { self.unparsed = unparsed }

  /// Puts one before the handler whose heads have neither a version nor a first `Host`, and `UnparsedBytes` before the
  /// parser. A stream of HTTP/2 has no such handler: it names the end of its bodies in one way, and its host is looked
  /// at by `ConnectionGuard`.
  static func add(to pipeline: ChannelPipeline.SynchronousOperations) throws {
    guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
    let parser = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
    let unparsed = UnparsedBytes()
    try pipeline.addHandler(unparsed, position: .before(parser))
    try pipeline.addHandler(RequestFraming(unparsed), position: .before(codec))
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unparsed.gavePart()
    guard !isOver else { return }
    if case .head(let head) = unwrapInboundIn(data), !Self.isClear(head) {
      isOver = true
      context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
    } else {
      context.fireChannelRead(data)
    }
  }

  private static func isClear(_ head: HTTPRequestHead) -> Bool {
    // The parser leaves blanks at the end of a length, which mean nothing (RFC 9110 §5.5).
    let lengths = head.headers["Content-Length"].map { $0[...].withoutOptionalWhitespace }
    guard lengths.allSatisfy({ Int($0) != nil }) else { return false }
    let hosts = head.headers["Host"].count
    let codings = head.headers["Transfer-Encoding"].map { $0[...].withoutOptionalWhitespace }
    // A probe of HTTP/1.0 names no host, and a proxy of HTTP/1.0 does not know of chunks.
    if head.version == .http1_0 { return hosts <= 1 && codings.isEmpty }
    return hosts == 1 && (codings.isEmpty || codings.count == 1 && codings[0].isToken("chunked"))
  }
}
