// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Kit
import RubixWire
import Scheduling
import Screening

/// Rows as their subject is shown them.
extension CustomerExport.Status {
  init(_ application: Application) {
    self.init(
      status: application.status.rawValue, lastStep: application.lastStep.rawValue,
      completedSteps: application.completedSteps.map(\.rawValue), phoneConfirmation: application.sms.rawValue,
      emailConfirmation: application.email.rawValue, evaluation: application.evaluation?.rawValue,
      verificationAttempts: application.verificationAttempts, callRequired: application.callRequired,
      agentAccepted: application.agentAccepted, retake: application.retake.map(\.rawValue),
      createdAt: application.createdAt.wire, updatedAt: application.updatedAt.wire,
      expiresAt: application.expiresAt.wire)
  }
}

extension CustomerExport.Call {
  init(_ appointment: Appointment, _ seats: [CallSeat]) {
    self.init(
      id: appointment.id.rawValue, callTime: appointment.callTime.wire, reason: appointment.reason.rawValue,
      wantedGender: appointment.preference.gender, wantedLanguage: appointment.preference.language,
      phone: appointment.phone, status: appointment.status.rawValue, reschedules: appointment.reschedules,
      createdAt: appointment.createdAt.wire,
      sides: seats.map {
        Side(
          side: $0.side.rawValue, joinedAt: $0.joinedAt.wire, connectedAt: $0.connectedAt?.wire,
          endedAt: $0.endedAt?.wire, recordingAgreedAt: $0.recordingAgreedAt?.wire,
          recordingBegunAt: $0.recordingBegunAt?.wire, recordingEndedAt: $0.recordingEndedAt?.wire)
      })
  }
}

extension CustomerExport.Sent {
  init(_ kept: DevMessage) {
    self.init(
      channel: kept.message.channel.rawValue, recipient: kept.message.recipient, subject: kept.message.subject,
      body: kept.message.body, sentAt: kept.sentAt.wire)
  }
}

extension CustomerExport.SignIn {
  init(_ record: SessionRecord) {
    self.init(
      id: record.id, createdAt: record.createdAt.wire, expiresAt: record.expiresAt.wire,
      endedAt: record.revokedAt?.wire, endedBecause: record.revokedReason)
  }
}

extension CustomerExport.Code {
  init(_ record: PasscodeRecord) {
    self.init(
      channel: record.channel, purpose: record.purpose, state: record.state, tries: record.tries,
      requestedAt: record.requestedAt.wire, sentAt: record.issuedAt?.wire)
  }
}

extension CustomerExport.HistoryEntry {
  init(_ line: AuditLine) {
    self.init(
      sequence: line.sequence, at: line.at.wire, actor: line.actor, action: line.action, facts: line.facts)
  }

  /// As the customer may see it: no colleague is named. Nil for what may not be told, which includes that there was
  /// something: a step that waits for an officer looks like one that is being worked on.
  /// - Parameter number: its place among the lines that are shown; the chain's own number would tell of the others.
  fileprivate init?(forSubject line: AuditLine, number: Int) {
    guard !line.action.lowercased().contains("screen"), !line.isLookAtHits else { return nil }
    let facts = line.facts.filter { key, value in
      !["agent", "assigned", "lists"].contains(key) && !value.contains("reviewingScreening")
    }
    self.init(
      sequence: number, at: line.at.wire, actor: line.actor.hasPrefix("agent:") ? "agent" : line.actor,
      action: line.action, facts: facts)
  }
}

extension AuditLine {
  /// Whether an officer looked at hits in lists: to name the look is to tell that there was something to look at.
  fileprivate var isLookAtHits: Bool { action == "customer.viewed" && facts["what"] == "hits" }
}

extension CustomerExport {
  /// What of a chain its subject may see, numbered from 1 without a gap.
  static func history(forSubject chain: [AuditLine]) -> [HistoryEntry] {
    chain.reduce(into: []) { shown, line in
      if let line = HistoryEntry(forSubject: line, number: shown.count + 1) { shown.append(line) }
    }
  }
}

extension RestrictedExport.Search {
  init(_ record: Screening.Record) {
    self.init(
      id: record.id.rawValue, referenceNo: record.referenceNo, status: record.status.rawValue, subject: record.subject,
      lists: record.lists, threshold: record.threshold, hits: record.hits, failure: record.failure,
      screenedAt: record.screenedAt?.wire, nextReviewOn: record.nextReviewOn?.isoText, createdAt: record.createdAt.wire)
  }
}

extension RestrictedExport.Case {
  init(_ item: Screening.Case) {
    self.init(
      id: item.id.rawValue, state: item.state.rawValue, list: item.hit.list, entityID: item.hit.entityID,
      screeningID: item.screeningID.rawValue, proposedBy: item.proposedBy, decidedBy: item.decidedBy,
      decidedAt: item.decidedAt?.wire, notes: item.notes, openedAt: item.openedAt.wire)
  }
}

extension RestrictedExport.Note {
  init(_ note: ScreeningNoteStore.Note) {
    self.init(
      id: note.id, screeningID: note.screening, officerID: note.officer, text: note.text, createdAt: note.createdAt.wire
    )
  }
}
