// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Streams of events: wherever the parts of a stream are cut, the same events come out.
func fuzz(_ bytes: Data) {
  var (whole, single) = (ServerSentEventReader(), ServerSentEventReader())
  guard let events = try? whole.read(bytes) else { return }
  var pieces: [ServerSentEvent] = []
  for byte in bytes {
    guard let read = try? single.read(Data([byte])) else { preconditionFailure("what is read whole is read in parts") }
    pieces += read
  }
  precondition(pieces == events && single.lastID == whole.lastID)
}
