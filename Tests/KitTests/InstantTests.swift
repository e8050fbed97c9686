// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@Suite("Kit: instants", .storeless)
struct InstantTests {
  @Test(
    "an instant is written as RFC 3339 in UTC with whole seconds, rounded down",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_795_240_800_000, "2026-11-21T06:00:00Z"),
      (1_795_240_800_999, "2026-11-21T06:00:00Z"), (951_782_399_999, "2000-02-28T23:59:59Z"),
      (951_782_400_000, "2000-02-29T00:00:00Z"), (-1_000, "1969-12-31T23:59:59Z"),
      (4_102_444_799_999, "2099-12-31T23:59:59Z"),
    ])
  func written(milliseconds: Int64, text: String) {
    #expect(Instant(milliseconds: milliseconds).rfc3339 == text)
  }

  @Test(
    "RFC 3339 is read with any offset, with and without fractions",
    arguments: [
      ("2026-11-21T06:00:00Z", 1_795_240_800_000), ("2026-11-21T08:00:00+02:00", 1_795_240_800_000),
      ("2026-11-21T00:30:00-05:30", 1_795_240_800_000), ("2026-11-21T06:00:00.5Z", 1_795_240_800_500),
      ("2026-11-21T06:00:00.123Z", 1_795_240_800_123), ("2026-11-21T08:00:00.999+02:00", 1_795_240_800_999),
      ("2026-11-21T06:00:00+00:00", 1_795_240_800_000), ("1969-12-31T23:59:59Z", -1_000),
    ] as [(String, Int64)])
  func read(text: String, milliseconds: Int64) {
    #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
  }

  @Test(
    "what is no such text is refused",
    arguments: [
      "", "2026-11-21", "2026-11-21T06:00:00", "2026-11-21T06:00Z", "06:00:00Z", "2026-13-01T00:00:00Z",
      "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z", "2026-11-21T25:00:00Z", "2026-11-21T06:60:00Z",
      "2026-11-21T06:00:00Zx", "x2026-11-21T06:00:00Z", "2026-11-21T06:00:00Z ", "2026-11-21T06:00:00+2",
      "1795240800", "2026-11-21T06:00:00.Z", "now",
    ])
  func refused(text: String) {
    #expect(Instant(rfc3339: text) == nil)
  }

  @Test("whole seconds survive being written and read")
  func roundTrip() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<500 {
      let instant = Instant(milliseconds: Int64.random(in: 0..<4_102_444_800, using: &generator) * 1000)
      #expect(Instant(rfc3339: instant.rfc3339) == instant)
    }
  }

  @Test("every millisecond survives being a date")
  func dates() {
    for milliseconds in Int64(1_795_240_800_000)..<1_795_240_801_000 {
      let instant = Instant(milliseconds: milliseconds)
      #expect(Instant(instant.date) == instant)
    }
  }

  @Test("durations are added, taken away and measured in milliseconds")
  func arithmetic() {
    let instant = Instant(milliseconds: 1000)
    #expect(instant + .milliseconds(1) == Instant(milliseconds: 1001))
    #expect(instant - .seconds(2) == Instant(milliseconds: -1000))
    #expect(instant + .minutes(1) - instant == .seconds(60))
    #expect((instant + .days(1) - instant).wholeSeconds == 86_400)
    #expect(Duration.hours(2).milliseconds == 7_200_000)
    #expect(Instant(milliseconds: 1999).seconds == 1)
    #expect(instant < instant + .milliseconds(1))
  }
}
