// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import RubixWire
import Storage

/// Rows of `rubix_form`. The answers are one sealed value; flags hold none of them.
package struct FormStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-21 rubix form",
    """
    CREATE TABLE rubix_form (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL REFERENCES rubix_application (id),
      form TEXT NOT NULL CHECK (form IN ('crs', 'fatca', 'kyc')),
      revision BIGINT NOT NULL CHECK (revision > 0),
      template_version BIGINT NOT NULL,
      submission BLOB NOT NULL,
      flags TEXT NOT NULL,
      valid_until TEXT,
      submitted_at BIGINT NOT NULL
    );
    CREATE UNIQUE INDEX rubix_form_revision ON rubix_form (application_id, form, revision);
    """)

  private static let columns: SQLColumns =
    "id, application_id, form, revision, template_version, flags, valid_until, submitted_at"

  /// - Throws: `SQLError.outdated` when another submission of the same form was faster.
  func insert(_ form: SubmittedForm, answers: FormAnswers) throws {
    let sealed = try vault.seal(
      answers.encoded(), context: Self.context(form.id), of: form.application.keySubject, in: tx)
    do {
      try tx.execute(
        """
        INSERT INTO rubix_form (
          id, application_id, form, revision, template_version, submission, flags, valid_until, submitted_at)
        VALUES (
          \(form.id), \(form.application), \(form.form.rawValue), \(form.revision), \(form.templateVersion), \(sealed),
          \(String(decoding: try WireJSON.encode(form.flags), as: UTF8.self)),
          \(form.validUntil?.description as String?),
          \(form.submittedAt))
        """)
    } catch SQLError.notUnique {
      throw SQLError.outdated
    }
  }

  /// The revision in force; nil before the first.
  func latest(_ form: ComplianceFormKind, of application: Application.ID) throws -> SubmittedForm? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM rubix_form
      WHERE application_id = \(application) AND form = \(form.rawValue) ORDER BY revision DESC LIMIT 1
      """
    ).map(Self.form)
  }

  /// The revisions in force, at most one of each form.
  func inForce(of application: Application.ID) throws -> [SubmittedForm] {
    try ComplianceFormKind.allCases.compactMap { try latest($0, of: application) }
  }

  /// Every revision of every form with its answers, oldest first.
  func all(of application: Application.ID) throws -> [(form: SubmittedForm, answers: FormAnswers)] {
    try tx.query(
      """
      SELECT \(Self.columns), submission FROM rubix_form WHERE application_id = \(application) ORDER BY submitted_at, id LIMIT 1000
      """
    ).map { row in
      let form = try Self.form(row)
      let opened = try vault.open(row.get("submission"), context: Self.context(form.id), in: tx)
      return (form, try FormAnswers(opened, as: form.form))
    }
  }

  func deleteAll(of application: Application.ID) throws {
    try tx.execute("DELETE FROM rubix_form WHERE application_id = \(application)")
  }

  /// The answers of the revision in force; nil before the first.
  func answers(_ form: ComplianceFormKind, of application: Application.ID) throws -> FormAnswers? {
    guard
      let row = try tx.first(
        """
        SELECT id, submission FROM rubix_form
        WHERE application_id = \(application) AND form = \(form.rawValue) ORDER BY revision DESC LIMIT 1
        """)
    else { return nil }
    let opened = try vault.open(row.get("submission"), context: Self.context(row.get("id")), in: tx)
    return try FormAnswers(opened, as: form)
  }

  private static func form(_ row: SQLRow) throws -> SubmittedForm {
    let kind: String = try row.get("form")
    guard let form = ComplianceFormKind(rawValue: kind) else { throw SQLError.unreadable("unknown form") }
    let validUntil: String? = try row.get("valid_until")
    return SubmittedForm(
      id: try row.get("id"), application: try row.get("application_id"), form: form, revision: try row.get("revision"),
      templateVersion: try row.get("template_version"),
      flags: try WireJSON.decode([SubmittedForm.Flag].self, stored: Data(row.get("flags", as: String.self).utf8)),
      validUntil: validUntil.flatMap { WireDate($0) }, submittedAt: try row.get("submitted_at"))
  }

  private static func context(_ id: SubmittedForm.ID) -> String { "rubix_form.submission:\(id)" }
}

/// One submission of a compliance form: the row as a value. Every revision is kept (rubix-onboarding §5.3).
package struct SubmittedForm: Sendable {
  package typealias ID = Identifier<SubmittedForm>

  /// Something that was taken and that a person should look at. Holds no answer.
  package typealias Flag = ComplianceReceipt.Flag

  package let id: ID
  let application: Application.ID
  package let form: ComplianceFormKind
  /// Counted from 1 within the application and form.
  package let revision: Int
  /// Of the template that was answered.
  package let templateVersion: Int
  package let flags: [Flag]
  /// The last day on which a W-8BEN counts.
  package let validUntil: WireDate?
  package let submittedAt: Instant

  var receipt: ComplianceReceipt {
    ComplianceReceipt(
      id: id.rawValue, form: form.form, version: templateVersion, revision: revision, flags: flags,
      validUntil: validUntil, submittedOn: submittedAt.wire)
  }

  /// What an agent sees of it.
  var summary: ComplianceSummary {
    ComplianceSummary(
      form: form.rawValue.uppercased(), version: revision, submittedOn: submittedAt.wire, flags: flags.map(\.code))
  }
}
