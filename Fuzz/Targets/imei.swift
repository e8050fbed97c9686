// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The text of a screenshot of a phone's identifiers, as a recogniser gives it.
func fuzz(_ bytes: Data) {
  for allowsTest in [true, false] {
    guard let reading = IMEIReading(text: text(bytes), allowsTest: allowsTest) else { continue }
    precondition(reading.secondary != reading.primary)
  }
}
