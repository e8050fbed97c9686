// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import GatehouseTransport
internal import Locks

/// Calls again and again, the first time when an interval has passed: an app that shows a list fetches it once at the
/// beginning (saltedge-authenticator §10.5).
public final class SEPoller: Sendable {
  /// Seconds between two calls.
  public static let intervalDefault: TimeInterval = 3.0
  private static let intervalMin: TimeInterval = 0.01

  private let interval: Duration
  private let clock: ClientClock
  private let handler: @Sendable () async -> Void
  private let polling = Guarded<Task<Void, Never>?>(nil)

  /// - Parameters:
  ///   - interval: in seconds.
  ///   - queue: where the handler is called.
  public convenience init(
    interval: TimeInterval = intervalDefault, queue: DispatchQueue = .main, handler: @escaping @Sendable () -> Void
  ) {
    self.init(interval: interval) {
      await withCheckedContinuation { done in
        queue.async {
          handler()
          done.resume()
        }
      }
    }
  }

  #if canImport(ObjectiveC)
    /// Calls the selector of the target, on the main queue. The target is not kept alive: nothing is called without it.
    public convenience init(targetClass: Any, selector: Selector) {
      // Selectors are not known to be Sendable everywhere; their names are.
      let name = NSStringFromSelector(selector)
      // Set here, and used on the main queue only, where the target expects its calls.
      nonisolated(unsafe) weak var target: (any NSObjectProtocol)?
      target = targetClass as AnyObject as? any NSObjectProtocol
      self.init(interval: Self.intervalDefault) {
        await MainActor.run { _ = target?.perform(NSSelectorFromString(name)) }
      }
    }
  #endif

  private init(interval: TimeInterval, _ handler: @escaping @Sendable () async -> Void) {
    // A longer interval than a day is not used, and one that is no number is the shortest: `max` gives its first
    // argument when it cannot compare.
    self.interval = .milliseconds(Int64(min(max(Self.intervalMin, interval), 86_400) * 1000))
    clock = SEAuthenticatorPlatform.current.clock
    self.handler = handler
  }

  deinit { polling.withLock { $0?.cancel() } }

  /// Begins; nothing happens when it goes already. The next interval begins when the handler has returned.
  public func startPolling() {
    polling.withLock { task in
      guard task == nil else { return }
      // The one place where polling begins: it lasts until `stopPolling`, or until the poller is released.
      task = Task { [interval, clock, handler] in
        while (try? await clock.pause(for: interval)) != nil, !Task.isCancelled { await handler() }
      }
    }
  }

  /// Ends. A call that has begun goes on.
  public func stopPolling() {
    polling.withLock { task in
      task?.cancel()
      task = nil
    }
  }
}
