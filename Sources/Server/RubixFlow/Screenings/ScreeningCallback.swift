// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import RubixWire
import Screening
import Storage

/// A provider's late answer to a pending search: `POST /callback/aml/alert` (rubix-onboarding §6.11).
package struct ScreeningCallback: Sendable {
  /// How a provider's own alert is named among the lists.
  static let listCode = "PROVIDER"

  let core: CoreDependencies
  let applications: Applications
  let screenings: ScreeningCommands
  /// Who may call; nil when no provider answers late.
  let partner: PartnerCredentials?

  /// Takes the answer, once: repetitions change nothing, and a case that was decided meanwhile stays decided.
  /// - Parameter body: is read once the caller is known to be the partner.
  package func receive(
    _ body: @autoclosure () async throws -> RequestContent, from caller: PartnerCredentials?
  ) async throws {
    guard let partner, let caller, partner.matches(caller, core.vault) else {
      throw Problem.unauthenticated("token-invalid", "The partner's credentials are not valid.")
    }
    let alert = try await body().decode(as: ScreeningAlertCallback.self)
    let status = try Self.checked(alert)
    try await core.database.write(retrying: .outdated) { tx in
      let settlement = try screenings.screening.settle(
        referenceNo: alert.referenceNo, as: status, provider: Self.listCode, in: tx)
      guard case .settled(let record) = settlement else { return }
      try follow(record, responseCode: alert.responseCode, in: tx)
    }
  }

  private func follow(_ record: Screening.Record, responseCode: String, in tx: any SQLTransaction) throws {
    let id = Application.ID(rawValue: record.subjectID)
    guard var dossier = try applications.load(id, in: tx) else { return }
    let event: ApplicationEvent = record.status == .clean ? .screenedClean : .screenedHit
    let isLast = try screenings.screening.latestStep(for: record.subjectID, in: tx)?.id == record.id
    let isInTime = isLast && applicationFlow.allows(event, from: dossier.application.phase)
    try ApplicationStore(tx, vault: core.vault).lock(id)
    try core.audit.append(
      isInTime ? "screening.answered" : "screening.answered_late", to: record.subjectID, by: "system",
      facts: ["screening": record.id.rawValue, "status": record.status.rawValue, "code": responseCode], in: tx)
    guard isInTime else { return }
    if try screenings.screened.apply(record, to: &dossier, by: "system", in: tx) {
      try applications.save(&dossier, in: tx)
    }
  }

  private static func checked(_ alert: ScreeningAlertCallback) throws -> Screening.Status {
    var fields: [Problem.Field] = []
    if alert.referenceNo.isEmpty || alert.referenceNo.utf8.count > 128 {
      fields.append(.init("/reference_no", "format", "1 to 128 characters."))
    }
    let isCode =
      (1...64).contains(alert.responseCode.utf8.count)
      && alert.responseCode.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == 45 || $0 == 46 || $0 == 95
      }
    if !isCode { fields.append(.init("/response_code", "format", "1 to 64 letters, digits, dots and hyphens.")) }
    let status = Screening.Status(rawValue: alert.status.rawValue)
    if status == nil || status == .pending {
      fields.append(.init("/status", "unknown-value", "clean, potential_match, true_match or error."))
    }
    guard fields.isEmpty, let status else { throw Problem.validation(fields) }
    return status
  }
}

/// Name and password of the provider that calls back (RFC 7617).
package struct PartnerCredentials: Sendable {
  let name: String
  let password: String

  package init(name: String, password: String) {
    self.name = name
    self.password = password
  }

  /// Reads an `Authorization` field; nil when it is no well-formed Basic one.
  package init?(authorization: String?) {
    guard let credentials = BasicCredentials(authorization: authorization) else { return nil }
    self.init(name: credentials.name, password: credentials.password)
  }

  /// Compares keyed digests, so that time tells neither a character nor a length.
  func matches(_ other: PartnerCredentials, _ vault: Vault) -> Bool {
    let (one, two) = (digest(vault), other.digest(vault))
    return one.utf8.isEqualInConstantTime(to: two.utf8)
  }

  private func digest(_ vault: Vault) -> String { vault.digest("\(name)\u{0}\(password)", for: "rubix partner") }
}
