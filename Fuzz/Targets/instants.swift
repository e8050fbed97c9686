// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

/// Days and instants of bodies, queries and paths: whatever is taken is written and read again.
func fuzz(_ bytes: Data) {
  let value = text(bytes)
  if let day = WireDate(value) {
    precondition(day.description == value && WireDate(daysSince1970: day.daysSince1970) == day)
  }
  if let instant = WireInstant(value) { precondition(WireInstant(instant.description) == instant) }
  if let instant = FinapticAPI.Instant(value) {
    precondition(FinapticAPI.Instant(instant.description) == instant)
    precondition(FinapticAPI.Instant(instant.date).description.utf8.count == 27)
  }
}
