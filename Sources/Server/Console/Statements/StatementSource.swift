// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit

/// Where the console gets the monthly statements of customers' accounts from: the flow that makes them. Each call is a
/// line of the audit log.
package struct StatementSource: Sendable {
  /// A statement as the page lists it.
  package struct Row: Sendable {
    package let id: String
    /// As in `2026-10`.
    package let month: String
    /// 1, and one more for each correction.
    package let revision: Int
    package let createdAt: Instant
    /// SHA-256 of the PDF.
    package let digest: String

    package init(id: String, month: String, revision: Int, createdAt: Instant, digest: String) {
      (self.id, self.month, self.revision) = (id, month, revision)
      (self.createdAt, self.digest) = (createdAt, digest)
    }
  }

  /// The statements of an account of the member's institution, the latest month first.
  let list: @Sendable (_ account: String, _ member: StaffMember) async throws -> [Row]
  /// A document as it was given out. `form` is `pdf` or `xml`.
  let document:
    @Sendable (_ statement: String, _ form: String, _ account: String, _ member: StaffMember) async throws -> Data

  /// - Parameters: each throws `Problem` not found for an account or a statement of another institution.
  package init(
    list: @escaping @Sendable (_ account: String, _ member: StaffMember) async throws -> [Row],
    document:
      @escaping @Sendable (_ statement: String, _ form: String, _ account: String, _ member: StaffMember) async throws
      -> Data
  ) { (self.list, self.document) = (list, document) }
}
