// SPDX-License-Identifier: Apache-2.0

public import RubixWire

extension RubixOnboarding {
  /// The form as the app shows it (§6.12).
  public func template(_ form: ComplianceForm) async throws(RubixError) -> ComplianceTemplate {
    try await send(call("GET", "compliance/\(form.rawValue)"))
  }

  /// Submits the self-certification of tax residence (§7.1).
  public func submitCRS(_ submission: CRSSubmission) async throws(RubixError) -> ComplianceReceipt {
    try await send(call("POST", "compliance/crs", body: submission))
  }

  /// Submits the certificate of foreign or US status (§7.2).
  public func submitFATCA(_ submission: FATCASubmission) async throws(RubixError) -> ComplianceReceipt {
    try await send(call("POST", "compliance/fatca", body: submission))
  }

  /// Submits the institution's own questions (§6.12).
  public func submitKYC(_ submission: KYCSubmission) async throws(RubixError) -> ComplianceReceipt {
    try await send(call("POST", "compliance/kyc", body: submission))
  }
}
