// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import ReferenceData

/// What a customer typed to pay, kept as it was typed, and what is wrong with it.
struct PaymentForm: Sendable {
  static let currencies = ["EUR", "GBP", "USD"]

  var payee = ""
  var account = ""
  var amount = ""
  var currency = "EUR"
  var reference = ""

  init() {}

  init(_ form: FormFields) {
    func text(_ name: String) -> String { (form[name] ?? "").trimmingCharacters(in: .whitespacesAndNewlines) }
    (payee, account, amount) = (text("payee"), text("account"), text("amount"))
    (currency, reference) = (text("currency"), text("reference"))
  }

  /// What is ordered; or what has to be corrected, for people.
  var read: Result<BankOrder.Payment, Faults> {
    var faults: [String] = []
    let iban = IBAN(account)
    if !Self.isPlain(payee) || !(1...70).contains(payee.unicodeScalars.count) {
      faults.append("Who is paid: 1 to 70 letters.")
    }
    if iban == nil { faults.append("The account is no IBAN: look at it once more.") }
    let number = Self.amount(amount)
    if number == nil { faults.append("The amount: a number above zero, such as 12.50.") }
    if !Self.currencies.contains(currency) { faults.append("The currency is one of those offered.") }
    if !Self.isPlain(reference) || reference.unicodeScalars.count > 140 {
      faults.append("The reference: at most 140 letters.")
    }
    guard faults.isEmpty, let iban, let number else { return .failure(Faults(lines: faults)) }
    return .success(
      .init(
        payee: payee, account: iban.text, amount: number, currency: currency,
        reference: reference.isEmpty ? nil : reference))
  }

  struct Faults: Error, Equatable {
    let lines: [String]
  }

  /// With a point and two digits behind it.
  private static func amount(_ text: String) -> String? {
    guard let match = text.wholeMatch(of: #/(0|[1-9][0-9]{0,8})(?:[.,]([0-9]{1,2}))?/#) else { return nil }
    let cents = String(match.2 ?? "").padding(toLength: 2, withPad: "0", startingAt: 0)
    return match.1 == "0" && cents == "00" ? nil : "\(match.1).\(cents)"
  }

  /// As long as the service takes, and nothing that hides or turns what is shown (Unicode UAX #9).
  private static func isPlain(_ text: String) -> Bool {
    text.utf8.count <= 250
      && text.unicodeScalars.allSatisfy {
        ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
      }
  }
}
