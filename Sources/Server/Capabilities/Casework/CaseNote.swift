// SPDX-License-Identifier: Apache-2.0

import Kit

/// What a colleague wrote about a case, for colleagues.
package struct CaseNote: Sendable, Equatable {
  package typealias ID = Identifier<CaseNote>

  package static let lengthMax = 4000

  package let id: ID
  package let author: String
  package let words: String
  package let writtenAt: Instant
}
