import Foundation
import GatehouseWire
import Kit
import RubixWire

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
