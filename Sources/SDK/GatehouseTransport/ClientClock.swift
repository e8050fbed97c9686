/// Waiting, as the SDKs see it. Tests answer at once and keep what was asked.
public struct ClientClock: Sendable {
  private let pauseFor: @Sendable (Duration) async throws(CancellationError) -> Void

  /// Creates a clock from its closure, which throws when the task is cancelled.
  public init(pause: @escaping @Sendable (Duration) async throws(CancellationError) -> Void) { pauseFor = pause }

  /// Waits.
  /// - Throws: when the task is cancelled meanwhile.
  public func pause(for duration: Duration) async throws(CancellationError) { try await pauseFor(duration) }

  /// The device's continuous clock.
  public static let live = ClientClock { (duration) async throws(CancellationError) in
    do { try await ContinuousClock().sleep(for: duration) } catch { throw CancellationError() }
  }
}
