import Foundation
import Kit
import Storage

/// What people decide where evidence does not: a queue, the pictures of a case, and a verdict.
package struct ReviewCommands: Sendable {
  package static let pageMax = 100

  let runner: WultraRunner
  private var parts: WultraParts { runner.parts }

  package init(runner: WultraRunner) { self.runner = runner }

  /// The longest waiting first.
  package func queue(tenant: String, limit: Int = pageMax) async throws -> [ReviewCase] {
    try await parts.database.read { try ReviewStore($0).open(tenant: tenant, limit: min(max(limit, 1), Self.pageMax)) }
  }

  /// The pictures that a case is about, documents first. Looking is an audit line.
  /// - Throws: `Problem` not-found.
  package func pictures(of id: ReviewCase.ID, tenant: String, by agent: String) async throws -> [Data] {
    let keys = try await runner.writing { tx in
      guard let review = try ReviewStore(tx).find(id, tenant: tenant),
        let dossier = try runner.dossier(review.verification, in: tx), let verification = dossier.verification
      else { throw Problem.notFound }
      try runner.audit("review.seen", dossier.process, by: "agent:\(agent)", facts: ["review": id.rawValue], in: tx)
      let documents = try SubmittedDocumentStore(tx, vault: parts.vault).used(of: verification.id)
        .filter(\.hasImage).map { (key: $0.id.rawValue, context: SubmittedDocument.context($0.id.rawValue)) }
      let captures = try CaptureStore(tx).ids(of: verification.id, presenceCheck: verification.presenceChecks)
        .map { (key: $0, context: CaptureStore.context($0)) }
      return documents + captures
    }
    var pictures: [Data] = []
    for (key, context) in keys {
      if let sealed = try await parts.blobs.get(key) { pictures.append(try parts.vault.open(sealed, context: context)) }
    }
    return pictures
  }

  /// - Throws: `Problem` not-found when it is decided, or nobody has to decide it any more.
  package func decide(
    _ id: ReviewCase.ID, _ verdict: ReviewCase.Verdict, tenant: String, by agent: String
  ) async throws {
    let actor = "agent:\(agent)"
    try await runner.writing { tx in
      let store = ReviewStore(tx)
      guard let review = try store.find(id, tenant: tenant),
        var dossier = try runner.dossier(review.verification, in: tx),
        try store.close(id, verdict: verdict, by: actor, at: parts.world.now())
      else { throw Problem.notFound }
      switch (review.subject, verdict) {
      case (.documents, .accepted): try runner.move(&dossier, on: .crossCheckAccepted, by: actor, in: tx)
      case (.documents, .rejected):
        try runner.move(
          &dossier, on: .crossCheckRejected, failure: .documentVerificationRejected, by: actor, in: tx)
      case (.presence, .accepted): try runner.judged(&dossier, .accepted, by: actor, in: tx)
      case (.presence, .rejected): try runner.judged(&dossier, .rejected, by: actor, in: tx)
      }
      try runner.save(&dossier, in: tx)
    }
  }
}

extension WultraRunner {
  /// Asks a person. A verification waits for one at a time.
  func ask(
    _ subject: ReviewCase.Subject, _ codes: [String], about dossier: Dossier, in tx: any SQLTransaction
  ) throws {
    guard let verification = dossier.verification, try !ReviewStore(tx).isOpen(verification.id) else { return }
    let review = ReviewCase(
      id: .init(parts.world), tenant: dossier.process.tenant, verification: verification.id, subject: subject,
      codes: codes, openedAt: parts.world.now())
    try ReviewStore(tx).insert(review)
    try audit(
      "review.opened", dossier.process, by: "system",
      facts: ["subject": subject.rawValue, "codes": codes.joined(separator: " "), "review": review.id.rawValue], in: tx)
  }
}
