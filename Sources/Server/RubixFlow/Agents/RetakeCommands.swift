// SPDX-License-Identifier: Apache-2.0
import Foundation
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// Other pictures that the reviewer of an application asks the customer for, instead of the call that was booked.
package struct RetakeCommands: Sendable {
  /// Of the words for the customer, in code points.
  package static let wordsMax = 280
  /// As `NextStep.reason`.
  static let reason = "retake-requested"

  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications

  /// Calls the booked call off, or ends it while it runs, and gives the application back to the customer.
  /// - Parameters:
  ///   - types: of pictures that are in force.
  ///   - words: for the customer, who reads them in the app and in the notice. Sealed with the application.
  /// - Throws: `Problem` forbidden without `attend:video` or in one's own case; not-found; validation-failed;
  ///   step-out-of-order where no review waits for a call; conflict `case-held`. The same again is no error until a
  ///   picture has come.
  package func request(
    _ types: [DocumentType], words: String, of id: Application.ID, by agent: Agent
  ) async throws {
    try agent.require(.attendVideo)
    let words = words.trimmingCharacters(in: .whitespacesAndNewlines)
    try await core.database.write(retrying: .outdated) { tx in
      try agentSessions.requireLive(agent, in: tx)
      var dossier = try applications.load(id, tenant: agent.tenant, in: tx)
      try agent.requireOther(than: dossier.application)
      // The same again: the answer may have been lost.
      let asked = dossier.application
      if asked.phase == .recapturing, asked.retake == types, asked.applicant.retakeWords == words { return }
      guard applicationFlow.allows(.retakeRequested, from: dossier.application.phase) else {
        throw Problem.stepOutOfOrder.with { $0.lastStep = dossier.application.lastStep.rawValue }
      }
      try Self.check(types, words, of: dossier)
      var facts = ["retake": types.map(\.rawValue).joined(separator: " ")]
      if let call = dossier.appointment {
        let isRunning = call.status == .inCall
        let ended = try applications.appointments(of: agent.tenant).advance(
          call.id, on: isRunning ? .callEnded : .calledOff, in: tx)
        try BrowserCalls.finish(ended, by: agent.actor, core, in: tx)
        facts["appointment"] = call.id.rawValue
      }
      dossier.releaseAppointment()
      // The pictures in force do not hold, as after a mismatch.
      (dossier.application.evaluation, dossier.application.reviewReason) = (.mismatched, nil)
      (dossier.application.retake, dossier.application.applicant.retakeWords) = (types, words)
      dossier.application.record(.documentsMismatched)
      try applications.move(&dossier, on: .retakeRequested, by: agent.actor, facts: facts, in: tx)
      try applications.save(&dossier, in: tx)
    }
  }

  private static func check(_ types: [DocumentType], _ words: String, of dossier: Dossier) throws {
    var fields: [Problem.Field] = []
    // Not those that an agent takes in a call.
    let taken = Set(dossier.images.map(\.type)).intersection(DocumentType.known)
    if types.isEmpty || Set(types).count != types.count || !taken.isSuperset(of: types) {
      fields.append(.init("/retake", "required", "One or more of the pictures in force, each once."))
    }
    if words.isEmpty { fields.append(.init("/words", "required", "Tell the customer what to do better.")) }
    if !DisplayedText.isPlain(words) {
      fields.append(.init("/words", "format", "In one line, of characters that can be seen."))
    }
    if words.unicodeScalars.count > wordsMax {
      fields.append(.init("/words", "too-long", "At most \(wordsMax) characters."))
    }
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }
}
