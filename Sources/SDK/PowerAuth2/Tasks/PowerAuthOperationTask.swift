// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// A call under way (powerauth.md §10).
public protocol PowerAuthOperationTask: AnyObject, Sendable {
  /// Ends the call. Its callback is called with `operationCancelled`, unless it was called before.
  func cancel()
  var isCancelled: Bool { get }
}

extension Operation: PowerAuthOperationTask {}
