// SPDX-License-Identifier: Apache-2.0

/// A customer who goes through a flow by an SDK while things break: after every failure the app asks where it stands
/// and goes on from there, and it keeps what it was told.
protocol ChaosCustomer: Sendable {
  /// Has the pictures read that others have stepped over.
  var hasPictures: Bool { get }
  /// Steps that the server said were reached.
  var stepsTold: Int { get }
  /// Calls that were answered well.
  var calls: Int { get }
  /// Failures that were met and passed, by kind.
  var troubles: [String: Int] { get }

  /// Goes on until nothing is left to do, or the time is over.
  mutating func play(until end: ContinuousClock.Instant) async

  /// Holds what the customer was told against what the server says now.
  func faults() async -> [String]
}

/// Where customers come from, and who serves them.
protocol ChaosScene: Sendable {
  func customer(_ serial: Int, hasPictures: Bool) -> any ChaosCustomer

  /// What the nodes answered so far, by HTTP status, where they are counted.
  var answers: [Int: Int] { get }

  /// Lets customers play while the institution's people do their part.
  func attended(_ play: @escaping @Sendable () async -> [any ChaosCustomer]) async throws -> [any ChaosCustomer]
}

extension ChaosScene {
  var answers: [Int: Int] { [:] }

  func attended(_ play: @escaping @Sendable () async -> [any ChaosCustomer]) async throws -> [any ChaosCustomer] {
    await play()
  }
}
