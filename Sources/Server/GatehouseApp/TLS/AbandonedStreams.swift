// SPDX-License-Identifier: Apache-2.0

import HTTP
import Synchronization

/// Streams of one connection of HTTP/2 that ended without their answers: its client took them back, or left.
///
/// The task that answers such a request goes on, and holds some 25 KiB. A client that begins streams and resets them
/// (CVE-2023-44487), or makes one connection after another, would have more of them wait for the store than the node
/// has memory for. So they count as open until all tasks of their connection are done.
final class AbandonedStreams: Sendable {
  /// A connection with more of them is closed.
  static let most = 16

  private let connections: ConnectionCount
  private let network: String?
  /// Nil when the tasks are done.
  private let kept = Mutex<Int?>(0)

  /// - Parameter network: that of the peer; nil for what is not counted by it.
  init(_ connections: ConnectionCount, from network: String?) {
    (self.connections, self.network) = (connections, network)
  }

  /// Whether the connection is to be closed: it has too many, or has some where there is no room for another stream. Of
  /// one that has none `ConnectionGuard` refuses the stream alone.
  var isOver: Bool {
    let count = kept.withLock { $0 } ?? 0
    return count > Self.most || count > 0 && connections.isFull(for: network)
  }

  /// Counts a stream that has ended. One with its answer makes up for one without: a client that takes something back
  /// now and then keeps its connection.
  func ended(isAnswered: Bool) {
    kept.withLock { count in
      guard let before = count else { return }
      if !isAnswered {
        count = before + 1
        connections.keep(from: network)
      } else if before > 0 {
        count = before - 1
        connections.letGo(1, from: network)
      }
    }
  }

  /// No task works on a stream of this connection any more.
  func done() {
    kept.withLock { count in
      connections.letGo(count ?? 0, from: network)
      count = nil
    }
  }
}
