// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit
import TestSupport
import Testing

@testable import Scheduling

@Suite("Appointments: which slots there are (11. slots: holiday, leave, DST change)", .storeless)
struct SlotCalendarTests {
  let roster = AgentRoster(agents: [.amal, .badr])

  func slots(
    _ policy: AppointmentPolicy, _ date: String, now: String = "2026-11-21T00:00:00Z", roster: AgentRoster? = nil,
    suiting preference: AgentPreference = .anyone, booked: [SlotCalendar.BookedCall] = []
  ) -> [SlotCalendar.Slot] {
    SlotCalendar(policy).slots(
      from: Wall.day(date), through: Wall.day(date), now: Wall.instant(now), roster: roster ?? self.roster,
      suiting: preference,
      booked: booked)
  }

  @Test("a working day is cut into quarters of an hour, each named by its start and length")
  func grid() {
    let all = slots(.test(), "2026-11-22")
    #expect(all.count == 32)
    #expect(all.first?.id == "2026-11-22T05:00:00Z/PT15M")
    #expect(all.last?.end == Wall.instant("2026-11-22T13:00:00Z"))
    #expect(all.allSatisfy { $0.capacityLeft == 2 })
  }

  @Test("opening hours that are off the grid give only slots that lie on it and end in time")
  func oddHours() {
    let all = slots(.test(opens: "08:05", closes: "09:10"), "2026-11-22")
    #expect(all.map(\.start.rfc3339) == ["2026-11-22T05:15:00Z", "2026-11-22T05:30:00Z", "2026-11-22T05:45:00Z"])
  }

  @Test("a closed day of the week and a holiday have no slots")
  func closed() {
    #expect(slots(.test(days: [7, 1, 2, 3, 4]), "2026-11-27").isEmpty)  // a Friday
    #expect(!slots(.test(days: [7, 1, 2, 3, 4]), "2026-11-26").isEmpty)
    #expect(slots(.test(holidays: [Wall.day("2026-11-26")]), "2026-11-26").isEmpty)
    #expect(!slots(.test(holidays: [Wall.day("2026-11-26")]), "2026-11-25").isEmpty)
  }

  @Test("an agent's leave takes the agent's places, and only those it touches")
  func leave() {
    let away = AgentLeave(
      id: .init(rawValue: "1"), agentID: "amal",
      time: Wall.instant("2026-11-22T06:10:00Z")..<Wall.instant("2026-11-22T07:00:00Z"))
    let all = slots(.test(), "2026-11-22", roster: AgentRoster(agents: [.amal, .badr], leave: [away]))
    #expect(
      all.filter { $0.capacityLeft == 1 }.map(\.start.rfc3339)
        == ["2026-11-22T06:00:00Z", "2026-11-22T06:15:00Z", "2026-11-22T06:30:00Z", "2026-11-22T06:45:00Z"])
    let women = AgentPreference(gender: "F", language: nil)
    #expect(
      slots(.test(), "2026-11-22", roster: AgentRoster(agents: [.amal, .badr], leave: [away]), suiting: women).count
        == 28)
  }

  @Test("gender and language wishes count only the agents who suit them")
  func preferences() {
    let roster = AgentRoster(agents: [.amal, .badr, .carl])
    func capacity(_ gender: String?, _ language: String?) -> Int {
      slots(.test(), "2026-11-22", roster: roster, suiting: .init(gender: gender, language: language))
        .first?.capacityLeft ?? 0
    }
    #expect(capacity(nil, nil) == 3)
    #expect(capacity("F", nil) == 1)
    #expect(capacity("M", nil) == 2)
    #expect(capacity(nil, "ar") == 2)
    #expect(capacity(nil, "ar-KW") == 2)
    #expect(capacity(nil, "EN") == 2)
    #expect(capacity("M", "en") == 1)
    #expect(capacity("F", "de") == 0)
    #expect(capacity(nil, "d") == 0)
  }

  @Test("the lead time of 30 minutes is exact")
  func leadTime() {
    #expect(
      slots(.test(), "2026-11-22", now: "2026-11-22T05:30:00Z").first?.start == Wall.instant("2026-11-22T06:00:00Z"))
    #expect(
      slots(.test(), "2026-11-22", now: "2026-11-22T05:30:01Z").first?.start == Wall.instant("2026-11-22T06:15:00Z"))
    let calendar = SlotCalendar(.test())
    #expect(
      calendar.availability(of: Wall.instant("2026-11-22T06:00:00Z"), now: Wall.instant("2026-11-22T05:30:00Z"))
        == .open)
    #expect(
      calendar.availability(of: Wall.instant("2026-11-22T06:00:00Z"), now: Wall.instant("2026-11-22T05:30:01Z"))
        == .tooSoon
    )
    #expect(
      calendar.availability(of: Wall.instant("2026-11-22T06:07:00Z"), now: Wall.instant("2026-11-22T05:30:00Z"))
        == .closed)
  }

  @Test("the horizon of 14 days is exact")
  func horizon() {
    let now = "2026-11-22T06:00:00Z"
    #expect(slots(.test(), "2026-12-06", now: now).last?.start == Wall.instant("2026-12-06T06:00:00Z"))
    #expect(slots(.test(), "2026-12-07", now: now).isEmpty)
    let calendar = SlotCalendar(.test())
    #expect(calendar.availability(of: Wall.instant("2026-12-06T06:00:00Z"), now: Wall.instant(now)) == .open)
    #expect(calendar.availability(of: Wall.instant("2026-12-06T06:15:00Z"), now: Wall.instant(now)) == .beyondHorizon)
  }

  @Test("a question over all time is answered for the days that can be booked")
  func boundedQuestion() {
    let all = SlotCalendar(.test()).slots(
      from: Wall.day("0001-01-01"), through: Wall.day("9999-12-31"), now: Wall.instant("2026-11-21T00:00:00Z"),
      roster: roster,
      suiting: .anyone, booked: [])
    #expect(all.count == 32 * 14)
    #expect(
      SlotCalendar(.test()).slots(
        from: Wall.day("2026-11-24"), through: Wall.day("2026-11-23"), now: Wall.instant("2026-11-21T00:00:00Z"),
        roster: roster,
        suiting: .anyone, booked: []
      ).isEmpty)
  }

  @Test(
    "a day on which clocks change has 23 or 25 hours, elsewhere 24",
    arguments: [
      ("Europe/Berlin", "2026-03-28", 96), ("Europe/Berlin", "2026-03-29", 92), ("Europe/Berlin", "2026-10-25", 100),
      ("America/New_York", "2026-03-08", 92), ("America/New_York", "2026-11-01", 100),
      ("Asia/Kuwait", "2026-03-29", 96), ("Asia/Kuwait", "2026-10-25", 96), ("Asia/Kuwait", "2026-11-01", 96),
      ("Australia/Lord_Howe", "2026-10-04", 94), ("Asia/Kathmandu", "2026-03-29", 96),
    ])
  func fullDays(zone: String, date: String, count: Int) throws {
    let starts = SlotCalendar(.test(zone, opens: "00:00", closes: "24:00")).starts(on: Wall.day(date))
    #expect(starts.count == count)
    #expect(Set(starts).count == count)
    #expect(zip(starts, starts.dropFirst()).allSatisfy { $0 + .minutes(15) == $1 })
  }

  @Test(
    "opening hours keep to the clock on the wall across a change of it",
    arguments: [
      ("Europe/Berlin", "2026-10-24", "2026-10-24T06:00:00Z"), ("Europe/Berlin", "2026-10-25", "2026-10-25T07:00:00Z"),
      ("Europe/Berlin", "2026-03-28", "2026-03-28T07:00:00Z"), ("Europe/Berlin", "2026-03-29", "2026-03-29T06:00:00Z"),
      ("America/New_York", "2026-10-31", "2026-10-31T12:00:00Z"),
      ("America/New_York", "2026-11-01", "2026-11-01T13:00:00Z"),
      ("America/New_York", "2026-03-08", "2026-03-08T12:00:00Z"),
    ])
  func wallClock(zone: String, date: String, opens: String) {
    #expect(SlotCalendar(.test(zone)).starts(on: Wall.day(date)).first == Wall.instant(opens))
  }

  @Test("a skipped opening time opens at the change; a repeated hour belongs to the opening hours twice")
  func skippedAndRepeated() {
    let spring = SlotCalendar(.test("Europe/Berlin", opens: "02:30", closes: "04:00")).starts(
      on: Wall.day("2026-03-29"))
    #expect(spring.map(\.rfc3339).first == "2026-03-29T01:00:00Z")
    #expect(spring.count == 4)
    let shut = SlotCalendar(.test("Europe/Berlin", opens: "02:00", closes: "03:00")).starts(on: Wall.day("2026-03-29"))
    #expect(shut.isEmpty)
    let autumn = SlotCalendar(.test("Europe/Berlin", opens: "02:30", closes: "02:45")).starts(
      on: Wall.day("2026-10-25"))
    #expect(
      autumn.map(\.rfc3339) == [
        "2026-10-25T00:30:00Z", "2026-10-25T00:45:00Z", "2026-10-25T01:00:00Z", "2026-10-25T01:15:00Z",
        "2026-10-25T01:30:00Z",
      ])
  }

  @Test("hours that are no hours are refused")
  func badHours() {
    #expect(WorkingWeek.Hours("16:00", "08:00") == nil)
    #expect(WorkingWeek.Hours("8:00", "16:00") == nil)
    #expect(WorkingWeek.Hours("08:00", "24:15") == nil)
    #expect(WorkingWeek.Hours("08:60", "16:00") == nil)
    #expect(LocalTime(zone: "Nowhere/Atlantis") == nil)
  }

  @Test("a zone has the name that the institution gave it", arguments: ["UTC", "Asia/Kuwait"])
  func zoneName(name: String) {
    #expect(LocalTime(zone: name)?.identifier == name)
  }
}
