// SPDX-License-Identifier: Apache-2.0

/// The three taxpayer numbers of the United States; none has a check digit (Rubix §7.3, first row).
package enum USTaxpayerNumber: Hashable, Sendable, CaseIterable {
  /// Social Security number, `ddd-dd-dddd`: area not 000, 666 or 900–999, group not 00, serial not 0000.
  case ssn
  /// Individual taxpayer identification number: an area of 9xx and a group of 50–65, 70–88, 90–92 or 94–99.
  case itin
  /// Employer identification number, `dd-ddddddd`.
  case ein

  /// Whether the number has this form. The hyphens may be missing, but not stand elsewhere.
  package func fits(_ tin: String) -> Bool {
    guard let written = TINText(tin) else { return false }
    return fits(written)
  }

  func fits(_ written: TINText) -> Bool {
    guard let digits = written.compact.digits, digits.count == 9 else { return false }
    let shape = self == .ein ? "99-9999999" : "999-99-9999"
    guard written.whole.count == 9 || written.whole.matches(shape) else { return false }
    let area = digits[0] * 100 + digits[1] * 10 + digits[2]
    let group = digits[3] * 10 + digits[4]
    switch self {
    case .ssn: return area != 0 && area != 666 && area < 900 && group != 0 && digits[5...].contains { $0 != 0 }
    case .itin: return area >= 900 && [50...65, 70...88, 90...92, 94...99].contains { $0.contains(group) }
    case .ein: return true
    }
  }
}

extension TINFormat {
  /// An SSN or ITIN, or an EIN when its hyphen stands where only an EIN has it.
  static func unitedStates(_ written: TINText) -> TINFormat {
    if USTaxpayerNumber.ssn.fits(written) || USTaxpayerNumber.itin.fits(written) { return .wellFormed }
    let isHyphenated = written.whole.count == 10
    return isHyphenated && USTaxpayerNumber.ein.fits(written) ? .wellFormedForOrganisation : .malformed
  }
}
