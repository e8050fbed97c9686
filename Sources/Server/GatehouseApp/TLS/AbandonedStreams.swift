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

  private struct Counts {
    /// Those that no stream with its answer made up for.
    var left = 0
    /// Those that count as open, as some still do that others made up for.
    var open = 0
  }

  private let connections: ConnectionCount
  private let network: String?
  /// Nil when the tasks are done.
  private let counts = Mutex<Counts?>(Counts())

  /// - Parameter network: that of the peer; nil for what is not counted by it.
  init(_ connections: ConnectionCount, from network: String?) {
    (self.connections, self.network) = (connections, network)
  }

  /// Whether the connection is to be closed: it has too many, or has some where there is no room for another stream. Of
  /// one that has none `ConnectionGuard` refuses the stream alone.
  var isOver: Bool {
    let (left, open) = counts.withLock { ($0?.left ?? 0, $0?.open ?? 0) }
    return left > Self.most || open > 0 && connections.isFull(for: network)
  }

  /// Counts its connection as closed for them.
  func closed() { connections.closedAbandoning() }

  /// Counts a stream that has ended. One with its answer makes up for one without: a client that takes something back
  /// now and then keeps its connection.
  /// - Returns: whether it did, so that one without is to be let go once its task had time to end: an answer that comes
  ///   at once tells nothing of that task.
  @discardableResult
  func ended(isAnswered: Bool) -> Bool {
    counts.withLock { counts -> Bool in
      guard var now = counts else { return false }
      if isAnswered {
        guard now.left > 0 else { return false }
        now.left -= 1
      } else {
        now.left += 1
        now.open += 1
        connections.keep(from: network)
      }
      counts = now
      return isAnswered
    }
  }

  /// One that another made up for counts as open no more.
  func letGo() {
    counts.withLock { counts in
      guard var now = counts, now.open > 0 else { return }
      now.open -= 1
      counts = now
      connections.letGo(1, from: network)
    }
  }

  /// No task works on a stream of this connection any more.
  func done() {
    counts.withLock { counts in
      connections.letGo(counts?.open ?? 0, from: network)
      counts = nil
    }
  }
}
