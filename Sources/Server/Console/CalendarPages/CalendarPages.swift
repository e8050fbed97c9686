// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Identity
import Kit
import Scheduling

/// A week of one agent, day by day, or of all, each in a line.
struct CalendarPage: ConsolePage {
  static var template: [UInt8] { PackageResources.CalendarPage_mustache }
  /// What stands for everybody in the place of an id.
  static let all = "all"
  /// Members on the page of all; the others are found by their own pages.
  private static let rowsMax = 100

  struct Day {
    let weekday: Phrase
    let date: String
    let hours: String?
    let isSingle: Bool
    let calls: [CallEntry]
    let free: Phrase?
  }

  struct CallEntry {
    let href: String
    let time: String
    let customer: String?
    let (reason, state): (Phrase, Phrase)
    let tone: String
  }

  struct Member {
    let href: String
    let name: String
    let cells: [Cell]
  }

  struct Cell {
    let hours: String?
    let calls, free: Phrase?
  }

  struct Leave {
    let id: String
    let from, until: String
  }

  struct WeekDay {
    let number: Int
    let label: Phrase
    let opens, closes: String
  }

  let (first, last, zone): (String, String, String)
  let (before, present, after): (String, String, String)
  /// Of the agent whose week it is; nil on the page of all.
  let name: String?
  let agent: String
  let days: [Day]
  let heads: [Day]
  let members: [Member]
  let leaves: [Leave]
  let week: [WeekDay]
  let (isAll, mayBook): (Bool, Bool)
  /// Where the other view is; nil for those who see their own only.
  let (everybody, own): (String?, String?)
  let (note, fault): (Phrase?, Phrase?)
  let csrf: String
  let foot: StaffFooter

  init(_ page: AgentWeek, note: Phrase?, fault: Phrase?, for visit: StaffVisit) {
    let row = page.isOfOne ? page.rows.first : nil
    let chosen = row?.agentID ?? Self.all
    func link(_ day: CalendarDate?, _ agent: String) -> String {
      "\(CalendarRoutes.base)?\(day.map { "week=\($0)&" } ?? "")agent=\(agent)"
    }
    let (start, end) = (page.days[0], page.days[page.days.count - 1])
    (first, last, zone) = (start.isoText, end.isoText, page.clock.identifier)
    (before, present, after) = (
      link(start.adding(days: -7), chosen), link(nil, chosen), link(start.adding(days: 7), chosen)
    )
    (name, agent, isAll) = (row?.name, chosen, row == nil)
    days = row?.days.map { Day($0, page.clock) } ?? []
    heads = page.days.map { Day(AgentWeek.Day($0, hours: nil, isSingle: false, calls: [], free: []), page.clock) }
    members =
      row != nil
      ? []
      : page.rows.prefix(Self.rowsMax).map { member in
        Member(href: link(start, member.agentID), name: member.name, cells: member.days.map(Cell.init))
      }
    leaves =
      row?.leaves.map { leave in
        Leave(
          id: leave.id.rawValue, from: page.clock.text(leave.time.lowerBound) ?? "–",
          until: page.clock.text(leave.time.upperBound) ?? "–")
      } ?? []
    week = (1...7).map { number in
      let hours = row?.week?.hours(onISOWeekday: number)
      return WeekDay(
        number: number, label: Phrase("weekday_\(number)"), opens: hours.map { WorkingWeek.Hours.text($0.opens) } ?? "",
        closes: hours.flatMap { $0.closes == 1440 ? nil : WorkingWeek.Hours.text($0.closes) } ?? "")
    }
    let leads = visit.member.permissions.contains(.manageStaff)
    mayBook = visit.member.permissions.contains(.attendVideo)
    everybody = leads && row != nil ? link(start, Self.all) : nil
    own = mayBook && chosen != visit.member.id.rawValue ? link(start, visit.member.id.rawValue) : nil
    (self.note, self.fault, csrf, foot) = (note, fault, visit.csrf, StaffFooter(visit))
  }
}

extension CalendarPage.Day {
  init(_ day: AgentWeek.Day, _ clock: LocalTime) {
    (weekday, date) = (Phrase("weekday_\(day.date.isoWeekday)"), day.date.isoText)
    (hours, isSingle) = (day.hours?.written, day.isSingle)
    calls = day.calls.map { CalendarPage.CallEntry($0, clock) }
    free = day.free.isEmpty ? nil : Phrase("calendar_free", ["count": "\(day.free.count)"])
  }
}

extension CalendarPage.CallEntry {
  init(_ line: AgentWeek.Call, _ clock: LocalTime) {
    let call = line.call
    (href, time) = (AgentCallRoutes.path(of: call.id), clock.timeOfDay(call.callTime))
    (customer, state, tone) = (line.name, call.status.phrase, call.status.tone)
    reason = Phrase("call_reason_\(call.reason.rawValue)")
  }
}

extension CalendarPage.Cell {
  init(_ day: AgentWeek.Day) {
    hours = day.hours?.written
    calls = day.calls.isEmpty ? nil : Phrase("calendar_calls", ["count": "\(day.calls.count)"])
    free = day.free.isEmpty ? nil : Phrase("calendar_free", ["count": "\(day.free.count)"])
  }
}

extension WorkingWeek.Hours {
  /// As in `08:00–16:30`.
  fileprivate var written: String { "\(Self.text(opens))–\(Self.text(closes))" }
}

extension LocalTime {
  /// As in `14:15`.
  fileprivate func timeOfDay(_ instant: Instant) -> String { text(instant).map { String($0.suffix(5)) } ?? "–" }
}

/// The free times of a day, of which an agent books one for a customer.
struct BookingPage: ConsolePage {
  static var template: [UInt8] { PackageResources.BookingPage_mustache }

  struct Choice {
    let value: String
    let label: String
  }

  struct ChangeReason {
    let code: String
    let label: Phrase
  }

  let customer: String
  let name: String
  let reason: String
  let why: Phrase
  let day: String
  let zone: String
  /// When the call is that is moved; nil without one.
  let booked: String?
  let bookedPath: String?
  let starts: [Choice]
  let hasStarts: Bool
  let agents: [Choice]
  let whys: [ChangeReason]
  let fault: Phrase?
  let csrf: String
  let foot: StaffFooter

  init(_ offer: CallOffer, _ reason: Appointment.Reason, fault: Phrase?, for visit: StaffVisit) {
    (customer, name, day) = (offer.customer, offer.name ?? "–", offer.day.isoText)
    (self.reason, why, zone) = (
      reason.rawValue, Phrase("call_reason_\(reason.rawValue)"), offer.clock.identifier
    )
    booked = offer.booked.flatMap { offer.clock.text($0.callTime) }
    bookedPath = offer.booked.map { AgentCallRoutes.path(of: $0.id) }
    starts = offer.starts.map { Choice(value: $0.rfc3339, label: offer.clock.timeOfDay($0)) }
    hasStarts = !offer.starts.isEmpty
    agents = offer.agents.map { Choice(value: $0.id, label: $0.name) }
    whys = CallAgent.changeReasons.map { ChangeReason(code: $0, label: Phrase("why_\($0)")) }
    (self.fault, csrf, foot) = (fault, visit.csrf, StaffFooter(visit))
  }
}
