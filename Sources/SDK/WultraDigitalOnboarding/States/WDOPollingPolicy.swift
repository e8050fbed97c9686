// SPDX-License-Identifier: Apache-2.0

/// How often the server is asked while the user waits.
public struct WDOPollingPolicy: Sendable, Equatable {
  /// The first wait; each further one is twice as long, until something happens.
  public var delayFirst: Duration
  /// The longest wait.
  public var delayMax: Duration
  /// So many times in a row the server may not be reached.
  public var failuresMax: Int

  public init(
    delayFirst: Duration = .seconds(1), delayMax: Duration = .seconds(8), failuresMax: Int = 10
  ) {
    self.delayFirst = delayFirst
    self.delayMax = delayMax
    self.failuresMax = failuresMax
  }

  /// - Parameter polls: how often it was asked since something happened.
  func delay(after polls: Int) -> Duration { min(delayMax, delayFirst * (1 << min(polls, 16))) }
}
