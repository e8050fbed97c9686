// SPDX-License-Identifier: Apache-2.0

import GatehouseWire

extension FATCAResults {
  /// Form W-9: the taxpayer number of a US person and its certification (Rubix §7.2).
  public struct W9: Codable, Hashable, Sendable {
    /// As on the income tax return.
    public var name: String
    /// When it differs from the name.
    public var businessName: String?
    /// `individual`: no other classification is onboarded here.
    public var taxClassification: String
    /// 1 to 13; individuals seldom have one.
    public var exemptPayeeCode: String?
    /// A to M.
    public var fatcaExemptionCode: String?
    /// Where the holder lives.
    public var address: ComplianceAddress
    /// Which number is given.
    public var tinType: TINType
    /// The number itself.
    public var tin: String
    /// The Internal Revenue Service has told the holder that backup withholding applies.
    public var backupWithholdingNotified: Bool

    /// Creates the value from its members.
    public init(
      name: String, businessName: String? = nil, taxClassification: String = "individual",
      exemptPayeeCode: String? = nil, fatcaExemptionCode: String? = nil, address: ComplianceAddress, tinType: TINType,
      tin: String, backupWithholdingNotified: Bool = false
    ) {
      self.name = name
      self.businessName = businessName
      self.taxClassification = taxClassification
      self.exemptPayeeCode = exemptPayeeCode
      self.fatcaExemptionCode = fatcaExemptionCode
      self.address = address
      self.tinType = tinType
      self.tin = tin
      self.backupWithholdingNotified = backupWithholdingNotified
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
      case name, address, tin
      case businessName = "business_name"
      case taxClassification = "tax_classification"
      case exemptPayeeCode = "exempt_payee_code"
      case fatcaExemptionCode = "fatca_exemption_code"
      case tinType = "tin_type"
      case backupWithholdingNotified = "backup_withholding_notified"
    }
  }

  /// Which of the three US taxpayer numbers is given.
  public struct TINType: OpenEnumeration {
    /// The word on the wire.
    public let rawValue: String

    /// Wraps any word, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Social Security number.
    public static let ssn = TINType(rawValue: "SSN")
    /// Individual taxpayer identification number.
    public static let itin = TINType(rawValue: "ITIN")
    /// Employer identification number.
    public static let ein = TINType(rawValue: "EIN")

    /// Every word that this version knows.
    public static let known: [TINType] = [.ssn, .itin, .ein]
  }
}
