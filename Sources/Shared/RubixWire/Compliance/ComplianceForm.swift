// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

/// One of the three compliance forms of an onboarding: the last part of `/compliance/crs|fatca|kyc` (Rubix §6.12).
public struct ComplianceForm: OpenEnumeration {
  /// The word on the wire.
  public let rawValue: String

  /// Wraps any word, known or not.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The self-certification of tax residence under the Common Reporting Standard of the OECD.
  public static let crs = ComplianceForm(rawValue: "crs")
  /// The certificate of foreign or US status under the US Foreign Account Tax Compliance Act.
  public static let fatca = ComplianceForm(rawValue: "fatca")
  /// What the bank asks to know its customer.
  public static let kyc = ComplianceForm(rawValue: "kyc")

  /// Every word that this version knows.
  public static let known: [ComplianceForm] = [.crs, .fatca, .kyc]
}
