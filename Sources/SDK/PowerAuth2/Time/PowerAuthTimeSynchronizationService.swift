// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The server's time on this device (powerauth.md §4.6, §10). Encrypted requests and token headers carry it.
public protocol PowerAuthTimeSynchronizationService: AnyObject, Sendable {
  /// Whether the server's time is known. Setting the device's clock makes it unknown again.
  var isTimeSynchronized: Bool { get }
  /// Seconds to add to the device's clock.
  var localTimeAdjustment: TimeInterval { get }
  /// Seconds by which the adjustment may be off.
  var localTimeAdjustmentPrecision: TimeInterval { get }
  /// Seconds since 1970 by the server's clock, or by the device's while the server's is not known.
  func currentTime() -> TimeInterval
  /// Asks the server for its time.
  /// - Parameters:
  ///   - callback: called once; nil is success.
  ///   - callbackQueue: the main queue when nil.
  @preconcurrency @discardableResult
  func synchronizeTime(
    callback: @escaping @Sendable ((any Error)?) -> Void, callbackQueue: DispatchQueue?
  ) -> (any PowerAuthOperationTask)?
  /// Asks the server for its time.
  func synchronizeTime() async throws
  /// Forgets the server's time.
  func resetTimeSynchronization()
}
