// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Ledger
@testable import gatehouse

@Suite("Operations: reports count one and many", .storeless)
struct CountedReportTests {
  @Test("each number of a check of the books stands with its word")
  func ledger() {
    var found = LedgerVerification()
    let none = "0 accounts, 0 transfers, 0 declined, 0 entries, 0 open holds, 0 checkpoints"
    #expect(found.summary == "\(none): the books are right.")
    (found.accounts, found.transfers, found.declined) = (1, 1, 1)
    (found.entries, found.openHolds, found.checkpoints) = (1, 1, 1)
    found.add(.init(rule: .held, subject: "one"))
    #expect(found.summary == "1 account, 1 transfer, 1 declined, 1 entry, 1 open hold, 1 checkpoint: 1 fault.")
    found.add(.init(rule: .held, subject: "two"))
    #expect(found.summary.hasSuffix(": 2 faults."))
  }
}
