import Kit
import NIOCore
import Synchronization

/// How much of a node its clients may take, and how slowly they may send.
package struct ConnectionLimits: Sendable {
  /// Connections at once; those beyond are answered 503 and closed.
  package var connectionsMax = 2048
  /// From the first byte of a request's head to its last.
  package var headTime = Duration.seconds(10)
  /// A body has to come at this rate on average, in each window.
  package var bytesPerSecondMin = 1024
  package var window = Duration.seconds(10)
  /// From when a body is asked for to its last byte.
  package var bodyTime = Duration.seconds(60)
  /// For a client to read the last answer of a connection that is given up.
  var lingerTime = Duration.seconds(1)

  package init() {}
}

/// Connections of this node, and what became of those that were given up.
package final class ConnectionCount: Sendable {
  enum Admission { case admitted, refused, dropped }

  let limits: ConnectionLimits
  private let open = Atomic(0)
  private let refused = Atomic(0)
  private let slow = Atomic(0)

  package init(_ limits: ConnectionLimits) { self.limits = limits }

  /// Counts a new connection, whatever comes of it. A quarter more than the maximum may be open to be told so.
  func begin() -> Admission {
    let count = open.add(1, ordering: .relaxed).newValue
    guard count > limits.connectionsMax else { return .admitted }
    refused.add(1, ordering: .relaxed)
    return count > limits.connectionsMax + limits.connectionsMax / 4 + 1 ? .dropped : .refused
  }

  func end() { open.subtract(1, ordering: .relaxed) }
  func gaveUpSlow() { slow.add(1, ordering: .relaxed) }

  package var families: [MetricFamily] {
    [
      .single("gatehouse_http_connections", help: "Open connections.", Double(open.load(ordering: .relaxed))),
      .single(
        "gatehouse_http_connections_refused_total", help: "Connections beyond the maximum.", kind: .counter,
        Double(refused.load(ordering: .relaxed))),
      .single(
        "gatehouse_http_slow_requests_total", help: "Requests that were given up because they came too slowly.",
        kind: .counter, Double(slow.load(ordering: .relaxed))),
    ]
  }
}
