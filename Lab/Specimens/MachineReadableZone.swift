// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The lines of a specimen's machine-readable zone, as `DocumentCore` writes them.
enum MachineReadableZone {
  /// - Throws: `SpecimenError.unwritableHolder` when name or number has no form in a zone.
  static func lines(
    _ format: MRZ.Format, code: String, _ holder: Holder, _ papers: Papers
  ) throws(SpecimenError) -> [String] {
    do {
      let record = try MRZ.Record(
        format: format, documentCode: code, issuingState: "UTO", surname: holder.surname,
        givenNames: holder.givenNames, documentNumber: papers.number, nationality: "UTO",
        birthDate: PartialDate(holder.birthDate), sex: sex(holder), expiryDate: papers.expiryDate,
        optionalData1: papers.personalNumber ?? "")
      return try MRZ.lines(of: record)
    } catch {
      throw .unwritableHolder
    }
  }

  private static func sex(_ holder: Holder) -> MRZ.Sex {
    switch holder.sex {
    case .male: .male
    case .female: .female
    case .unspecified: .unspecified
    }
  }
}
