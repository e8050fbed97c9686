// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire

/// The rules of the declaration of a CRS form and the certification of a FATCA form (Rubix §7.1, §7.2).
enum SignatureRules {
  /// How many days the day of signing may lie from the server's day, for the signer's calendar may be ahead or behind.
  static let toleranceDays = 1

  /// 1. The declaration is accepted.
  /// 2. It is signed today, give or take a day.
  /// 3. Who signs for themselves signs with their own name.
  /// 4. Who signs for another gives the id of the copy of the power of attorney.
  static func check(
    _ signature: ComplianceSignature, by verified: VerifiedIdentity, today: WireDate, at path: FormPath,
    _ review: inout FormReview
  ) {
    if !signature.accepted {
      review.refuse(path / "accepted", "not-accepted", "The declaration must be accepted.")
    }
    let distance = signature.signedOn.daysSince1970 - today.daysSince1970
    if distance > toleranceDays {
      review.refuse(path / "signed_on", "in-future", "The day of signing lies in the future.")
    } else if distance < -toleranceDays {
      review.refuse(path / "signed_on", "not-today", "Please sign with the date of today.")
    }
    let name = FormText.trimmed(signature.signedName)
    FormText.check(name, at: path / "signed_name", max: 2 * FormText.lineMax, &review)
    guard signature.capacity.isKnown else {
      return review.refuse(path / "capacity", "unknown-capacity", "Please say in what capacity you sign.")
    }
    if signature.capacity != .holder {
      FormText.checkID(
        signature.powerOfAttorneyID, at: path / "power_of_attorney_id",
        required: "Another person may sign only with a power of attorney.", &review)
      review.flag(path / "capacity", "signed-by-another", "Another person signed for the account holder.")
    } else if !name.isEmpty {
      let outcome = NameRules(verified).compare(fullName: name, allowsInitials: true)
      NameRules.note(outcome, at: path / "signed_name", &review)
    }
  }
}
