// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Identity
import Kit
import RubixFlow
import RubixWire
import Storage

/// Applications that no camera made: for measurements and fault programs, never linked by the program that a bank runs.
///
/// Reading a picture takes seconds of a processor. What is measured and broken here is everything else, so the pictures
/// are stepped over and every other row is written by the store that always writes it.
package struct ApplicationFixture: Sendable {
  /// Applications in one transaction of `fill`.
  package static let batchMax = 500

  private let core: CoreDependencies
  private let sessions: Sessions
  private let applications: Applications

  package init(_ service: RubixService) {
    (core, sessions, applications) = (service.core, service.sessions, service.applications)
  }

  /// Takes an application whose capture session is open to where its pictures would have brought it: matched.
  /// A repetition finds it done.
  package func match(_ id: Application.ID, tenant: Tenant) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      var dossier = try applications.load(id, tenant: tenant, in: tx)
      guard dossier.application.phase == .capturingSelfies else { return }
      dossier.application.evaluation = .matched
      dossier.application.applicant.verified = Self.person
      dossier.application.record(.documentsMatched)
      for event: ApplicationEvent in [.selfiesCompleted, .livenessAccepted, .documentsCompleted, .matched] {
        try applications.move(&dossier, on: event, by: "system", facts: ["stock": "yes"], in: tx)
      }
      try applications.save(&dossier, in: tx)
    }
  }

  /// Stores applications with what a day of life leaves around each: its session, its audit lines, the answers kept for
  /// repetitions. Seven of ten are completed, the others stand along the way.
  /// - Parameter numbers: one for each, which must be new; at most `batchMax`.
  /// - Returns: the session of each.
  @discardableResult
  package func fill(_ numbers: Range<Int>, tenant: Tenant) async throws -> [SessionFamily] {
    precondition(numbers.count <= Self.batchMax, "A transaction has its size.")
    return try await core.database.write(retrying: .outdated) { tx in
      try numbers.map { try insert($0, tenant: tenant, in: tx) }
    }
  }

  private func insert(_ number: Int, tenant: Tenant, in tx: any SQLTransaction) throws -> SessionFamily {
    // A second apart, so that the agents' queue and the expiry are not one heap of equal instants.
    let now = core.world.now()
    let application = Self.application(
      number, phase: Self.phase(number), id: .init(core.world), tenant: tenant,
      at: now - .seconds(number % 80_000), expiresAt: now + Applications.idleLifetime)
    let store = ApplicationStore(tx, vault: core.vault)
    try store.insert(application)
    // Inserting begins at the beginning; the rest of the row follows.
    _ = try store.update(application, at: application.createdAt)
    for action in ["application.registered", "application.matched"] {
      try core.audit.append(
        action, to: application.id.rawValue, by: "system", facts: ["stock": "yes", "number": "\(number)"], in: tx)
    }
    let body = Data(#"{"stock":true}"#.utf8)
    let memory = Idempotency.Request(
      owner: application.id.rawValue, path: "POST /compliance/kyc", key: core.world.uuid(), body: body,
      claimant: core.world.uuid())
    _ = try core.idempotency.begin(memory, in: tx)
    try core.idempotency.store(
      StoredAnswer(status: 200, contentType: "application/json", body: body), for: memory, in: tx)
    return try sessions.open(
      subject: application.id.rawValue, tenant: tenant.id, device: application.applicant.deviceID, in: tx
    ).family
  }

  private static func phase(_ number: Int) -> ApplicationPhase {
    switch number % 10 {
    case 0: .collectingDocuments
    case 1: .confirmingContacts
    case 2: .awaitingCall
    default: .completed
    }
  }

  private static func application(
    _ number: Int, phase: ApplicationPhase, id: Application.ID, tenant: Tenant, at created: Instant, expiresAt: Instant
  ) -> Application {
    var applicant = Applicant(
      deviceID: "stock-device-\(1_000_000 + number)", platform: "ios", contactNo: "+9656\(1_000_000 + number)",
      email: "stock\(number)@example.com", consents: [])
    applicant.verified = person
    let steps: [OnboardingStep] = [.registrationInitiated, .selfieUploaded, .livenessUploaded, .documentsMatched]
    return Application(
      id: id, tenant: tenant.id, phase: phase, lastStep: steps[3], completedSteps: steps, sms: .confirmed,
      email: .confirmed, evaluation: .matched, verificationAttempts: 1, undeterminedCount: 0, callRequired: true,
      agentAccepted: phase == .completed, screenedAt: nil, reviewReason: nil, retake: [], applicant: applicant,
      createdAt: created, updatedAt: created, expiresAt: expiresAt, version: 1)
  }

  /// Whose documents matched: a citizen of Utopia whom no list names.
  package static let person = Applicant.Verified(
    familyName: "NONSENSO", givenNames: "MARINA", namesMayBeTruncated: false,
    dateOfBirth: WireDate(daysSince1970: 7_000), nationality: "UTO",
    documents: [.init(id: "stock", type: .passport, number: "L898902C3", issuingState: "UTO", expiryDate: nil)])
}
