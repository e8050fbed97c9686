// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit

/// Effects that were given up, the oldest first.
struct DeadLettersPage: ConsolePage {
  static var template: [UInt8] { PackageResources.DeadLettersPage_mustache }

  struct Row {
    let path: String
    let topic: String
    let subject: String
    let attempts: Count
    let since: Moment
    let reason: String
  }

  let (due, leased, failing, all): (Count, Count, Count, Count)
  let rows: [Row]
  let hasRows: Bool
  let csrf: String
  let fault: Phrase?
  let foot: StaffFooter

  init(_ gauge: OutboxGauge, _ letters: [DeadLetter], fault: Phrase?, for visit: StaffVisit) {
    (due, leased) = (Count(gauge.count(.due)), Count(gauge.count(.leased)))
    (failing, all) = (Count(gauge.count(.failing)), Count(gauge.count(.deadLettered)))
    rows = letters.map { letter in
      Row(
        path: "\(DeadLetterRoutes.base)/\(letter.id)", topic: letter.topic, subject: letter.subject,
        attempts: Count(letter.attempts), since: Moment(letter.enqueuedAt), reason: letter.reason)
    }
    (hasRows, csrf) = (!rows.isEmpty, visit.csrf)
    (self.fault, foot) = (fault, StaffFooter(visit))
  }
}
