// SPDX-License-Identifier: Apache-2.0

/// What is asked once a body is there, before it is handed on.
///
/// A type of its own: in a task-local value that is a function itself, optimised code of another module has no type for
/// it (Swift 6.3.1), and the program ends with a fault where the value is set.
package struct BodyCheck: Sendable {
  /// - Throws: what keeps the body from being handed on.
  let ask: @Sendable () async throws -> Void

  package init(_ ask: @escaping @Sendable () async throws -> Void) { self.ask = ask }
}
