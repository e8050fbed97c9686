// SPDX-License-Identifier: Apache-2.0

/// How an institution numbers the accounts of its customers: by the IBAN of its country, or in Canada by institution,
/// transit and account.
package struct AccountNumbering: Sendable, Equatable {
  /// Canada has no IBAN: an institution of three digits, a transit of five, an account of seven to twelve (Payments
  /// Canada, Standard 005).
  package static let canada = "CA"
  package static let canadianDigits = 7...12

  /// ISO 3166-1, two letters.
  package let country: String
  /// The institution's number or bank code.
  package let bank: String
  /// Its transit or branch; empty where the country has none.
  package let branch: String
  /// Digits of an account, with the check digits of Canada's and without those of a country's own.
  package let digits: Int

  /// - Parameter digits: of an account in Canada; other countries have one length.
  /// - Returns: nil for a country that is not known here, and for codes or a length that it does not have.
  package init?(country: String, bank: String, branch: String, digits: Int? = nil) {
    if country == Self.canada {
      let length = digits ?? 10
      guard Self.canadianDigits.contains(length), BBAN.Code(length: 3, isLetters: false).admits(bank),
        BBAN.Code(length: 5, isLetters: false).admits(branch)
      else { return nil }
      self.digits = length
    } else {
      guard let form = BBAN.of(country), form.bank.admits(bank),
        form.branch.map({ $0.admits(branch) }) ?? branch.isEmpty, digits == nil || digits == form.accountDigits
      else { return nil }
      self.digits = form.accountDigits
    }
    (self.country, self.bank, self.branch) = (country, bank, branch)
  }

  /// How many serials there are: up to 10¹⁸.
  package var serials: UInt64 {
    let free = country == Self.canada ? digits - 2 : digits
    return (0..<min(free, 18)).reduce(1) { count, _ in count * 10 }
  }

  /// The number of a serial.
  /// - Parameter serial: below `serials`.
  /// - Returns: nil for a serial that the country's rule gives no check digit.
  package func number(_ serial: UInt64) -> CustomerAccountNumber? {
    precondition(serial < serials, "A serial has a place in the account.")
    guard country == Self.canada else {
      let account = Modulus97.padded(serial, to: digits)
      guard let national = BBAN.of(country)?.text(bank: bank, branch: branch, account: account),
        let iban = IBAN(country: country, account: national)
      else { return nil }
      return CustomerAccountNumber(country: country, bank: bank, branch: branch, account: account, text: iban.text)
    }
    let plain = Modulus97.padded(serial, to: digits - 2)
    // Over all of it, so that an account at another branch is found out, too.
    let account = plain + Modulus97.digits(for: bank + branch + plain)
    return CustomerAccountNumber(
      country: country, bank: bank, branch: branch, account: account, text: "0\(bank)\(branch)\(account)")
  }
}

/// The number of a customer's account, by which other banks and people name it.
package struct CustomerAccountNumber: Sendable, Hashable {
  /// ISO 3166-1, two letters.
  package let country: String
  package let bank: String
  /// Empty where the country has none.
  package let branch: String
  package let account: String
  /// The IBAN; in Canada a zero, institution, transit and account: as electronic payments write the routing number.
  package let text: String

  package init(country: String, bank: String, branch: String, account: String, text: String) {
    (self.country, self.bank, self.branch) = (country, bank, branch)
    (self.account, self.text) = (account, text)
  }

  /// Nil where the country has none.
  package var iban: IBAN? { country == AccountNumbering.canada ? nil : IBAN(text) }

  /// As people read it: an IBAN in groups of four; in Canada transit, institution and account, as on a cheque.
  package var shown: String { iban?.grouped ?? "\(branch)-\(bank)-\(account)" }

  /// Bytes of a number as it is written, with spaces or hyphens between its groups.
  private static let writtenMax = 64

  /// The full numbers that a payment may mean: an IBAN, or in Canada institution, transit and account with or without
  /// the zero, or transit before institution, as on a cheque.
  /// - Parameter routing: the routing number of the bank beside it, where a message gives one: full numbers of another
  ///   bank are not meant then.
  /// - Returns: none for a text that is longer than any number, which a message may have up to a mebibyte of.
  package static func candidates(_ written: String, routing: String? = nil) -> Set<String> {
    guard written.utf8.count <= writtenMax, (routing ?? "").utf8.count <= writtenMax else { return [] }
    let text = written.filter { $0 != " " && $0 != "-" }
    if let iban = IBAN(text) { return [iban.text] }
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.isEmpty else { return [] }
    let institution = text.dropFirst(5).prefix(3)
    let forms: Set = [text, "0\(text)", "0\(institution)\(text.prefix(5))\(text.dropFirst(8))"]
    guard let routing else { return forms }
    // Eight digits of Canada, or nine with the zero.
    let bank = routing.filter { $0 != "-" }
    let full = bank.utf8.count == 8 ? "0\(bank)" : bank
    return forms.filter { $0.hasPrefix(full) }.union([full + text])
  }
}
