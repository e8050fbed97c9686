// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Identity
import Kit
import Scheduling

/// A page on which a browser holds a call. Its script asks for camera and microphone when the reader joins, and not
/// before.
protocol CallPage: Page {
  /// Whether the agent's side is shown.
  var isAgent: Bool { get }
}

extension CallPage {
  static var parts: [String: [UInt8]] { ["stage": PackageResources.CallStage_mustache] }
  static var scripts: [Asset] { [.call] }
}

/// What a customer sees who has the link.
struct CustomerCallPage: CallPage {
  static var template: [UInt8] { PackageResources.CustomerCallPage_mustache }

  let heading: Phrase
  let path: String
  let (isOpen, isToCome, isOver): (Bool, Bool, Bool)
  let time: Moment
  let isAgent = false
  let isRecorded: Bool
  let leave = Phrase("call_leave")

  init(_ look: BrowserCalls.PageState, path: String) {
    isRecorded = look.isRecorded
    heading = Phrase("call_heading", ["name": look.admission.institution])
    self.path = path
    (isOpen, isToCome, isOver) = (look.isOpen, look.isToCome, !look.isOpen && !look.isToCome)
    time = look.moment(look.admission.call.callTime)
  }
}

extension BrowserCalls.PageState {
  /// By the clock of the institution, as the call was booked.
  func moment(_ instant: Instant) -> Moment { Moment(instant, by: admission.calendar.policy.localTime) }
}

/// Why there is no call behind a link.
struct CallProblemPage: Page {
  static var template: [UInt8] { PackageResources.UploadProblemPage_mustache }

  let title: Phrase
  let text: Phrase
}

extension Appointment.Status {
  var phrase: Phrase { Phrase("call_state_\(rawValue.lowercased())") }
  var tone: String {
    switch self {
    case .scheduled, .inCall: "open"
    case .done: "good"
    case .noShow, .cancelled: "bad"
    }
  }
}

/// What an agent works with in a call.
struct AgentCallPage: CallPage, StaffPage {
  static var template: [UInt8] { PackageResources.AgentCallPage_mustache }
  static var scripts: [Asset] { [.idle, .call] }

  struct Picture {
    let href: String
    let label: Phrase
  }

  struct Choice {
    let code: String
    let label: Phrase
    var isOn = false
  }

  struct Question {
    let question: String
    let label: Phrase
    let answers: [Choice]
  }

  struct Seat {
    let side: Phrase
    let joined: Moment
    let connected: Moment?
    let ended: Moment?
  }

  let heading: String
  let path: String
  let (state, tone): (Phrase, String)
  let time: Moment
  let reason: Phrase
  let (isOpen, isAgent, hasVerdict): (Bool, Bool, Bool)
  let mayCancel: Bool
  let shut: Phrase
  let pictures: [Picture]
  let questions: [Question]
  let reasons: [Choice]
  let (notes, mayRetry): (String, Bool)
  /// Why it is called off.
  let whys: [Choice]
  /// Where it is moved.
  let move: String
  let seats: [Seat]
  let recording: Phrase
  let leave = Phrase("call_end")
  let csrf: String
  let fault: Phrase?
  let foot: StaffFooter

  /// - Parameter refused: a decision that was not taken, so that it is not typed again.
  init(
    _ look: BrowserCalls.PageState, _ details: CallDetails, fault: Phrase?, refused: CallDecision?,
    for visit: StaffVisit
  ) {
    let (call, path) = (look.admission.call, AgentCallRoutes.path(of: look.admission.call.id))
    (heading, self.path) = (details.name, path)
    (state, tone, time) = (call.status.phrase, call.status.tone, look.moment(call.callTime))
    reason = Phrase("call_reason_\(call.reason.rawValue)")
    (isOpen, isAgent, mayCancel) = (look.isOpen, true, call.status == .scheduled)
    recording = Phrase(look.isRecorded ? "call_recorded_staff" : "call_not_recorded")
    shut = Phrase(look.isToCome ? "call_to_come" : "call_over")
    hasVerdict = call.reason == .verification && [.scheduled, .inCall].contains(call.status)
    pictures = details.pictures.map { picture in
      Picture(
        href: "\(path)/pictures/\(picture.id)", label: Phrase("picture_\(picture.name)", otherwise: picture.name))
    }
    questions = details.questions.map { code in
      Question(
        question: code, label: Phrase("question_" + code.replacing("-", with: "_"), otherwise: code),
        answers: [("yes", "yes"), ("no", "no"), ("not_applicable", "call_not_applicable")].map { answer, words in
          Choice(code: answer, label: Phrase(words), isOn: refused?.answers[code] == answer)
        })
    }
    (notes, mayRetry) = (refused?.notes ?? "", refused?.mayRetry == true)
    reasons = details.reasons.map { code in
      Choice(
        code: code, label: Phrase("failure_" + code.lowercased().replacing("-", with: "_"), otherwise: code),
        isOn: code == refused?.reason)
    }
    whys = CallAgent.changeReasons.map { Choice(code: $0, label: Phrase("why_\($0)")) }
    move = "\(CalendarRoutes.base)/book?customer=\(call.customerID)&reason=\(call.reason.rawValue)"
    seats = look.seats.map { seat in
      Seat(
        side: Phrase("call_side_\(seat.side.rawValue)"), joined: look.moment(seat.joinedAt),
        connected: seat.connectedAt.map(look.moment), ended: seat.endedAt.map(look.moment))
    }
    (csrf, self.fault, foot) = (visit.csrf, fault, StaffFooter(visit))
  }
}

/// A day in the calendar of an agent.
struct CallListPage: ConsolePage {
  static var template: [UInt8] { PackageResources.CallListPage_mustache }

  struct Row {
    let href: String
    let time: Moment
    let name: String
    let (reason, state): (Phrase, Phrase)
    let tone: String
  }

  let day: String
  let (before, after): (String, String)
  let rows: [Row]
  let leaves: [Leave]
  let foot: StaffFooter

  struct Leave { let from, until: Moment }

  init(_ page: CallDay, for visit: StaffVisit) {
    day = "\(page.day)"
    func link(_ days: Int) -> String {
      page.day.adding(days: days).map { "\(AgentCallRoutes.base)?day=\($0)" } ?? AgentCallRoutes.base
    }
    (before, after) = (link(-1), link(1))
    rows = page.entries.map { entry in
      Row(
        href: AgentCallRoutes.path(of: entry.call), time: Moment(entry.time, by: page.clock), name: entry.name,
        reason: Phrase("call_reason_\(entry.reason.rawValue)"), state: entry.status.phrase, tone: entry.status.tone)
    }
    leaves = page.leaves.map {
      Leave(from: Moment($0.lowerBound, by: page.clock), until: Moment($0.upperBound, by: page.clock))
    }
    foot = StaffFooter(visit)
  }
}
