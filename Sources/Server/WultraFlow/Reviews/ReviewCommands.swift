// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import Storage
import WultraWire

/// What people decide where evidence does not: a queue, the pictures of a case, and a verdict.
package struct ReviewCommands: Sendable {
  package static let pageMax = 100
  /// Bytes.
  package static let reasonMax = 280

  let dossiers: Dossiers
  var core: CoreDependencies { dossiers.core }

  package init(dossiers: Dossiers) { self.dossiers = dossiers }

  /// What waits, for a person or their server; the longest waiting first. The look is audited, of a
  /// program once a day.
  /// - Parameter actor: as the audit names them.
  package func list(tenant: String, by actor: String) async throws -> [ReviewCase] {
    try await core.database.write(retrying: .outdated) { [core] tx in
      try core.audit.appendList(
        "wultra.reviews.listed", to: "wultra-reviews-\(tenant)", by: actor, facts: RecordAccess.list.facts, in: tx)
      return try ReviewStore(tx).open(tenant: tenant, limit: Self.pageMax)
    }
  }

  /// The same for the server itself.
  package func queue(tenant: String, limit: Int = pageMax) async throws -> [ReviewCase] {
    try await core.database.read { try ReviewStore($0).open(tenant: tenant, limit: min(max(limit, 1), Self.pageMax)) }
  }

  /// A case with the pictures that it is about, documents first. The look is audited.
  /// - Parameter actor: as the audit names them.
  /// - Throws: `Problem` not-found, also when it is decided.
  package func detail(
    of id: ReviewCase.ID, tenant: String, by actor: String
  ) async throws -> (review: ReviewCase, pictures: [ReviewPicture]) {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let (review, dossier, pictures) = try material(of: id, tenant: tenant, in: tx)
      let why = try core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      try dossiers.audit(
        "review.seen", dossier.process, by: actor, facts: ["review": id.rawValue, "why": why], in: tx)
      return (review, pictures.filter { !$0.isPortrait })
    }
  }

  /// One of the pictures. Looking writes an audit entry.
  /// - Parameters:
  ///   - number: from 1.
  ///   - withPortraits: whether those follow that were cut out of the documents, as pages have it, which show what was
  ///     decided too.
  ///   - actor: as the audit names them.
  ///   - why: a code for the audit; nil tells how they stand to the review's case.
  /// - Throws: `Problem` not-found.
  package func picture(
    _ number: Int, of id: ReviewCase.ID, withPortraits: Bool = false, tenant: String, by actor: String,
    why: String? = nil
  ) async throws -> Data {
    let picture = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let (_, dossier, pictures) = try material(of: id, tenant: tenant, withDecided: withPortraits, in: tx)
      // The least number has no predecessor: taking one away ends the program.
      guard number > 0, pictures.indices.contains(number - 1), withPortraits || !pictures[number - 1].isPortrait else {
        throw Problem.notFound
      }
      var facts = ["review": id.rawValue, "picture": "\(number)"]
      facts["why"] = try why ?? core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      try dossiers.audit("review.seen", dossier.process, by: actor, facts: facts, in: tx)
      return pictures[number - 1]
    }
    do { return try await dossiers.blob(picture.key, picture.context) } catch is Dossiers.PictureGone {
      throw Problem.notFound
    }
  }

  /// Opens the cases of reviews that began to wait before there were cases. A scheduled job.
  func openCases() async throws {
    try await core.database.writeEachDue(paging: .behindLast, retrying: .outdatedOrDuplicate) {
      (page: DuePage<ReviewCase>, tx) in
      try ReviewStore(tx).open(after: page.last?.id, limit: page.limit)
    } do: { [self] review, tx in
      guard try ReviewStore(tx).find(review.id, tenant: review.tenant) != nil,
        let process = try dossiers.dossier(review.verification, in: tx)?.process.id
      else { return }
      let work = review.awaitedWork(of: process)
      try core.cases.open(work, formerly: work, by: "system", in: tx)
    }
  }

  /// The pictures that were there to look at, and what the rules are set to.
  /// - Parameters:
  ///   - digests: of pictures, by their keys.
  ///   - withPortraits: as of `picture`.
  private func decisionBasis(
    of review: ReviewCase, _ digests: [String: String], withPortraits: Bool, in tx: any SQLTransaction
  ) throws -> DecisionBasis {
    let (_, _, pictures) = try material(of: review.id, tenant: review.tenant, in: tx)
    return DecisionBasis(
      evidence: pictures.filter { withPortraits || !$0.isPortrait }.map { picture in
        let kind = picture.isPortrait ? "PORTRAIT" : picture.document?.wire.rawValue ?? "FACE"
        return .init(kind, picture.key, digest: digests[picture.key])
      },
      versions: VerificationPolicy.versions(
        minimumAge: dossiers.policy.minimumAge, acceptsSpecimens: dossiers.policy.acceptsSpecimens))
  }

  /// SHA-256 of the pictures as they are kept. One that cannot be read has none: a verdict waits for no store of
  /// pictures.
  private func digests(
    of id: ReviewCase.ID, withPortraits: Bool, tenant: String
  ) async throws -> [String: String] {
    let pictures = try await core.database.read { tx in
      try ReviewStore(tx).find(id, tenant: tenant).map { try material(of: $0.id, tenant: tenant, in: tx).pictures }
    }
    var digests: [String: String] = [:]
    for picture in pictures ?? [] where withPortraits || !picture.isPortrait {
      do { digests[picture.key] = try await dossiers.blob(picture.key, picture.context).sha256Hex } catch {
        dossiers.unread(error)
      }
    }
    return digests
  }

  /// - Parameter withDecided: whether one that was decided is found too, with the pictures that it was decided on.
  func material(
    of id: ReviewCase.ID, tenant: String, withDecided: Bool = false, in tx: any SQLTransaction
  ) throws -> (review: ReviewCase, dossier: Dossier, pictures: [ReviewPicture]) {
    guard let (review, closedAt) = try ReviewStore(tx).known(id, tenant: tenant), withDecided || closedAt == nil,
      let dossier = try dossiers.dossier(review.verification, in: tx), let verification = dossier.verification
    else { throw Problem.notFound }
    let (store, captured) = (SubmittedDocumentStore(tx, vault: core.vault), CaptureStore(tx))
    let sent = try closedAt.map { try store.used(of: verification.id, at: $0) } ?? store.used(of: verification.id)
    let documents = sent.filter(\.hasImage)
    let latest = { try captured.ids(of: verification.id, presenceCheck: verification.presenceChecks) }
    let captures = try closedAt.map { try captured.ids(of: verification.id, at: $0) } ?? latest()
    // As people lay them out: the sides of one document beside each other.
    let laidOut = IdentityDocument.allCases.flatMap { kind in
      IdentityDocument.Side.allCases.flatMap { side in
        documents.filter { $0.document == kind && $0.side == side }
      }
    }
    let pictures = laidOut.map { ReviewPicture($0) } + captures.map(ReviewPicture.init(capture:))
    return (review, dossier, pictures + laidOut.filter(\.hasPortrait).map(ReviewPicture.init(portraitOf:)))
  }

  /// Decides, for good. The same again by the same people is no error: their answer may have been lost.
  /// - Parameters:
  ///   - reason: in one line. It is kept as the user's, who is given it with an export; the audit has none of it. Of
  ///     `retake` it is what the app is told.
  ///   - retaking: of `retake`, the numbers of the pictures of documents that are asked for again.
  ///   - withPortraits: whether the portraits of documents were shown too, as pages do.
  ///   - actor: as the audit names them.
  ///   - approval: which request to a colleague it was, where two persons decide; nil finds it, or asks.
  /// - Returns: the request to a colleague who has to agree first; nil when it is decided.
  /// - Throws: `Problem` not-found when it is missing or needs no decision any more; conflict `review-decided`, and as
  ///   `CaseRepository.request` and `conclude`; validation-failed.
  @discardableResult
  package func decide(
    _ id: ReviewCase.ID, _ verdict: ReviewCase.Verdict, reason: String? = nil, retaking: [Int] = [],
    withPortraits: Bool = false, tenant: String, by actor: String, approval: String? = nil
  ) async throws -> RequestedApproval? {
    let reason = try Self.reason(reason, of: verdict)
    guard verdict != .retake || reason != nil else {
      throw Problem.validation([.init("/words", "required", "Tell the user what to do better.")])
    }
    let digests = try await digests(of: id, withPortraits: withPortraits, tenant: tenant)
    return try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let store = ReviewStore(tx)
      guard let review = try store.find(id, tenant: tenant),
        var dossier = try dossiers.dossier(review.verification, in: tx)
      else {
        guard let decided = try store.decision(of: id, tenant: tenant) else { throw Problem.notFound }
        guard decided.verdict == verdict, decided.by == actor else { throw Problem.reviewDecided }
        return nil
      }
      try dossiers.hold(&dossier, in: tx)
      let work = review.awaitedWork(of: dossier.process.id)
      let act = dossier.verification.map { review.act(verdict, reason: reason, on: $0) }
      var agreed: RequestedApproval?
      if let act, dossiers.policy.reviewsNeedTwo, verdict != .retake {
        let asked = try core.cases.request(
          act, under: ReviewCase.rule, about: work, tenant: review.tenant, person: dossier.process.id.rawValue,
          by: actor, naming: approval, in: tx)
        guard asked.state == .approved else {
          try dossiers.save(&dossier, in: tx)
          return asked
        }
        agreed = asked
      }
      try core.cases.conclude(
        work, outcome: verdict.rawValue,
        on: decisionBasis(of: review, digests, withPortraits: withPortraits, in: tx).agreed(by: agreed?.checker),
        by: actor, in: tx)
      if verdict == .retake { try takeAgain(retaking, of: review, &dossier, by: actor, in: tx) }
      let sealed = try reason.map {
        try core.vault.seal($0, as: ReviewStore.reasonContext(id), of: dossier.process.keySubject, in: tx)
      }
      var decided = DecidedReview(review: review)
      let machine = ReviewMachine(
        verdict: verdict, reason: sealed, actor: actor, now: core.world.now(), needsTwo: dossiers.policy.reviewsNeedTwo,
        act: act, chain: dossier.process.id.rawValue)
      try core.mover.move(&decided, on: verdict, of: machine, by: actor, approval: agreed?.id, in: tx)
      switch (review.subject, verdict) {
      case (_, .retake): break
      case (.documents, .accepted): try dossiers.move(&dossier, on: .crossCheckAccepted, by: actor, in: tx)
      case (.documents, .rejected):
        try dossiers.move(
          &dossier, on: .crossCheckRejected, failure: .documentVerificationRejected, by: actor, in: tx)
      case (.presence, .accepted): try dossiers.judged(&dossier, .accepted, by: actor, in: tx)
      case (.presence, .rejected): try dossiers.judged(&dossier, .rejected, by: actor, in: tx)
      }
      try dossiers.save(&dossier, in: tx)
      return nil
    }
  }
}

extension ReviewCommands {
  /// Decides a review as a colleague agreed, without the reason being given again.
  /// - Throws: `Problem` not-found for what this reviewer did not ask for about it; as `decide`.
  package func carryOut(
    _ approval: String, on id: ReviewCase.ID, withPortraits: Bool = false, tenant: String, by actor: String
  ) async throws -> RequestedApproval? {
    let asked = try await core.database.read { [core] in try core.cases.asked(approval.lowercased(), in: $0) }
    guard let asked, asked.maker == actor, asked.act.subject == id.rawValue,
      let verdict = ReviewCase.verdict(of: asked.act)
    else { throw Problem.notFound }
    return try await decide(
      id, verdict, reason: asked.act.content, withPortraits: withPortraits,
      tenant: tenant, by: actor, approval: asked.id)
  }

  /// Takes back what this reviewer asked a colleague for. The review stays as it is.
  /// - Throws: `Problem` not-found for what this reviewer did not ask for about it; conflict `approval-decided`,
  ///   `approval-expired`.
  package func withdraw(_ approval: String, on id: ReviewCase.ID, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      try core.cases.withdraw(approval, about: id.rawValue, by: actor, in: tx)
    }
  }

  /// The verdicts on a review that wait for a colleague or for the reviewer who asked, the newest first.
  package func asked(about id: ReviewCase.ID, tenant: String) async throws -> [RequestedApproval] {
    guard dossiers.policy.reviewsNeedTwo else { return [] }
    return try await core.database.read { tx in
      let dossier = try material(of: id, tenant: tenant, in: tx).dossier
      let version = dossier.verification.map { Int64($0.version) }
      return try core.cases.asked(about: id.rawValue, of: dossier.process.id.rawValue, in: tx).filter {
        $0.act.version == version && ($0.state == .pending || $0.state == .approved)
      }
    }
  }

  /// Pictures of documents that were accepted are to be taken again. The presence check has its own repetition.
  private func takeAgain(
    _ numbers: [Int], of review: ReviewCase, _ dossier: inout Dossier, by actor: String, in tx: any SQLTransaction
  ) throws {
    let (pictures, store) = (
      try material(of: review.id, tenant: review.tenant, in: tx).pictures, SubmittedDocumentStore(tx, vault: core.vault)
    )
    let asked = Set(numbers).sorted().compactMap { pictures.indices.contains($0 - 1) ? pictures[$0 - 1] : nil }
      .filter { $0.document != nil && !$0.isPortrait }
    guard review.subject == .documents, !numbers.isEmpty, asked.count == numbers.count else {
      throw Problem.validation([.init("/retake", "required", "One or more pictures of documents, each once.")])
    }
    for picture in asked {
      guard var document = try store.find(.init(rawValue: picture.key)) else { throw SQLError.outdated }
      document.errorCode = SubmittedDocument.retakeCode
      try dossiers.move(&document, on: .retakeRequested, by: actor, in: tx)
    }
    try dossiers.move(
      &dossier, on: .retakeRequested, by: actor,
      facts: ["review": review.id.rawValue, "documents": asked.map(\.key).joined(separator: " ")], in: tx)
  }

  /// - Returns: nil for none.
  private static func reason(_ text: String?, of verdict: ReviewCase.Verdict) throws -> String? {
    let reason = text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
    guard !reason.isEmpty else { return nil }
    let (length, unit, pointer) =
      verdict == .retake
      ? (reason.unicodeScalars.count, "characters", "/words") : (reason.utf8.count, "bytes", "/reason")
    guard length <= reasonMax, DisplayedText.isPlain(reason) else {
      throw Problem.validation([.init(pointer, "format", "Up to \(reasonMax) \(unit) in one line.")])
    }
    return reason
  }
}

/// A picture that a review is about.
package struct ReviewPicture: Sendable {
  /// Nil for one of the presence check.
  package let document: IdentityDocument?
  package let side: IdentityDocument.Side
  /// Whether it is the portrait that was cut out of the document.
  package let isPortrait: Bool
  /// What was read of it; nil in lists, of faces, and of what another provider read.
  package internal(set) var reading: DocumentReading?
  let key: String
  let context: String

  init(_ document: SubmittedDocument) {
    (self.document, side, isPortrait) = (document.document, document.side, false)
    key = document.id.rawValue
    context = SubmittedDocument.context(key)
  }

  init(portraitOf document: SubmittedDocument) {
    (self.document, side, isPortrait) = (document.document, document.side, true)
    key = document.portraitKey
    context = SubmittedDocument.context(key)
  }

  init(capture: String) {
    (document, side, isPortrait) = (nil, .front, false)
    key = capture
    context = CaptureStore.context(capture)
  }
}

extension Problem {
  static let reviewDecided = Problem(.conflict, "review-decided", "Another person has decided on this.")
}

extension Dossiers {
  /// Asks a person. A verification waits for one at a time.
  /// - Parameter checks: what was measured.
  func ask(
    _ subject: ReviewCase.Subject, _ codes: [String], _ checks: [VerificationOutcome.Rule],
    about dossier: inout Dossier, in tx: any SQLTransaction
  ) throws {
    guard let verification = dossier.verification, try !ReviewStore(tx).isOpen(verification.id) else { return }
    try hold(&dossier, in: tx)
    let review = ReviewCase(
      id: .init(core.world), tenant: dossier.process.tenant, verification: verification.id, subject: subject,
      codes: codes, openedAt: core.world.now())
    let context = ReviewStore.checksContext(review.id)
    let sealed = try checks.isEmpty ? nil : core.vault.seal(checks, as: context, of: dossier.process.keySubject, in: tx)
    try ReviewStore(tx).insert(review, checks: sealed)
    try core.cases.open(
      review.awaitedWork(of: dossier.process.id), formerly: nil, by: "system", in: tx)
    try audit(
      "review.opened", dossier.process, by: "system",
      facts: ["subject": subject.rawValue, "codes": codes.joined(separator: " "), "review": review.id.rawValue], in: tx)
  }
}
