// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: connections whose requests wait for their turn", .storeless)
struct RequestTurnsTests {
  /// Counts what is read from the network.
  private final class Network: ChannelOutboundHandler {
    typealias OutboundIn = HTTPResponsePart

    var reads = 0

    func read(context: ChannelHandlerContext) {
      reads += 1
      context.read()
    }
  }

  private final class Server: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart

    /// What came: parts of requests, errors, and the end of what the client sends.
    var events: [String] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head): events.append(head.path ?? "")
      case .body(let bytes): events.append("\(bytes.readableBytes)")
      case .end: events.append("end")
      }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { events.append("error") }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      events.append(event is ChannelShouldQuiesceEvent ? "quiesce" : "closed")
    }
  }

  private struct Connection {
    let channel: EmbeddedChannel
    let network = Network()
    let server = Server()

    init(_ turns: Turns, from address: String = "203.0.113.7", header: ForwardedHeader? = nil) throws {
      channel = EmbeddedChannel(handlers: [network, RequestTurns(turns, header: header), server])
      try channel.connect(to: SocketAddress(ipAddress: address, port: 1)).wait()
    }

    /// What came since the last look.
    func events() -> [String] {
      channel.embeddedEventLoop.run()
      defer { server.events = [] }
      return server.events
    }

    func send(_ path: String, _ fields: HTTPFields = [:], body: Int? = nil) throws {
      let head = HTTPRequest(method: .post, scheme: "http", authority: "h", path: path, headerFields: fields)
      try channel.writeInbound(HTTPRequestPart.head(head))
      if let body { try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: body))) }
      try channel.writeInbound(HTTPRequestPart.end(nil))
    }

    func answer() throws {
      try channel.writeOutbound(HTTPResponsePart.head(HTTPResponse(status: .ok)))
      try channel.writeOutbound(HTTPResponsePart.end(nil))
    }
  }

  /// Of a node that works on one request at once.
  private static func turns() -> Turns {
    var limits = TurnQueue.Limits(processors: 1)
    limits.places = 1
    return Turns(limits)
  }

  @Test("a request waits until another connection's is answered, and then comes whole")
  func waits() throws {
    let turns = Self.turns()
    let (first, second) = (try Connection(turns), try Connection(turns, from: "198.51.100.7"))
    try first.send("/first")
    #expect(first.events() == ["/first", "end"])
    try second.send("/second", body: 3)
    #expect(second.events() == [] && turns.waiting == 1)
    try first.answer()
    #expect(second.events() == ["/second", "3", "end"] && turns.waiting == 0)
    // The next of the first waits for the second's.
    try first.send("/third")
    #expect(first.events() == [])
    try second.answer()
    #expect(first.events() == ["/third", "end"])
  }

  @Test("what comes of a body after its request was let in comes at once")
  func body() throws {
    let turns = Self.turns()
    let connection = try Connection(turns)
    try connection.channel.writeInbound(
      HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/")))
    #expect(connection.events() == ["/"])
    try connection.channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 5)))
    #expect(connection.events() == ["5"])
    // Answered before its end, which belongs to no other request.
    try connection.answer()
    try connection.channel.writeInbound(HTTPRequestPart.end(nil))
    #expect(connection.events() == ["end"])
    #expect(turns.waiting == 0)
  }

  @Test("a request behind another one of its connection waits for its answer, and has a turn of its own")
  func pipelined() throws {
    let turns = Self.turns()
    let (first, other) = (try Connection(turns), try Connection(turns, from: "198.51.100.7"))
    try first.send("/1")
    try first.send("/2", body: 2)
    try first.send("/3")
    #expect(first.events() == ["/1", "end"])
    try other.send("/other")
    try first.answer()
    #expect(first.events() == [] && other.events() == ["/other", "end"])
    try other.answer()
    #expect(first.events() == ["/2", "2", "end"])
    try first.answer()
    #expect(first.events() == ["/3", "end"])
  }

  @Test("nothing is read behind a whole request that waits, and what is missing of one is")
  func reading() throws {
    let turns = Self.turns()
    let (first, second) = (try Connection(turns), try Connection(turns, from: "198.51.100.7"))
    try first.send("/first")
    try second.channel.writeInbound(
      HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/second")))
    var before = second.network.reads
    second.channel.read()
    #expect(second.network.reads == before + 1)
    try second.channel.writeInbound(HTTPRequestPart.end(nil))
    before = second.network.reads
    second.channel.read()
    #expect(second.network.reads == before)
    try first.answer()
    #expect(second.events() == ["/second", "end"])
    #expect(second.network.reads == before + 1)
  }

  @Test("of a body that comes in small pieces few are held, because each keeps the buffer that it was read into")
  func pieces() throws {
    let turns = Self.turns()
    let (first, second) = (try Connection(turns), try Connection(turns, from: "198.51.100.7"))
    try first.send("/first")
    try second.channel.writeInbound(
      HTTPRequestPart.head(HTTPRequest(method: .post, scheme: "http", authority: "h", path: "/second")))
    let before = second.network.reads
    for pieces in 1..<RequestTurns.heldMax {
      second.channel.read()
      #expect(second.network.reads == before + pieces)
      try second.channel.writeInbound(HTTPRequestPart.body(ByteBuffer(repeating: 1, count: 1)))
    }
    second.channel.read()
    #expect(second.network.reads == before + RequestTurns.heldMax - 1)
    try first.answer()
    #expect(second.events().count == RequestTurns.heldMax)
    #expect(second.network.reads == before + RequestTurns.heldMax)
  }

  @Test("clients of this machine do not wait, and those of a proxy by the address that it tells")
  func networks() throws {
    let turns = Self.turns()
    let name = ForwardedHeader.xForwardedFor.name
    let taken = try Connection(turns)
    try taken.send("/taken")
    let local = try Connection(turns, from: "127.0.0.1", header: .xForwardedFor)
    try local.send("/local")
    #expect(local.events() == ["/local", "end"])
    // Nor behind another one.
    try local.send("/1")
    try local.send("/2")
    #expect(local.events() == ["/1", "end", "/2", "end"])
    for _ in 1...3 { try local.answer() }
    try local.send("/told", [name: "203.0.113.9"])
    #expect(local.events() == [] && turns.waiting == 1)
    // What a client writes itself tells nothing without a proxy.
    let direct = try Connection(turns, from: "127.0.0.1")
    try direct.send("/direct", [name: "203.0.113.9"])
    #expect(direct.events() == ["/direct", "end"])
    // A second network of the same proxy goes first, because the first one has asked.
    let other = try Connection(turns, from: "127.0.0.1", header: .xForwardedFor)
    try taken.answer()
    #expect(local.events() == ["/told", "end"])
    let again = try Connection(turns, from: "127.0.0.1", header: .xForwardedFor)
    try again.send("/again", [name: "203.0.113.9"])
    try other.send("/other", [name: "198.51.100.9"])
    try local.answer()
    #expect(other.events() == ["/other", "end"] && again.events() == [])
  }

  @Test("a connection that ends gives its place back, and waits no more")
  func ends() throws {
    let turns = Self.turns()
    let connections = try (1...4).map { try Connection(turns, from: "203.0.\($0).7") }
    for (number, connection) in connections.enumerated() { try connection.send("/\(number)") }
    #expect(turns.waiting == 3)
    _ = try? connections[1].channel.finish()
    #expect(turns.waiting == 2)
    _ = try? connections[0].channel.finish()
    #expect(connections[2].events() == ["/2", "end"] && connections[3].events() == [])
    #expect(connections[1].server.events == [])
  }

  @Test("a request that is not answered in its time lets another one in")
  func lease() throws {
    let turns = Self.turns()
    let (first, second) = (try Connection(turns), try Connection(turns, from: "198.51.100.7"))
    try first.send("/first")
    try second.send("/second")
    // The clock of each loop is its own; the second one's looks.
    second.channel.embeddedEventLoop.advanceTime(by: .milliseconds(19))
    #expect(second.events() == [])
    second.channel.embeddedEventLoop.advanceTime(by: .milliseconds(1))
    #expect(second.events() == ["/second", "end"])
    try first.answer()
    #expect(turns.waiting == 0)
  }

  @Test("an error and the end of a node let go what waits, and the end of what a client sends waits with it")
  func events() throws {
    let turns = Self.turns()
    let taken = try Connection(turns)
    try taken.send("/taken")
    let faulty = try Connection(turns, from: "198.51.100.1")
    try faulty.send("/faulty")
    faulty.channel.pipeline.fireErrorCaught(SlowClient())
    #expect(faulty.events() == ["/faulty", "end", "error"])
    let last = try Connection(turns, from: "198.51.100.2")
    try last.send("/last")
    last.channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent())
    #expect(last.events() == ["/last", "end", "quiesce"])
    let closed = try Connection(turns, from: "198.51.101.3")
    try closed.send("/closed")
    closed.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    #expect(closed.events() == [])
    try faulty.answer()
    try last.answer()
    try taken.answer()
    #expect(closed.events() == ["/closed", "end", "closed"])
  }
}
