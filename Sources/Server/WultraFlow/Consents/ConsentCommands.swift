// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import Storage
import WultraWire

/// What the person consents to (wultra-onboarding.md §3 #4, #5): the institution's words, and what was said to them.
package struct ConsentCommands: Sendable {
  static let topic = "wultra.storeConsent"

  let dossiers: Dossiers
  let adapter: OnboardingAdapter
  private var core: CoreDependencies { dossiers.core }

  /// The text in the caller's language, and safe to show. Which one it was is kept.
  package func text(_ request: Wultra.ConsentRequest, by caller: VerificationCaller) async throws -> Wultra.ConsentText
  {
    guard request.consentType.isKnown else { throw Problem.invalidRequest }
    let dossier = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let dossier = try dossiers.open(request.processId, of: caller, in: tx)
      if let dossier { try dossiers.spendQuestion(of: dossier, in: tx) }
      return dossier
    }
    guard let dossier else { throw Problem.onboardingFailed }
    let query = ConsentQuery(
      processId: dossier.process.id.rawValue, userId: dossier.process.person.user,
      consentType: request.consentType.rawValue, language: caller.language)
    let answer = try await dossiers.asking { try await adapter.consentText(query) }
    let text = SafeHTML.sanitized(answer.consentText)
    let digest = Data(answer.consentText.utf8).sha256Hex
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      try ConsentStore(tx).show(
        query.consentType, of: dossier.process.id, version: answer.version ?? String(digest.prefix(16)), digest: digest,
        language: caller.language, at: core.world.now())
    }
    return Wultra.ConsentText(consentText: text)
  }

  package func decide(_ request: Wultra.ConsentApproval, by caller: VerificationCaller) async throws {
    guard request.consentType.isKnown else { throw Problem.invalidRequest }
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Void> in
      guard var dossier = try dossiers.open(request.processId, of: caller, in: tx) else {
        return .refused(.onboardingFailed)
      }
      try dossiers.spendQuestion(of: dossier, in: tx)
      // Pictures that come at the same moment are asked once more whether they may.
      if !request.approved { try dossiers.hold(&dossier, in: tx) }
      let now = core.world.now()
      let shown = try ConsentStore(tx).decide(
        request.consentType.rawValue, of: dossier.process.id, approved: request.approved, at: now)
      try dossiers.audit(
        request.approved ? "consent.given" : "consent.refused", dossier.process, by: "customer",
        facts: [
          "type": request.consentType.rawValue, "version": shown.version ?? "", "text": shown.digest ?? "",
          "language": shown.language ?? "",
        ], in: tx)
      let decision = ConsentDecision(
        processId: dossier.process.id.rawValue, userId: nil, consentType: request.consentType.rawValue,
        approved: request.approved, version: shown.version, language: shown.language, decidedAt: now.rfc3339)
      try core.outbox.enqueue(
        Self.topic, subject: dossier.process.id.rawValue,
        payload: String(decoding: try JSONEncoder().encode(decision), as: UTF8.self), in: tx)
      return .answer(())
    }.get()
  }

  /// Tells the institution. Its name of the user is put in here: the outbox holds nothing personal.
  func store(_ item: OutboxItem) async throws {
    guard let decision = try? JSONDecoder().decode(ConsentDecision.self, from: Data(item.payload.utf8)),
      let process = try await core.database.read({ tx in
        try ProcessStore(tx, vault: core.vault).findRemembered(.init(rawValue: item.subject))
      })
    else { return }
    try await adapter.storeConsent(
      ConsentDecision(
        processId: decision.processId, userId: process.person.user, consentType: decision.consentType,
        approved: decision.approved, version: decision.version, language: decision.language,
        decidedAt: decision.decidedAt), item.id.rawValue)
  }
}

extension Dossiers {
  /// Whether the person gave the consent that the institution asks for, and has not taken it back since.
  func hasConsent(_ dossier: Dossier, in tx: any SQLTransaction) throws -> Bool {
    try !dossier.process.person.consentRequired
      || ConsentStore(tx).isApproved(Wultra.ConsentType.gdpr.rawValue, of: dossier.process.id)
  }
}
