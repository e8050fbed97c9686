// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import ReferenceData
import RubixWire

extension FATCARules {
  /// The lines of W-8BEN, in their order.
  static func checkW8BEN(
    _ form: FATCAResults.W8BEN, verified: VerifiedIdentity, crs: CRSResults?, today: WireDate, at path: FormPath,
    _ review: inout FormReview
  ) {
    checkName(form.name, verified: verified, at: path / "name", &review)
    checkCitizenship(form.citizenshipCountry, verified: verified, at: path / "citizenship_country", &review)
    AddressRules.check(form.permanentAddress, as: .permanent, at: path / "permanent_address", &review)
    AddressRules.check(
      mailing: form.mailingAddress, besides: form.permanentAddress, at: path / "mailing_address", &review)
    let usTIN = FormText.trimmed(form.usTIN)
    if !usTIN.isEmpty && !USTaxpayerNumber.ssn.fits(usTIN) && !USTaxpayerNumber.itin.fits(usTIN) {
      review.refuse(path / "us_tin", "tin-format", "This is no SSN and no ITIN.")
    }
    checkForeignTIN(form, crs: crs, at: path, &review)
    FormText.check(form.reference, at: path / "reference", required: false, max: 50, &review)
    CRSRules.checkBirth(form.dateOfBirth, verified: verified, today: today, at: path / "date_of_birth", &review)
    if let treaty = form.treaty { checkTreaty(treaty, of: form, at: path / "treaty", &review) }
  }

  /// The one name of a US form, compared with the verified one.
  static func checkName(
    _ name: String, verified: VerifiedIdentity, at path: FormPath, _ review: inout FormReview
  ) {
    FormText.check(name, at: path, max: 2 * FormText.lineMax, &review)
    guard !FormText.trimmed(name).isEmpty else { return }
    NameRules.note(NameRules(verified).compare(fullName: name), at: path, &review)
  }

  private static func checkCitizenship(
    _ code: String, verified: VerifiedIdentity, at path: FormPath, _ review: inout FormReview
  ) {
    guard let country = Country.with(alpha2: code) else {
      return review.refuse(path, "country", "Please choose a country of the list.")
    }
    if code == "US" {
      review.refuse(path, "us-citizen", "A US citizen is a US person and gives a W-9.")
    } else if !verified.nationalities.isEmpty && !verified.nationalities.contains(country.alpha3) {
      review.flag(path, "citizenship-differs", "The citizenship is not the one on the verified document.")
    }
  }

  /// Line 6: a number, or the statement that none is needed. The number is one of the country of residence; that of
  /// another tax residence or of the citizenship is taken, and flagged.
  private static func checkForeignTIN(
    _ form: FATCAResults.W8BEN, crs: CRSResults?, at path: FormPath, _ review: inout FormReview
  ) {
    let tin = FormText.trimmed(form.foreignTIN)
    let place = path / "foreign_tin"
    switch (tin.isEmpty, form.foreignTINNotRequired) {
    case (true, false):
      return review.refuse(place, "tin-or-reason-required", "Please give the number, or say that none is required.")
    case (false, true):
      return review.refuse(
        path / "ftin_not_required", "tin-and-reason", "Give either the number or say that none is required, not both.")
    case (true, true): return
    case (false, false): break
    }
    let home = form.permanentAddress.country
    let elsewhere = [form.citizenshipCountry] + (crs?.taxResidences.map(\.country) ?? [])
    // Only a country whose format is known can vouch for a number that does not fit at home.
    let fitsElsewhere = elsewhere.contains { country in
      country != "US" && TINFormat.knownCountries.contains(country) && TINFormat.check(tin, of: country).isAcceptable
    }
    if !TINFormat.check(tin, of: home).isAcceptable && fitsElsewhere {
      review.flag(place, "tin-of-other-country", "The number is not one of the country of the permanent address.")
    } else {
      CRSRules.checkFormat(tin, of: home, at: place, &review)
    }
    let stated = crs?.taxResidences.first { $0.country == home }?.tin.flatMap { TINText($0)?.compact }
    if let stated, !stated.isEmpty, stated != TINText(tin)?.compact {
      review.flag(place, "tin-differs", "The two tax forms name different numbers of this country.")
    }
  }

  /// Lines 9 and 10: a claim names the country of the treaty, and a rate of at most 30 per cent.
  private static func checkTreaty(
    _ treaty: FATCAResults.Treaty, of form: FATCAResults.W8BEN, at path: FormPath, _ review: inout FormReview
  ) {
    let texts = [("article", treaty.article), ("income_type", treaty.incomeType), ("reason", treaty.reason)]
    for (member, text) in texts {
      FormText.check(text, at: path / member, required: false, max: FormText.explanationMax, &review)
    }
    if let rate = treaty.rate, !(0...30).contains(rate) {
      review.refuse(path / "rate", "out-of-range", "The rate of withholding is 0 to 30 per cent.")
    }
    let isClaimed = treaty.rate != nil || texts.contains { !FormText.trimmed($0.1).isEmpty }
    guard let country = treaty.country else {
      if isClaimed { review.refuse(path / "country", "required", "Please name the country of the treaty.") }
      return
    }
    FormText.checkCountry(country, at: path / "country", &review)
    if country == "US" {
      review.refuse(path / "country", "us-treaty", "The treaty is one of another country with the US.")
    } else if country != form.permanentAddress.country {
      review.flag(path / "country", "treaty-country-differs", "The treaty is not one of the country of residence.")
    }
  }
}
