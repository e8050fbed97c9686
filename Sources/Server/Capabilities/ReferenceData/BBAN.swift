// SPDX-License-Identifier: Apache-2.0

/// The national part of an IBAN, as the registry of ISO 13616 describes it for a country: the bank, its branch where
/// the country has one, the account, and the country's own check digits where it has some.
package struct BBAN: Sendable, Equatable {
  /// A part that an institution is given: its length, and whether letters are in it.
  package struct Code: Sendable, Equatable {
    package let length: Int
    package let isLetters: Bool

    func admits(_ text: String) -> Bool {
      text.utf8.count == length
        && text.utf8.allSatisfy { (isLetters ? 0x41...0x5A : 0x30...0x39).contains($0) }
    }
  }

  /// Where a country's own check digits stand, and by which rule they are made.
  enum Check: Sendable {
    case none
    /// Belgium: the ten digits before, modulo 97; 97 for 0.
    case belgian
    /// France and Monaco: the RIB key.
    case french
    /// Italy and San Marino: a letter in front (CIN).
    case italian
    /// The Netherlands: no digit of its own, the account as a whole passes the test of eleven.
    case dutch
    /// Norway: one digit, weighted, modulo 11.
    case norwegian
    /// Portugal: ISO/IEC 7064, MOD 97-10.
    case portuguese
    /// Spain: one digit over bank and branch, one over the account.
    case spanish
  }

  /// ISO 3166-1, two letters.
  package let country: String
  package let bank: Code
  /// Nil where a country has none.
  package let branch: Code?
  /// Digits of an account, its check digits not counted.
  package let accountDigits: Int
  let check: Check

  private init(_ country: String, bank: Code, branch: Int?, account: Int, _ check: Check = .none) {
    (self.country, self.bank, self.check) = (country, bank, check)
    (self.branch, accountDigits) = (branch.map { Code(length: $0, isLetters: false) }, account)
  }

  /// The countries whose own check digits are known here, or that have none. Others have IBANs too, and none is made up
  /// for them.
  package static func of(_ country: String) -> BBAN? { all[country] }
  package static var countries: [String] { all.keys.sorted() }

  private static let all: [String: BBAN] = {
    func digits(_ length: Int) -> Code { Code(length: length, isLetters: false) }
    let letters = Code(length: 4, isLetters: true)
    let list = [
      BBAN("AT", bank: digits(5), branch: nil, account: 11),
      BBAN("BE", bank: digits(3), branch: nil, account: 7, .belgian),
      BBAN("CH", bank: digits(5), branch: nil, account: 12), BBAN("CY", bank: digits(3), branch: 5, account: 16),
      BBAN("DE", bank: digits(8), branch: nil, account: 10),
      BBAN("ES", bank: digits(4), branch: 4, account: 10, .spanish),
      BBAN("FR", bank: digits(5), branch: 5, account: 11, .french), BBAN("GB", bank: letters, branch: 6, account: 8),
      BBAN("GR", bank: digits(3), branch: 4, account: 16), BBAN("IE", bank: letters, branch: 6, account: 8),
      BBAN("IT", bank: digits(5), branch: 5, account: 12, .italian),
      BBAN("LI", bank: digits(5), branch: nil, account: 12), BBAN("LU", bank: digits(3), branch: nil, account: 13),
      BBAN("MC", bank: digits(5), branch: 5, account: 11, .french),
      BBAN("MT", bank: letters, branch: 5, account: 18), BBAN("NL", bank: letters, branch: nil, account: 10, .dutch),
      BBAN("NO", bank: digits(4), branch: nil, account: 6, .norwegian),
      BBAN("PT", bank: digits(4), branch: 4, account: 11, .portuguese),
      BBAN("SM", bank: digits(5), branch: 5, account: 12, .italian),
    ]
    return Dictionary(uniqueKeysWithValues: list.map { ($0.country, $0) })
  }()

  /// The national part with its check digits.
  /// - Returns: nil for an account that a country's rule has no check digit for.
  func text(bank: String, branch: String, account: String) -> String? {
    let plain = bank + branch + account
    switch check {
    case .none: return plain
    case .belgian:
      let rest = Modulus97.remainder(plain)
      return plain + Modulus97.padded(rest == 0 ? 97 : rest, to: 2)
    case .french:
      // 97 less the remainder of the number with two zeros behind it.
      return plain + Modulus97.padded(97 - Modulus97.remainder("\(plain)00"), to: 2)
    case .italian: return Self.italianLetter(of: plain) + plain
    case .dutch: return Self.weighted(account, by: Array((1...10).reversed())) % 11 == 0 ? plain : nil
    case .norwegian:
      let digit = (11 - Self.weighted(plain, by: [5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11) % 11
      return digit == 10 ? nil : "\(plain)\(digit)"
    case .portuguese: return plain + Modulus97.digits(for: plain)
    case .spanish:
      func digit(_ text: String) -> Int {
        let digit = 11 - Self.weighted(text, by: [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]) % 11
        return digit == 10 ? 1 : digit == 11 ? 0 : digit
      }
      return "\(bank)\(branch)\(digit("00\(bank)\(branch)"))\(digit(account))\(account)"
    }
  }

  private static func weighted(_ digits: String, by weights: [Int]) -> Int {
    zip(digits.utf8, weights).reduce(0) { $0 + (Int($1.0) - 0x30) * $1.1 }
  }

  /// Italy's CIN: characters at odd places, the first one among them, count by a table, the others as they are, and the
  /// sum modulo 26 is a letter.
  private static func italianLetter(of text: String) -> String {
    let odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
    let sum = text.utf8.enumerated().reduce(0) { sum, item in
      let digit = Int(item.element) - 0x30
      return sum + (item.offset % 2 == 0 ? odd[digit] : digit)
    }
    return String(UnicodeScalar(UInt8(0x41 + sum % 26)))
  }
}
