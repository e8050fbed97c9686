// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import NIOCore
import NIOEmbedded
import NIOTLS
import TestSupport
import Testing

@testable import ServerTLS

@Suite("Operations: connections over TLS that do nothing", .storeless)
struct SecureConnectionGuardTests {
  private static let address = "192.0.2.1"

  /// A connection that was accepted, with a handler behind the guard that keeps the end of the handshake to itself.
  private static func connection(
    _ count: ConnectionCount = ConnectionCount(ConnectionLimits()), abandoned: AbandonedStreams? = nil
  ) throws -> EmbeddedChannel {
    let channel = EmbeddedChannel()
    let address = try SocketAddress(ipAddress: address, port: 1)
    channel.remoteAddress = address
    let guarding = SecureConnectionGuard(
      handshakeTime: .seconds(10), isTaken: count.takes(channel),
      abandoned: abandoned ?? AbandonedStreams(count, from: nil))
    try channel.pipeline.syncOperations.addHandler(guarding)
    channel.connect(to: address, promise: nil)
    return channel
  }

  private static func shakeHands(_ channel: EmbeddedChannel, _ chosen: String?) {
    channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: chosen))
  }

  @Test("a handshake has its time, and a connection of HTTP/1.1 has no limit afterwards here")
  func handshake() throws {
    let silent = try Self.connection()
    silent.embeddedEventLoop.advanceTime(by: .seconds(9))
    #expect(silent.isActive)
    silent.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!silent.isActive)
    for chosen in ["http/1.1", nil] {
      let channel = try Self.connection()
      Self.shakeHands(channel, chosen)
      channel.embeddedEventLoop.advanceTime(by: .hours(1))
      #expect(channel.isActive)
    }
  }

  @Test("a connection of HTTP/2 ends when it had no stream for a minute and a half, whatever the client answers")
  func streamless() throws {
    let idle = try Self.connection()
    Self.shakeHands(idle, "h2")
    idle.embeddedEventLoop.advanceTime(by: .seconds(89))
    #expect(idle.isActive)
    idle.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!idle.isActive)

    let busy = try Self.connection()
    Self.shakeHands(busy, "h2")
    let guarding = try busy.pipeline.syncOperations.handler(type: SecureConnectionGuard.self)
    let streams = [1, 2].map { _ in EmbeddedChannel(loop: busy.embeddedEventLoop) }
    for stream in streams {
      stream.connect(to: try SocketAddress(ipAddress: Self.address, port: 1), promise: nil)
      #expect(guarding.streamOpened(stream, of: busy))
    }
    busy.embeddedEventLoop.advanceTime(by: .hours(1))
    #expect(busy.isActive)
    streams[0].close(promise: nil)
    busy.embeddedEventLoop.advanceTime(by: .hours(1))
    #expect(busy.isActive)
    streams[1].close(promise: nil)
    busy.embeddedEventLoop.advanceTime(by: .seconds(89))
    #expect(busy.isActive)
    busy.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!busy.isActive)
  }

  @Test("connections are counted before their handshake, by network too, and those beyond a quarter more are closed")
  func counted() throws {
    for byNetwork in [false, true] {
      var limits = ConnectionLimits()
      (limits.connectionsMax, limits.ofNetworkMax) = byNetwork ? (2048, 4) : (4, nil)
      let count = ConnectionCount(limits)
      func isCounted(_ open: Int, refused: Int) -> Bool {
        let text = PrometheusText.page(count.families)
        return text.contains("gatehouse_tls_connections \(open)\n")
          && text.contains("gatehouse_http_connections_refused_total \(refused)\n")
          && text.contains("gatehouse_http_connections 0\n")
      }
      let first = try (1...6).map { _ in try Self.connection(count) }
      #expect(first.allSatisfy(\.isActive) && isCounted(6, refused: 0))
      let seventh = try Self.connection(count)
      #expect(!seventh.isActive)
      seventh.embeddedEventLoop.run()
      #expect(isCounted(6, refused: 1))
      first[0].close(promise: nil)
      first[0].embeddedEventLoop.run()
      #expect(isCounted(5, refused: 1))
      #expect(try Self.connection(count).isActive)
    }
  }

  /// Streams of connections, which live as their tasks do: each is known by its channel.
  private final class Tasks {
    var streams: [EmbeddedChannel] = []
  }

  /// Begins a stream of a connection, hands its request to a task, ends the stream and closes its channel.
  /// - Parameters:
  ///   - isAnswered: nil where this node ends it without an answer.
  ///   - tasks: takes the stream, whose task goes on; nil where the task has ended before.
  ///   - guarding: the connection's guard, where it may be closed: its pipeline has none then.
  /// - Returns: whether the connection took it.
  private static func stream(
    of channel: EmbeddedChannel, isAnswered: Bool?, _ tasks: Tasks?, _ guarding: SecureConnectionGuard? = nil
  ) throws -> Bool {
    let guarding = try guarding ?? channel.pipeline.syncOperations.handler(type: SecureConnectionGuard.self)
    let stream = EmbeddedChannel(loop: channel.embeddedEventLoop)
    stream.connect(to: try SocketAddress(ipAddress: address, port: 1), promise: nil)
    let isTaken = guarding.streamOpened(stream, of: channel)
    if isTaken { guarding.abandoned.taskBegan(ObjectIdentifier(stream)) }
    if let tasks { tasks.streams.append(stream) } else { guarding.abandoned.taskEnded(ObjectIdentifier(stream)) }
    guarding.streamEnded(stream, of: channel, isAnswered: isAnswered)
    close(stream)
    return isTaken
  }

  private static func close(_ stream: EmbeddedChannel) {
    stream.close(promise: nil)
    stream.embeddedEventLoop.run()
  }

  /// What the node counts as open.
  private static func open(_ count: ConnectionCount) -> Int {
    let lines = PrometheusText.page(count.families).split(separator: "\n")
    let line = lines.first { $0.hasPrefix("gatehouse_http_connections ") }
    return line.flatMap { Int($0.split(separator: " ")[1]) } ?? -1
  }

  @Test("a connection that abandons many streams is closed and takes none, and each counts until its task is done")
  func abandoned() throws {
    for (isProxy, most) in [(false, AbandonedStreams.most), (true, AbandonedStreams.mostOfProxy)] {
      var limits = ConnectionLimits()
      if isProxy { limits.ofNetworkMax = nil }
      let (count, tasks) = (ConnectionCount(limits), Tasks())
      let abandoned = AbandonedStreams(count, from: nil)
      let channel = try Self.connection(count, abandoned: abandoned)
      Self.shakeHands(channel, "h2")
      for number in 1...most + 1 {
        #expect(channel.isActive)
        #expect(try Self.stream(of: channel, isAnswered: false, tasks))
        #expect(Self.open(count) == number)
      }
      #expect(!channel.isActive)
      let guarding = SecureConnectionGuard(handshakeTime: .seconds(10), isTaken: true, abandoned: abandoned)
      #expect(try !Self.stream(of: channel, isAnswered: false, tasks, guarding))
      #expect(PrometheusText.page(count.families).contains("gatehouse_http_connections_abandoning_total 1\n"))
      for (done, stream) in tasks.streams.prefix(2).enumerated() {
        abandoned.taskEnded(ObjectIdentifier(stream))
        #expect(Self.open(count) == most - done)
      }
      abandoned.done()
      #expect(Self.open(count) == 0)
      // What a task tells afterwards was counted.
      for stream in tasks.streams { abandoned.taskEnded(ObjectIdentifier(stream)) }
      #expect(Self.open(count) == 0)
    }
  }

  @Test("a client that takes back requests keeps its connection while their tasks end, however many it takes back")
  func takenBack() throws {
    let (count, tasks) = (ConnectionCount(ConnectionLimits()), Tasks())
    let channel = try Self.connection(count)
    Self.shakeHands(channel, "h2")
    let guarding = try channel.pipeline.syncOperations.handler(type: SecureConnectionGuard.self)
    for _ in 1...100 {
      #expect(try Self.stream(of: channel, isAnswered: false, tasks))
      #expect(Self.open(count) == 1)
      guarding.abandoned.taskEnded(ObjectIdentifier(try #require(tasks.streams.last)))
      #expect(Self.open(count) == 0)
      // The task of another was done first, and that of a third goes on although its answer was sent.
      #expect(try Self.stream(of: channel, isAnswered: false, nil))
      #expect(try Self.stream(of: channel, isAnswered: true, tasks))
      #expect(Self.open(count) == 0)
    }
    #expect(channel.isActive)
    #expect(PrometheusText.page(count.families).contains("gatehouse_http_connections_abandoning_total 0\n"))
    for stream in tasks.streams { guarding.abandoned.taskEnded(ObjectIdentifier(stream)) }
    #expect(Self.open(count) == 0)
  }

  @Test("streams that are taken back in one piece count until their channels are closed, though their tasks have ended")
  func takenBackAtOnce() throws {
    let count = ConnectionCount(ConnectionLimits())
    let channel = try Self.connection(count)
    Self.shakeHands(channel, "h2")
    let guarding = try channel.pipeline.syncOperations.handler(type: SecureConnectionGuard.self)
    var streams: [EmbeddedChannel] = []
    for number in 1...AbandonedStreams.most + 1 {
      #expect(channel.isActive)
      let stream = EmbeddedChannel(loop: channel.embeddedEventLoop)
      stream.connect(to: try SocketAddress(ipAddress: Self.address, port: 1), promise: nil)
      #expect(guarding.streamOpened(stream, of: channel))
      guarding.abandoned.taskBegan(ObjectIdentifier(stream))
      guarding.abandoned.taskEnded(ObjectIdentifier(stream))
      // What its task wrote waits for the event loop, which goes on reading.
      guarding.streamEnded(stream, of: channel, isAnswered: false)
      #expect(Self.open(count) == number)
      streams.append(stream)
    }
    #expect(!channel.isActive)
    for (closed, stream) in streams.enumerated() {
      #expect(Self.open(count) == streams.count - closed)
      Self.close(stream)
    }
    #expect(Self.open(count) == 0)
  }

  @Test("a stream that this node ends, as where it is full, is not its client's")
  func endedHere() throws {
    let (count, tasks) = (ConnectionCount(ConnectionLimits()), Tasks())
    let channel = try Self.connection(count)
    Self.shakeHands(channel, "h2")
    #expect(try Self.stream(of: channel, isAnswered: false, tasks))
    for _ in 0...AbandonedStreams.most { #expect(try Self.stream(of: channel, isAnswered: nil, tasks)) }
    #expect(channel.isActive)
    #expect(Self.open(count) == 1)
  }

  @Test("where streams without answers fill the node, no other is taken, and no other handshake begins")
  func filled() throws {
    for network in [nil, "192.0.2.0/24"] {
      var limits = ConnectionLimits()
      (limits.connectionsMax, limits.ofNetworkMax) = network == nil ? (8, nil) : (2048, 8)
      let count = ConnectionCount(limits)
      let abandoned = AbandonedStreams(count, from: network)
      let streams = (1...11).map { _ in EmbeddedChannel() }
      for stream in streams {
        #expect(!abandoned.isOver)
        abandoned.taskBegan(ObjectIdentifier(stream))
        abandoned.ended(ObjectIdentifier(stream), isAnswered: false)
      }
      #expect(abandoned.isOver && count.isFull(for: network))
      // One that abandoned nothing keeps what it has, and other networks have places of their own.
      #expect(!AbandonedStreams(count, from: network).isOver)
      #expect(count.isFull(for: "198.51.100.0/24") == (network == nil))
      #expect(try !Self.connection(count).isActive)
      abandoned.done()
      #expect(try Self.connection(count).isActive)
    }
  }
}
