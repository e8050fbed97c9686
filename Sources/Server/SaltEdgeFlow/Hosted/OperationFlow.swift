// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where an operation stands that a bank without a server of its own wants confirmed.
package enum OperationState: String, Sendable, CaseIterable, SQLConvertible {
  /// Shown as a QR code: whoever picks it up becomes its customer.
  case offered
  /// Waits for its customer.
  case pending
  case confirmed, denied, expired, cancelled
}

package enum OperationEvent: String, Sendable, CaseIterable {
  /// A device picked it up, and has to confirm it still.
  case pickedUp
  /// A device picked it up, and that is all it takes.
  case accepted
  case confirmed, denied, expired, cancelled
}

package enum OperationEffect: String, Sendable {
  /// The bank learns how it ended.
  case notifyProvider
}

/// The life of an operation, whatever wire its customer's devices speak. Of every end its bank hears, also of one that
/// another of its systems asked for. Diagram: docs/flows/saltedge-operation.mmd.
package let operationFlow: TransitionTable<OperationState, OperationEvent, OperationEffect> = .init([
  .init(.offered, on: .pickedUp, to: .pending),
  .init(.offered, on: .accepted, to: .confirmed, do: .notifyProvider),
  .init(.offered, on: .expired, to: .expired, do: .notifyProvider),
  .init(.offered, on: .cancelled, to: .cancelled, do: .notifyProvider),
  .init(.pending, on: .confirmed, to: .confirmed, do: .notifyProvider),
  .init(.pending, on: .denied, to: .denied, do: .notifyProvider),
  .init(.pending, on: .expired, to: .expired, do: .notifyProvider),
  .init(.pending, on: .cancelled, to: .cancelled, do: .notifyProvider),
])
