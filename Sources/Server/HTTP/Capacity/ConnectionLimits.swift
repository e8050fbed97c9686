// SPDX-License-Identifier: Apache-2.0

import Kit
import NIOCore
import Synchronization

/// How much of a node its clients may take, and how slowly they may send.
package struct ConnectionLimits: Sendable {
  /// Connections at once; those beyond are answered 503 and closed.
  package var connectionsMax = 2048
  /// Of these, from one network; nil where all come from a proxy.
  package var ofNetworkMax: Int? = 256
  /// From the first byte of a request's head to its last.
  package var headTime = Duration.seconds(10)
  /// A body has to come at this rate on average, in each window.
  package var bytesPerSecondMin = 1024
  package var window = Duration.seconds(10)
  /// From when a body is asked for to its last byte; of a short one, from its head.
  package var bodyTime = Duration.seconds(60)
  /// Bytes of a body that are read although its request was answered without them, so that a client that sends all
  /// before it reads finds its answer: a photograph of a phone has 5 to 12 MB. What is longer would cost the node's
  /// event loops more than its client, and is read at 32 KiB in each pause, for so long.
  var droppedMax = 16 * 1024 * 1024
  var droppedPause = Duration.milliseconds(20)
  var droppedLingerTime = Duration.seconds(10)
  /// For the network to take the last answer of a connection that is given up, or the end of a large one.
  var lastAnswerTime = Duration.seconds(30)
  /// From then on, for its client to read it.
  var lingerTime = Duration.seconds(1)

  package init() {}
}

/// Connections of this node, and what became of those that were given up.
package final class ConnectionCount: Sendable {
  enum Admission: Comparable { case admitted, refused, dropped }

  package let limits: ConnectionLimits
  private let open = ConnectionCounts()
  private let secure = ConnectionCounts()
  private let refused = Atomic(0)
  private let slow = Atomic(0)
  private let abandoning = Atomic(0)

  package init(_ limits: ConnectionLimits) { self.limits = limits }

  /// Counts a new connection, whatever comes of it. A quarter more than a maximum may be open to be told so.
  /// - Parameter network: that of the peer; nil for what is not counted by it.
  func begin(from network: String?) -> Admission {
    let admission = open.begin(from: network, limits)
    if admission > .admitted { refused.add(1, ordering: .relaxed) }
    return admission
  }

  /// - Parameter network: what the connection began with.
  func end(from network: String?) { open.end(from: network, limits) }

  /// Counts a connection whose TLS this node ends, from when it is accepted until it is closed. What it carries is
  /// counted as well, by `ConnectionGuard`, once its handshake is done.
  /// - Returns: false when it is to be closed, because a quarter more than a maximum are open, of such connections or
  ///   of what all connections carry. No answer can be sent before the handshake; up to that number an HTTP/1.1 client
  ///   gets its refusal after it.
  package func takes(_ channel: any Channel) -> Bool {
    let network = Self.network(of: channel)
    let admission = secure.begin(from: network, limits)
    channel.closeFuture.whenComplete { [secure, limits] _ in secure.end(from: network, limits) }
    guard admission == .dropped || isFull(for: network) else { return true }
    refused.add(1, ordering: .relaxed)
    return false
  }

  /// What connections of this peer are counted by.
  package static func network(of channel: any Channel) -> String? {
    channel.remoteAddress?.ipAddress.flatMap(ClientNetwork.ofStranger)
  }

  /// Whether one more would be a quarter more than a maximum.
  package func isFull(for network: String?) -> Bool { open.next(from: network, limits) == .dropped }

  /// Counts a stream that ended without its answer for as long as a task may have work with it.
  package func keep(from network: String?) { _ = open.begin(from: network, limits) }

  /// Counts so many of those no more.
  package func letGo(_ streams: Int, from network: String?) {
    for _ in 0..<streams { open.end(from: network, limits) }
  }

  func gaveUpSlow() { slow.add(1, ordering: .relaxed) }

  /// Counts a connection of HTTP/2 that is closed for its streams without answers, or for its small frames.
  package func closedAbandoning() { abandoning.add(1, ordering: .relaxed) }

  package var families: [MetricFamily] {
    [
      .single("gatehouse_http_connections", help: "Open connections.", Double(open.count)),
      .single(
        "gatehouse_tls_connections", help: "Open connections whose TLS this node ends, in their handshake or idle too.",
        Double(secure.count)),
      .single(
        "gatehouse_http_connections_refused_total", help: "Connections beyond the maximum.", kind: .counter,
        Double(refused.load(ordering: .relaxed))),
      .single(
        "gatehouse_http_slow_requests_total", help: "Requests that were given up because they came too slowly.",
        kind: .counter, Double(slow.load(ordering: .relaxed))),
      .single(
        "gatehouse_http_connections_abandoning_total",
        help: "Connections of HTTP/2 that were closed for abandoned streams or many small frames.", kind: .counter,
        Double(abandoning.load(ordering: .relaxed))),
    ]
  }
}

/// How many are open, of all and of each network.
private final class ConnectionCounts: Sendable {
  private let open = Atomic(0)
  private let ofNetworks = Mutex<[String: Int]>([:])

  var count: Int { open.load(ordering: .relaxed) }

  func begin(from network: String?, _ limits: ConnectionLimits) -> ConnectionCount.Admission {
    let all = Self.admission(open.add(1, ordering: .relaxed).newValue, limits.connectionsMax)
    guard let network, let most = limits.ofNetworkMax else { return all }
    let count = ofNetworks.withLock { counts in
      counts[network, default: 0] += 1
      return counts[network] ?? 0
    }
    return max(all, Self.admission(count, most))
  }

  /// What `begin` would answer.
  func next(from network: String?, _ limits: ConnectionLimits) -> ConnectionCount.Admission {
    let all = Self.admission(count + 1, limits.connectionsMax)
    guard let network, let most = limits.ofNetworkMax else { return all }
    return max(all, Self.admission(ofNetworks.withLock { $0[network] ?? 0 } + 1, most))
  }

  func end(from network: String?, _ limits: ConnectionLimits) {
    open.subtract(1, ordering: .relaxed)
    guard let network, limits.ofNetworkMax != nil else { return }
    ofNetworks.withLock { counts in
      let rest = (counts[network] ?? 0) - 1
      counts[network] = rest > 0 ? rest : nil
    }
  }

  private static func admission(_ count: Int, _ most: Int) -> ConnectionCount.Admission {
    guard count > most else { return .admitted }
    return count > most + most / 4 + 1 ? .dropped : .refused
  }
}
