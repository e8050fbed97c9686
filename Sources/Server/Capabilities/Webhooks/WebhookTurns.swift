import Synchronization

/// How many calls of each endpoint this process has under way: one that hangs must not take every lane.
final class WebhookTurns: Sendable {
  private let max: Int
  private let begun = Mutex<[WebhookEndpoint.ID: Int]>([:])

  init(max: Int) { self.max = max }

  /// - Returns: false when the endpoint has its share already.
  func begin(_ id: WebhookEndpoint.ID) -> Bool {
    begun.withLock { begun in
      guard begun[id, default: 0] < max else { return false }
      begun[id, default: 0] += 1
      return true
    }
  }

  func end(_ id: WebhookEndpoint.ID) {
    begun.withLock { begun in begun[id] = begun[id].flatMap { $0 > 1 ? $0 - 1 : nil } }
  }
}
