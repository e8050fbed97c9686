import Foundation
import Synchronization

/// Runs image work on a bounded number of threads of its own, so that it never blocks the cooperative pool.
package final class EvidenceQueue: Sendable {
  private let operations: OperationQueue
  private let waiting = Mutex(0)
  private let waitingMax: Int

  /// Too much image work is waiting: ask again later.
  package struct Busy: Error, Sendable {}

  /// - Parameters:
  ///   - concurrencyMax: images in work at once; each takes one core and up to some 300 MB.
  ///   - waitingMax: images that may wait for a place.
  package init(concurrencyMax: Int, waitingMax: Int = 64) {
    operations = OperationQueue()
    operations.name = "evidence"
    operations.maxConcurrentOperationCount = max(1, concurrencyMax)
    operations.qualityOfService = .userInitiated
    self.waitingMax = waitingMax + max(1, concurrencyMax)
  }

  /// - Throws: `Busy`, or what `work` throws.
  package func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    let admitted = waiting.withLock { count in
      guard count < waitingMax else { return false }
      count += 1
      return true
    }
    guard admitted else { throw Busy() }
    defer { waiting.withLock { $0 -= 1 } }
    return try await withCheckedThrowingContinuation { continuation in
      operations.addOperation { continuation.resume(with: Result { try work() }) }
    }
  }
}
