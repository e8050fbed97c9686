// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Locks

/// The one instance that an app has (finaptic §2.2). Of attempts that run side by side the first success wins.
final class FinapticInstances: Sendable {
  private let first = Guarded<FinapticSDK?>(nil)

  func initialize(
    sdkKey: String, options: FinapticOptions, completion: @escaping FinapticCompletion<FinapticSDK>
  ) {
    let callback = Callback(completion)
    Task {
      let outcome: Result<FinapticSDK, FinapticError>
      do throws(FinapticError) {
        if let existing = first.withLock({ $0 }) {
          outcome = .success(existing)
        } else {
          let new = try await FinapticSDK.make(sdkKey: sdkKey, options: options)
          outcome = .success(
            first.withLock { first in
              let winner = first ?? new
              first = winner
              return winner
            })
        }
      } catch {
        outcome = first.withLock { $0 }.map { .success($0) } ?? .failure(error)
      }
      callback.deliver(on: options.queue) { outcome }
    }
  }
}
