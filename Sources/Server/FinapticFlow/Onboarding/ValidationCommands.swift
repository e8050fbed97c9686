// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import FinapticWire
import Foundation
import HTTP
import Kit
import Screening
import Storage

/// The three validate calls (finaptic §5.5): admit, work, commit. Nothing is held while pictures are looked at; what
/// changed meanwhile is looked at again.
struct ValidationCommands: Sendable {
  typealias Caller = OnboardingService.Caller
  typealias Answer = FinapticAPI.ApplicationResponse

  private static let triesMax = 5

  let core: CoreDependencies
  let answers: IdempotentAnswers
  let applications: OnboardingService
  let inspection: IdentityInspection
  let profiles: SandboxProfiles

  /// - Throws: `Problem` invalid argument of documents and files; failed precondition; unavailable when others were
  ///   faster every time.
  func validate(
    _ call: ValidationCall, of name: String?, by caller: Caller, _ write: IdempotentAnswers.Write
  ) async throws -> Answer {
    for _ in 0..<Self.triesMax {
      let matter = try await core.database.read { try admit(call, name, caller, in: $0) }
      do {
        let verdict = try await decide(matter)
        return try await core.database.write { [verdict] tx in
          let answer = try conclude(matter, verdict, caller, in: tx)
          _ = try answers.keep(answer, for: write, in: tx)
          return answer
        }
      } catch is IdentityReader.Unavailable {
        // The application is unchanged, its number of tries too.
        return try await core.database.read { try applications.response(matter.application, .postponed, in: $0) }
      } catch SQLError.outdated { continue }
    }
    throw Problem.unavailable
  }

  // MARK: Admit

  private func admit(
    _ call: ValidationCall, _ name: String?, _ caller: Caller, in tx: any SQLTransaction
  ) throws -> ValidationCase {
    let application = try applications.find(name, for: caller, in: tx)
    guard applicationFlow.allows(call.passed, from: application.status) else {
      throw OnboardingService.outOfOrder(application.status)
    }
    let store = FileStore(tx)
    var files = try sent(call, by: application, in: store)
    let evidence = application.content.evidence
    if application.needsKYC {
      let requirements = try applications.requirements(application, in: tx)
      if call.isOfApplication {
        try requirements.requireForValidation(
          hasDocuments: !call.documents.isEmpty || evidence.documents != nil,
          hasSelfie: call.selfie != nil || evidence.selfie != nil)
      } else {
        try requirements.requirePerson()
      }
    }
    for name in evidence.pictures where files[name] == nil { files[name] = try store.find(name, of: application.id) }
    let digest = application.content.personal?.digest(tenant: application.tenant, vault: core.vault)
    let refused = try digest.flatMap { try RefusalStore(tx).find($0, tenant: application.tenant) }
    // Whose hits officers took for another person's was refused, and may apply again.
    let cleared = try refused.flatMap { try Screening(core).isCleared($0.rawValue, in: tx) ? $0 : nil }
    return ValidationCase(
      call: call, application: application, isSandbox: caller.tenant.isSandbox,
      today: try AgeOfMajority().today(at: core.world.now()), files: files,
      isRefused: refused != nil && cleared == nil, cleared: cleared)
  }

  /// The pictures that the call names.
  /// - Throws: `Problem` invalid argument with every one that is not there.
  private func sent(
    _ call: ValidationCall, by application: OnboardingApplication, in store: FileStore
  ) throws -> [String: UploadedFile] {
    var (files, faults): ([String: UploadedFile], [Problem.Field]) = ([:], [])
    let beside = application.content.evidence.pictures(beside: call)
    func look(_ name: String?, _ path: String) throws {
      guard let name else { return }
      if beside.contains(name) { faults.append(.init(path, "duplicate", "Each picture is uploaded for itself.")) }
      files[name] = try store.find(name, of: application.id)
      if files[name] == nil {
        faults.append(.init(path, "unknown-file", "Nothing was uploaded under this name for this application."))
      }
    }
    for (index, document) in call.documents.enumerated() {
      try look(document.frontImageFileName, "documentDetails[\(index)].frontImageFileName")
      try look(document.backImageFileName, "documentDetails[\(index)].backImageFileName")
    }
    try look(call.selfie, call.isOfApplication ? "selfieFileName" : "fileName")
    guard faults.isEmpty else { throw Problem.finapticFields(faults) }
    return files
  }

  // MARK: Work

  private func decide(_ matter: ValidationCase) async throws -> ValidationVerdict {
    let content = matter.application.content
    var evidence = content.evidence
    evidence.note(matter.call)
    guard matter.application.needsKYC else { return ValidationVerdict([], evidence) }
    if let birth = content.personal?.dateOfBirth.flatMap({ CalendarDate($0) }), let area = content.home?.area,
      let province = CanadianProvince(area: area),
      AgeOfMajority.isReached(bornOn: birth, in: province.rawValue, on: matter.today) == false
    {
      return ValidationVerdict([.ageOfMajority], evidence)
    }
    if matter.isSandbox { return try SandboxEvaluator(profiles: profiles).verdict(matter, evidence) }
    return try await inspection.verdict(matter, evidence)
  }

  // MARK: Commit

  private func conclude(
    _ matter: ValidationCase, _ verdict: ValidationVerdict, _ caller: Caller, in tx: any SQLTransaction
  ) throws -> Answer {
    var verdict = verdict
    // The write is guarded by the version that was looked at.
    var application = matter.application
    let now = core.world.now()
    if let (subject, outcome) = verdict.screening {
      // What the lists say of a person is sealed under a key that an erasure destroys.
      _ = try core.vault.subjectKey(of: KeySubject(application.id, ofTenant: application.tenant), in: tx)
      let record = try Screening(core).record(
        outcome, of: subject, for: application.id.rawValue, formerly: matter.cleared?.rawValue, in: tx)
      // Known false positives refuse no one.
      if record.status == .clean { verdict = ValidationVerdict([], verdict.evidence) }
    }
    application.content.evidence = verdict.evidence
    application.codes = verdict.codes
    var event = matter.call.passed
    if !verdict.codes.isEmpty {
      application.failures += 1
      let isOver = verdict.isFinal || applications.retries.isExhausted(after: application.failures)
      event = isOver ? matter.call.refused : matter.call.failed
    }
    let facts = ["codes": verdict.codes.map(\.rawValue).joined(separator: " "), "failures": "\(application.failures)"]
    try applications.move(&application, on: event, by: caller.actor, facts: facts, in: tx)
    if verdict.codes.contains(.unspecified),
      let digest = application.content.personal?.digest(tenant: application.tenant, vault: core.vault)
    {
      let refusals = RefusalStore(tx)
      if matter.cleared != nil {
        try refusals.replace(digest, tenant: application.tenant, application: application.id, at: now)
      } else {
        try refusals.insert(digest, tenant: application.tenant, application: application.id, at: now)
      }
    }
    return try applications.response(application, codes: verdict.codes, in: tx)
  }
}

extension IdentityEvidence {
  /// Names of the pictures that it rests on.
  var pictures: [String] { documentPictures + selfiePictures }

  private var documentPictures: [String] {
    (documents?.submitted ?? []).flatMap { [$0.frontImageFileName, $0.backImageFileName].compactMap(\.self) }
  }
  private var selfiePictures: [String] { [selfie?.fileName].compactMap(\.self) }

  /// The pictures that stay when a call's take the place of others.
  func pictures(beside call: ValidationCall) -> Set<String> {
    Set((call.documents.isEmpty ? documentPictures : []) + (call.selfie == nil ? selfiePictures : []))
  }

  /// Takes down what a call sends, before anybody has looked at it. What is new takes the place of what was.
  mutating func note(_ call: ValidationCall) {
    if !call.documents.isEmpty {
      documents = .init(submitted: call.documents)
      faces = nil
    }
    if let name = call.selfie {
      selfie = .init(fileName: name)
      faces = nil
    }
  }
}

extension IdempotentAnswers.Span {
  /// Of a validation, for which apps wait 120 seconds (finaptic §2.3): two waits of a repetition fit into them, and the
  /// claim outlasts every queue and list that the work may wait for.
  static let decision = IdempotentAnswers.Span(claim: .minutes(5), patience: .seconds(50))
}
