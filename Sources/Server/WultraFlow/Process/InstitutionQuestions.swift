// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension Dossiers {
  /// What the calls of one process may ask the institution or the vendor of a scanning library, and tell of consents.
  /// A device proves itself for each call, and could have any number of them asked otherwise. A person comes to far
  /// fewer than 240 in an hour.
  static let questions = RateLimit("wultra-questions", 240, per: .hours(1))

  /// Counts a question before it is asked.
  /// - Throws: `Problem` rate-limited.
  func spendQuestion(of dossier: Dossier, in tx: any SQLTransaction) throws {
    try core.limits.spend(Self.questions, by: dossier.process.id.rawValue, isTold: false, in: tx)
  }
}
