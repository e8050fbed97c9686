// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Scheduling

/// `/console/calendar/…`: the weeks of agents, their leaves and hours, and the calls that they book for customers.
/// Members see and change their own calendar; those who have `manage:staff` change the calendars of all.
package struct CalendarRoutes: Sendable {
  package static let base = "\(StaffRoutes.base)/calendar"

  private let signIn: StaffSignIn
  private let source: any CalendarSource

  package init(_ signIn: StaffSignIn, _ source: any CalendarSource) { (self.signIn, self.source) = (signIn, source) }

  package func add(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(Self.base))
    group.get(
      "",
      use: page { visit, request in
        let query = request.uri.queryParameters
        return try await week(visit, day: query.get("week"), whose: query.get("agent"))
      })
    group.post(
      "leave",
      use: change { form, member, agent in
        let calls = try await source.addLeave(
          from: form["from"] ?? "", until: form["until"] ?? "", of: member, by: agent)
        return calls == 0 ? Phrase("staff_leave_added") : Phrase("staff_leave_calls", ["count": "\(calls)"])
      })
    group.post(
      "leave/remove",
      use: change { form, _, agent in
        try await source.removeLeave(.init(rawValue: form["leave"] ?? ""), by: agent)
        return Phrase("staff_leave_removed")
      })
    group.post(
      "hours",
      use: change { form, member, agent in
        var week: [Int: WorkingWeek.Hours] = [:]
        for day in 1...7 { week[day] = try Self.hours(form, "opens_\(day)", "closes_\(day)") }
        try await source.setWeek(week, of: member, by: agent)
        return Phrase("calendar_hours_set")
      })
    group.post(
      "day",
      use: change { form, member, agent in
        guard let day = form["day"].flatMap({ CalendarDate($0[...]) }) else { throw Self.noDay }
        let hours: AgentHours.Day? =
          form["as_week"] == "yes" ? nil : .some(try Self.hours(form, "opens", "closes"))
        try await source.setDay(hours, on: day, of: member, by: agent)
        return Phrase("calendar_hours_set")
      })
    group.get(
      "book",
      use: page { visit, request in
        let query = request.uri.queryParameters
        return try await offer(
          visit, customer: query.get("customer"), reason: query.get("reason"), day: query.get("day"))
      })
    group.post("book", use: page(book))
  }

  // MARK: Pages

  private func week(
    _ visit: StaffVisit, day: String?, whose: String?, note: Phrase? = nil, fault: Phrase? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let week = try await source.week(
      around: day.flatMap { CalendarDate($0[...]) }, of: Self.part(whose, of: visit.member), for: visit.callAgent)
    return try CalendarPage(week, note: note, fault: fault, for: visit).response(status: status)
  }

  private func offer(
    _ visit: StaffVisit, customer: String?, reason: String?, day: String?, fault: Phrase? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    try await signIn.require(.attendVideo, of: visit)
    guard let id = customer?.trimmingCharacters(in: .whitespaces).canonicalUUID else { throw Problem.notFound }
    let reason = reason.flatMap(Appointment.Reason.init(rawValue:)) ?? .verification
    let offer = try await source.offer(
      to: id, reason, on: day.flatMap { CalendarDate($0[...]) }, by: visit.callAgent)
    return try BookingPage(offer, reason, fault: fault, for: visit).response(status: status)
  }

  /// Books, then shows the call. What is refused is said beside the free times.
  @Sendable
  private func book(_ visit: StaffVisit, _ request: Request) async throws -> Response {
    let form = try await StaffForm.read(request, csrf: visit.csrf)
    do {
      guard let customer = form["customer"]?.canonicalUUID else { throw Problem.notFound }
      guard let start = form["start"].flatMap({ Instant(rfc3339: $0) }) else {
        throw Problem.validation([.init("/call_time", "not-a-slot", "Choose a time.")])
      }
      let booking = CallBooking(
        customer: customer, start: start,
        reason: form["reason"].flatMap(Appointment.Reason.init(rawValue:)) ?? .verification,
        agent: form["agent"].flatMap { $0.isEmpty ? nil : $0 }, why: form["why"] ?? "")
      let call = try await source.book(booking, by: visit.callAgent)
      return StaffRoutes.redirect(AgentCallRoutes.path(of: call.id))
    } catch let problem as Problem where [.conflict, .unprocessable, .gone].contains(problem.category) {
      let fault =
        problem.code == "step-out-of-order" ? Phrase("booking_out_of_order") : Phrase(firstOf: problem)
      return try await offer(
        visit, customer: form["customer"], reason: form["reason"], day: form["day"], fault: fault,
        status: problem.status)
    }
  }

  // MARK: Who calls

  private typealias Change = @Sendable (FormFields, StaffMember.ID?, CallAgent) async throws -> Phrase

  /// For those who take calls or look after those who do.
  private func page(
    _ show: @escaping @Sendable (StaffVisit, Request) async throws -> Response
  ) -> StaffSignIn.Handler {
    signIn.page(for: nil) { [signIn] visit, request, _ in
      let leads = visit.member.permissions.contains(.manageStaff)
      try await signIn.require(leads ? .manageStaff : .attendVideo, of: visit)
      return try await show(visit, request)
    }
  }

  /// A form of the calendar, which is shown again with what came of it.
  private func change(_ work: @escaping Change) -> StaffSignIn.Handler {
    page { visit, request in
      let form = try await StaffForm.read(request, csrf: visit.csrf)
      let whose = form["agent"] ?? visit.member.id.rawValue
      do {
        let note = try await work(form, StaffMember.ID(rawValue: whose), visit.callAgent)
        return try await week(visit, day: form["week"], whose: whose, note: note)
      } catch let problem as Problem where [.unprocessable, .conflict].contains(problem.category) {
        return try await week(
          visit, day: form["week"], whose: whose, fault: Phrase(firstOf: problem), status: problem.status)
      }
    }
  }

  private static func part(_ whose: String?, of member: StaffMember) -> AgentWeek.Part {
    switch whose ?? "" {
    case CalendarPage.all: .everybody
    case "": member.permissions.contains(.attendVideo) ? .own : .everybody
    case let id: .member(id.lowercased())
    }
  }

  private static let noDay = Problem.validation([.init("/date", "range", "A day from today to a year ahead.")])

  /// Nil where both fields are empty: no calls. One that is empty is the begin or the end of the day, which a field for
  /// a time cannot hold.
  private static func hours(_ form: FormFields, _ opens: String, _ closes: String) throws -> WorkingWeek.Hours? {
    let (opens, closes) = (form[opens] ?? "", form[closes] ?? "")
    guard !opens.isEmpty || !closes.isEmpty else { return nil }
    guard
      let hours = WorkingWeek.Hours(opens.isEmpty ? "00:00" : opens, closes.isEmpty ? "24:00" : closes)
    else {
      throw Problem.validation([.init("/hours", "invalid", "Hours go from a time to a later one.")])
    }
    return hours
  }
}
