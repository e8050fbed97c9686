// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Streams of one connection of HTTP/2 that ended without their answers, and still hold memory: its client took them
/// back, or left.
///
/// Such a stream holds some 25 KiB. A client that begins streams and resets them (CVE-2023-44487), or makes one
/// connection after another, would have more of them wait for the store than the node has memory for. So each counts as
/// open until its request is done, which `StreamTaskMiddleware` tells, and its channel is closed as well: its event
/// loop closes it after it has read all that came on all of its connections, and until then its task waits for that.
package final class AbandonedStreams: Sendable {
  /// Those of the connection that the task works for.
  @TaskLocal package static var current: AbandonedStreams?

  /// A stranger's connection with more of them is closed.
  package static let most = 16
  /// One of a proxy, behind which many clients may leave at once: as many streams as the library lets a connection have
  /// open.
  package static let mostOfProxy = 100

  private struct Stream {
    var hasTask = true
    var isClosed = false
    /// Whether it has ended without an answer.
    var isAbandoned = false
  }

  private struct Counts {
    /// Streams whose requests were handed to tasks, by their channels.
    var streams: [ObjectIdentifier: Stream] = [:]
    /// Of those, how many have ended without an answer.
    var abandoned = 0
  }

  private let connections: ConnectionCount
  private let network: String?
  private let most: Int
  /// Nil when the tasks are done.
  private let counts = Mutex<Counts?>(Counts())

  /// - Parameter network: that of the peer; nil for what is not counted by it.
  package init(_ connections: ConnectionCount, from network: String?) {
    (self.connections, self.network) = (connections, network)
    most = connections.limits.ofNetworkMax == nil ? Self.mostOfProxy : Self.most
  }

  /// Whether the connection is to be closed: it has too many, or has some where there is no room for another stream. Of
  /// one that has none `ConnectionGuard` refuses the stream alone.
  package var isOver: Bool {
    let abandoned = counts.withLock { $0?.abandoned ?? 0 }
    return abandoned > most || abandoned > 0 && connections.isFull(for: network)
  }

  /// Counts its connection as closed for them, or for its small frames.
  package func closed() { connections.closedAbandoning() }

  /// The head of a stream's request is handed to its task.
  package func taskBegan(_ stream: ObjectIdentifier) {
    counts.withLock { $0?.streams[stream] = Stream() }
  }

  /// Counts a stream that has ended, before its channel is closed.
  /// - Parameter isAnswered: nil where this node ended it without an answer. Its task has nothing more to do then, and
  ///   of one that is answered as little.
  package func ended(_ stream: ObjectIdentifier, isAnswered: Bool?) {
    counts.withLock { counts in
      guard counts?.streams[stream]?.isAbandoned == false else { return }
      guard isAnswered == false else {
        counts?.streams[stream] = nil
        return
      }
      counts?.streams[stream]?.isAbandoned = true
      counts?.abandoned += 1
      connections.keep(from: network)
    }
  }

  /// The task of a stream has nothing more to do. Its channel lives until then, so that no other has its name.
  package func taskEnded(_ stream: ObjectIdentifier) { change(stream) { $0.hasTask = false } }

  /// The channel of a stream is closed, and is let go by its task next.
  package func closed(_ stream: ObjectIdentifier) { change(stream) { $0.isClosed = true } }

  private func change(_ name: ObjectIdentifier, _ change: (inout Stream) -> Void) {
    counts.withLock { counts in
      guard var stream = counts?.streams[name] else { return }
      change(&stream)
      guard !stream.hasTask, stream.isClosed else {
        counts?.streams[name] = stream
        return
      }
      counts?.streams[name] = nil
      guard stream.isAbandoned else { return }
      counts?.abandoned -= 1
      connections.letGo(1, from: network)
    }
  }

  /// No task works on a stream of this connection any more.
  package func done() {
    counts.withLock { counts in
      connections.letGo(counts?.abandoned ?? 0, from: network)
      counts = nil
    }
  }
}
