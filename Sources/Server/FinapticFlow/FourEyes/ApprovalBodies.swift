// SPDX-License-Identifier: Apache-2.0

/// What a client that approves sends. It gets `ApprovalView`, as the desk does.
enum ApprovalBodies {
  struct Decision: Decodable, Sendable {
    let decision: String

    /// Nil for any other word.
    var agreeing: Bool? {
      switch decision {
      case "approved": true
      case "refused": false
      default: nil
      }
    }
  }

  /// Nothing has to be said.
  struct Withdrawal: Decodable, Sendable {}
}
