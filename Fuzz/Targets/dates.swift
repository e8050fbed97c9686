// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// Dates as print has them: what is read is a day of the calendar, and reads as itself again.
func fuzz(_ bytes: Data) {
  for order in PrintedDate.Order.allCases {
    guard let date = PrintedDate.parse(text(bytes), order) else { continue }
    precondition((1900...2150).contains(date.year))
    precondition(PrintedDate.parse(date.isoText, order) == date)
  }
}
