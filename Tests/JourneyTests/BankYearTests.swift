// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import GatehouseLab

@Suite("Simulation: a year of a whole installation", .storeless)
struct BankYearTests {
  @Test("each month that is over has a statement of each account, which goes on from that of the month before")
  func months() async throws {
    let folder = try TestFolder()
    // January and February, and a day of March.
    let year = BankYear(accounts: 3, days: 60, seed: 5, folder: folder.path, sync: .shared)
    let (ends, checked) = try await year.run { _ in }
    #expect(ends.map(\.statements).filter { $0 > 0 } == [3, 3] && ends.count == 60)
    #expect(checked.statements == 6 && checked.faults.isEmpty, "\(checked.faults)")
  }
}
