// SPDX-License-Identifier: Apache-2.0

import Forms
import HTTP
import Identity
import Kit
import RubixWire
import Storage

/// The compliance forms of a customer: templates and submissions (rubix-onboarding §6.12, §7.1–7.3).
package struct FormCommands: Sendable {
  let core: CoreDependencies
  let sessions: Sessions
  let applications: Applications
  let steps: Steps

  /// The form as the app shows it.
  /// - Throws: `Problem` not-found for a form that is not served.
  package func template(_ kind: ComplianceFormKind) throws -> ComplianceTemplate {
    guard let template = ComplianceTemplate.standard(kind.form) else { throw Problem.notFound }
    return template
  }

  /// The same for a caller whose session still lives.
  package func template(_ kind: ComplianceFormKind, for customer: Customer) async throws -> ComplianceTemplate {
    try await core.database.read { try sessions.requireLive(customer.identity, in: $0) }
    return try template(kind)
  }

  /// Takes a form. A later submission replaces the one before until the appointment is made; each one is kept (§5.3).
  package func submit(_ kind: ComplianceFormKind, _ request: StepRequest) async throws -> StepAnswer {
    let template = try template(kind)
    let step = try await steps.admit(.submitForm(kind), request)
    if let earlier = step.earlier { return earlier }
    do {
      let answers = try FormAnswers(step.body, as: kind)
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        let store = FormStore(tx, vault: core.vault)
        let form = try checked(answers, kind, template, dossier, in: store)
        try store.insert(form, answers: answers)
        dossier.application.record(kind.step)
        try applications.move(
          &dossier, on: .formSubmitted,
          facts: [
            "form": kind.rawValue, "revision": "\(form.revision)", "step": kind.step.rawValue,
            "flags": Set(form.flags.map(\.code)).sorted().joined(separator: " "),
          ], in: tx)
        try applications.save(&dossier, in: tx)
        return try steps.keep(.ok(form.receipt), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, after: error) }
  }

  /// - Throws: `Problem` validation-failed with every member that the rules refuse.
  private func checked(
    _ answers: FormAnswers, _ kind: ComplianceFormKind, _ template: ComplianceTemplate, _ dossier: Dossier,
    in store: FormStore
  ) throws -> SubmittedForm {
    let application = dossier.application
    // The phase says that the documents were accepted; without their particulars there is nothing to compare with.
    guard let verified = application.identity else { throw Problem.stepOutOfOrder }
    let now = core.world.now()
    let counterpart = try FormAnswers.counterpart(of: kind).flatMap { try store.answers($0, of: application.id) }
    let review = answers.review(
      against: template, counterpart: counterpart, verified: VerifiedIdentity(verified),
      today: dossier.tenant.today(at: now), issuing: dossier.tenant.tinTable)
    guard review.isAcceptable else {
      throw Problem.validation(review.errors.map { Problem.Field($0.field, $0.code, $0.message) })
    }
    return SubmittedForm(
      id: .init(core.world), application: application.id, form: kind,
      revision: (try store.latest(kind, of: application.id)?.revision ?? 0) + 1, templateVersion: template.version,
      flags: review.flags.map { SubmittedForm.Flag(field: $0.field, code: $0.code, message: $0.message) },
      validUntil: review.validUntil, submittedAt: now)
  }
}

extension VerifiedIdentity {
  /// The matched documents as the form rules want them.
  init(_ verified: Applicant.Verified) {
    self.init(
      familyName: verified.familyName, givenNames: verified.givenNames,
      namesMayBeTruncated: verified.namesMayBeTruncated, dateOfBirth: verified.dateOfBirth,
      nationalities: verified.nationality.map { [$0] } ?? [],
      documents: verified.documents.map { Document(id: $0.id, type: $0.type, issuingState: $0.issuingState) })
  }
}
