// SPDX-License-Identifier: Apache-2.0

internal import GatehouseTransport

/// What is said in debug mode: which exchange, and how it ended. No token, number, address, code or path.
package struct ActivationLog: Sendable {
  private let write: @Sendable (String) -> Void

  package init(write: @escaping @Sendable (String) -> Void) { self.write = write }

  /// Says nothing.
  package static let silent = ActivationLog { _ in }

  func exchange(_ step: CallStep, _ status: Int) { write("OneAssistSDK: \(step): \(status)") }
  func exchange(_ step: CallStep, _ error: TransportError) { write("OneAssistSDK: \(step): \(error.code.rawValue)") }
}
