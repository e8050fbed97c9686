// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

private let today = CalendarDate("2026-11-24")!

func fuzz(_ bytes: Data) {
  let lines = text(bytes).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  let result = MRZ.parse(lines: lines, referenceDate: today)
  precondition(result.valid == result.errors.isEmpty)
  if result.valid, let record = result.record { precondition((try? MRZ.lines(of: record)) == lines) }
}
