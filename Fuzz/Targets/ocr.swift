// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

private let today = CalendarDate("2026-11-24")!

func fuzz(_ bytes: Data) {
  switch MRZRecognition.repair(ocrText: text(bytes), referenceDate: today) {
  case .accepted(let reading): precondition(reading.result.allCheckDigitsHold)
  case .unreadable(let reasons): precondition(!reasons.isEmpty)
  }
}
