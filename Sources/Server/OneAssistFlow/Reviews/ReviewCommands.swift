// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import OneAssistWire
import Storage

/// What people decide: each photo, then the membership (oneassist §3, §9.4).
package struct ReviewCommands: Sendable {
  private static let reasonMax = 280

  let core: CoreDependencies
  let policy: OneAssistPolicy
  let memberships: MembershipService
  let screens: ScreenCommands

  package enum PhotoVerdict: String, Sendable, CaseIterable {
    case accept, refuse
  }

  package enum Verdict: String, Sendable, CaseIterable {
    case approve, reupload, reject
  }

  /// What became of a verdict.
  package enum Outcome: Sendable {
    case decided(MembershipStatus)
    /// A colleague has to agree first; then the same again decides.
    case waiting(RequestedApproval)
  }

  /// What waits for a decision, with its photos.
  package struct Case: Sendable {
    package let membership: Membership
    package let photos: [Photo]
  }

  /// The longest waiting first. The look is audited, of a program once a day.
  /// - Parameter agent: as the audit names them.
  package func queue(
    tenant: String, by agent: String, limit: Int = OneAssistPolicy.pageMax
  ) async throws -> [Case] {
    let limit = min(max(limit, 1), OneAssistPolicy.pageMax)
    return try await core.database.write(retrying: .outdated) { [core] tx in
      try core.audit.appendList(
        "oneassist.reviews.listed", to: "oneassist-reviews-\(tenant)", by: agent, facts: RecordAccess.list.facts, in: tx
      )
      return try MembershipStore(tx, vault: core.vault).all(.pending, tenant: tenant, limit: limit).map {
        Case(membership: $0, photos: try DocumentStore(tx).current(of: $0.id))
      }
    }
  }

  /// One membership, whatever its status. The look is audited.
  /// - Throws: `Problem` not-found.
  package func open(_ id: Membership.ID, tenant: String, by agent: String) async throws -> Case {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let membership = try find(id, tenant: tenant, in: tx)
      let why = try core.cases.lookFact(at: id.rawValue, by: agent, in: tx)
      try core.audit.note("review.seen", id, by: agent, ["why": why], in: tx)
      return Case(membership: membership, photos: try DocumentStore(tx).current(of: id))
    }
  }

  /// Other memberships of the tenant that share something with one.
  /// - Throws: `Problem` not-found.
  package func related(to id: Membership.ID, tenant: String) async throws -> [RelatedMembership] {
    try await core.database.read { [core] tx in
      _ = try find(id, tenant: tenant, in: tx)
      return try RelatedMembership.all(of: id, tenant: tenant, in: tx, vault: core.vault)
    }
  }

  /// The photos that count, in the order of `Case.photos`, for code that gives one of them out.
  /// - Throws: `Problem` not-found.
  package func photoNames(of id: Membership.ID, tenant: String) async throws -> [DocumentName] {
    try await core.database.read { tx in
      try DocumentStore(tx).current(of: find(id, tenant: tenant, in: tx).id).map(\.name)
    }
  }

  /// A photo as JPEG. The look is audited.
  /// - Parameter why: a code for the audit; nil tells how they stand to the membership's case.
  /// - Throws: `Problem` not-found.
  package func picture(
    _ name: DocumentName, of id: Membership.ID, tenant: String, by agent: String, why: String? = nil
  ) async throws -> Data {
    let photo = try await core.database.write(retrying: .outdated) { [core] tx in
      _ = try find(id, tenant: tenant, in: tx)
      guard let photo = try DocumentStore(tx).current(name, of: id) else { throw Problem.notFound }
      var facts = ["document": photo.id.rawValue]
      facts["why"] = try why ?? core.cases.lookFact(at: id.rawValue, by: agent, in: tx)
      try core.audit.note("review.picture", id, by: agent, facts, in: tx)
      return photo
    }
    guard let sealed = try await core.blobs.get(photo.id.rawValue) else { throw Problem.notFound }
    return try await core.vault.open(sealed, context: Photo.context(photo.id), in: core.database)
  }

  /// Decides on one photo. Until the membership is decided the decision may be changed.
  /// - Parameter reason: of a refusal, in words for the person who takes it again.
  /// - Throws: `Problem` not-found; validation; MEMBERSHIP_STATUS_CHANGED.
  package func decide(
    _ name: DocumentName, _ verdict: PhotoVerdict, reason: String?, of id: Membership.ID, tenant: String,
    by agent: String
  ) async throws {
    let reason = try Self.reason(reason, isRequired: verdict == .refuse)
    try await core.database.write(retrying: .outdated) { [core] tx in
      var membership = try pending(id, tenant: tenant, in: tx)
      let store = DocumentStore(tx)
      guard var photo = try store.current(name, of: membership.id) else { throw Problem.notFound }
      let said: (DocumentStatus, String?) = verdict == .accept ? (.accepted, nil) : (.refused, reason)
      if (photo.status, photo.reason) != said {
        (photo.status, photo.reason) = said
        try store.save(photo)
        try renew(&membership, of: tenant, in: tx)
      }
      try core.audit.note(
        "document.\(verdict.rawValue)", id, by: agent, ["document": photo.id.rawValue, "name": name.rawValue], in: tx)
    }
  }

  /// The same, by the photo's name on the wire.
  package func decide(
    photo name: String, _ verdict: PhotoVerdict, reason: String?, of id: Membership.ID, tenant: String,
    by agent: String
  ) async throws {
    guard let name = DocumentName(rawValue: name) else { throw Problem.notFound }
    try await decide(name, verdict, reason: reason, of: id, tenant: tenant, by: agent)
  }

  /// Checks a code that a person read from the photo of the secure screen, as of when the photo arrived (§7.4).
  /// - Throws: `Problem` not-found; MEMBERSHIP_STATUS_CHANGED; conflict `code-known`.
  package func check(
    code digits: String, of id: Membership.ID, tenant: String, by agent: String
  ) async throws -> CodeVerdict {
    try await core.database.write(retrying: .outdated) { [core] tx in
      var membership = try pending(id, tenant: tenant, in: tx)
      let store = DocumentStore(tx)
      guard var photo = try store.current(.screenImage, of: id) else { throw Problem.notFound }
      guard photo.verdict != .verified else {
        throw Problem(.conflict, "code-known", "The code of this photo was verified already.")
      }
      let verdict = try screens.verdict(
        digits.filter { !$0.isWhitespace }, at: photo.uploadedAt, of: membership, in: tx)
      let before = photo.verdict
      photo.verdict = verdict
      try store.save(photo)
      if verdict != before { try renew(&membership, of: tenant, in: tx) }
      try count(verdict, after: before, &membership, by: agent, in: tx)
      try core.audit.note(
        "code.checked", id, by: agent, ["document": photo.id.rawValue, "code": verdict.rawValue], in: tx)
      return verdict
    }
  }

  /// A photo whose code is another phone's counts once, however often it is typed, and not when that was a slip.
  private func count(
    _ verdict: CodeVerdict, after before: CodeVerdict?, _ membership: inout Membership, by agent: String,
    in tx: any SQLTransaction
  ) throws {
    guard (verdict == .mismatch) != (before == .mismatch) else { return }
    membership.mismatches = max(0, membership.mismatches + (verdict == .mismatch ? 1 : -1))
    if membership.mismatches >= policy.mismatchesSuspicious {
      try memberships.flag(.codeMismatch, &membership, by: agent, in: tx)
    }
    try memberships.save(&membership, in: tx)
  }

  /// Decides on the membership.
  /// - Parameter approval: which request to a colleague it was, where two persons decide; nil finds the one for exactly
  ///   this verdict, and asks where there was no such request.
  /// - Throws: `Problem` not-found; validation; MEMBERSHIP_STATUS_CHANGED; conflict `review-incomplete` when the photos
  ///   say otherwise; `imei-already-covered` when the phone is on another person's by now; `case-held`; where two
  ///   persons decide, as `CaseRepository.request`.
  package func decide(
    _ verdict: Verdict, reason: String?, of id: Membership.ID, tenant: String, by agent: String,
    approval: String? = nil
  ) async throws -> Outcome {
    let verdict = MembershipVerdict(verdict, because: try Self.reason(reason, isRequired: verdict == .reject))
    // Serializable: another transaction may approve a membership of the same phone meanwhile.
    return try await core.database.write(retrying: .outdated, .serializable) { [core] tx in
      var membership = try pending(id, tenant: tenant, in: tx)
      let event = try event(of: verdict.verdict, on: membership, in: tx)
      var agreed: RequestedApproval?
      if policy.tenantsOfTwo.contains(tenant), event != .photosAskedAgain {
        let asked = try ask(verdict, on: membership, tenant: tenant, by: agent, naming: approval, in: tx)
        guard asked.state == .approved else { return .waiting(asked) }
        agreed = asked
      }
      var facts = ["verdict": verdict.verdict.rawValue]
      if let reason = verdict.reason {
        facts["reason"] = "given"
        membership.content.decisions =
          (membership.content.decisions ?? []) + [
            .init(
              at: core.world.now().milliseconds, actor: agent, verdict: verdict.verdict.rawValue, reason: reason)
          ]
      }
      if event == .photosAskedAgain {
        membership.reuploads += 1
        // Those of the first time: a number that came since then was on no photo that was good enough to be accepted.
        membership.content.reviewedIMEIs =
          membership.content.reviewedIMEIs ?? [membership.content.imei, membership.content.imei2].compactMap(\.self)
      } else if verdict.verdict == .reupload {
        facts["reason"] = "attempts-used-up"
      }
      try memberships.move(
        &membership, on: event, by: agent, facts: facts, verdict: verdict, approval: agreed?.id, in: tx)
      return .decided(membership.status)
    }
  }

  /// What a verdict does to a membership.
  /// - Throws: `Problem` conflict `review-incomplete`, `imei-already-covered`.
  private func event(
    of verdict: Verdict, on membership: Membership, in tx: any SQLTransaction
  ) throws -> MembershipEvent {
    let photos = try DocumentStore(tx).current(of: membership.id)
    let mandatory = RequiredPhoto.all.filter(\.isMandatory).map { required in
      photos.first { $0.name == required.name }?.status
    }
    switch verdict {
    case .approve:
      guard mandatory.allSatisfy({ $0 == .accepted }) else { throw Self.incomplete }
      guard try !MembershipStore(tx, vault: core.vault).isCovered(membership, on: core.today.description) else {
        throw Problem.alreadyCovered
      }
      return membership.startsOn <= core.today ? .accepted : .acceptedForLater
    case .reupload:
      guard mandatory.contains(.refused) else { throw Self.incomplete }
      return membership.reuploads < policy.reuploadsMax ? .photosAskedAgain : .refused
    case .reject: return .refused
    }
  }

  private func find(_ id: Membership.ID, tenant: String, in tx: any SQLTransaction) throws -> Membership {
    try memberships.find(id, tenant: tenant, in: tx).membership
  }

  private func pending(_ id: Membership.ID, tenant: String, in tx: any SQLTransaction) throws -> Membership {
    let membership = try find(id, tenant: tenant, in: tx)
    guard membership.status == .pending else { throw Problem.statusChanged.withStatus(membership.status) }
    return membership
  }

  private static let incomplete = Problem(
    .conflict, "review-incomplete", "The decisions on the mandatory photos do not bear this verdict.")

  /// Shown to people: one line of characters that can be seen.
  private static func reason(_ text: String?, isRequired: Bool) throws -> String? {
    let reason = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    guard !reason.isEmpty else {
      if isRequired { throw Problem.member("/reason", "required", "A reason is required.") }
      return nil
    }
    guard reason.utf8.count <= reasonMax, DisplayedText.isPlain(reason) else {
      throw Problem.member("/reason", "format", "Up to \(reasonMax) bytes in one line.")
    }
    return reason
  }
}
