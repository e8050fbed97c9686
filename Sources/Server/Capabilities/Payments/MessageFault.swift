// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not a message that is taken. It names places, elements and rules, and never what stands in an element:
/// messages are full of names and accounts, and faults go to logs and terminals.
package struct MessageFault: Error, Sendable, Equatable {
  /// From 1; 0 when the fault belongs to the file as a whole.
  package let line: Int
  /// The element at fault, as ISO 20022 names it; empty for the file as a whole.
  package let element: String
  package let reason: String

  package init(line: Int = 0, element: String = "", _ reason: String) {
    (self.line, self.element, self.reason) = (line, element, reason)
  }

  /// A disk failed, and not the message: it can be read again later.
  package static let unreadable = MessageFault("the file cannot be read")
  /// Some of it may have been given out before.
  package static let changed = MessageFault("the file was changed while it was read")
}

extension MessageFault: CustomStringConvertible {
  package var description: String {
    let place = [line > 0 ? "line \(line)" : "", element].filter { !$0.isEmpty }.joined(separator: ", ")
    return place.isEmpty ? reason : "\(place): \(reason)"
  }
}
