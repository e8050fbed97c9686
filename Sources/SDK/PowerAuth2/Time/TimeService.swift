// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport

/// The published face of the server's time.
final class TimeService: PowerAuthTimeSynchronizationService {
  private let access: ClientAccess

  init(_ access: ClientAccess) { self.access = access }

  var isTimeSynchronized: Bool { access.client?.time.isSynchronized ?? false }
  var localTimeAdjustment: TimeInterval { access.client?.time.adjustment ?? 0 }
  var localTimeAdjustmentPrecision: TimeInterval { access.client?.time.precision ?? 0 }
  func currentTime() -> TimeInterval { access.client?.time.now ?? ClientClock.live.wallTime() }
  func resetTimeSynchronization() { access.client?.time.reset() }

  func synchronizeTime(
    callback: @escaping @Sendable ((any Error)?) -> Void, callbackQueue: DispatchQueue?
  ) -> (any PowerAuthOperationTask)? {
    let queue = callbackQueue ?? .main
    let report: CallTask<Void>.Report = { outcome in
      queue.async {
        switch outcome {
        case .success: callback(nil)
        case .failure(let failure): callback(failure.nsError)
        }
      }
    }
    return access.start(report) { client in try await client.synchronizeTime() }
  }

  func synchronizeTime() async throws {
    try await access.wait { client in try await client.synchronizeTime() }
  }
}
