// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import ReferenceData
import TestSupport
import Testing

@testable import Console
@testable import Demonstration

@Suite("Demo bank: what a visitor typed", .storeless)
struct BankRulesTests {
  @Test(
    "an account number is taken with the right check digits, whatever its spaces and case",
    arguments: [
      ("GB82 WEST 1234 5698 7654 32", "GB82 WEST 1234 5698 7654 32"),
      ("de89370400440532013000", "DE89 3704 0044 0532 0130 00"),
      ("ZZ83DEMO00000002000", "ZZ83 DEMO 0000 0002 000"),
    ])
  func accounts(written: String, grouped: String) throws {
    #expect(try #require(IBAN(written)).grouped == grouped)
  }

  @Test(
    "what is no account number is refused",
    arguments: [
      "", "GB", "GB83WEST12345698765432", "GB82WEST1234569876543", "GB82WEST12345698765432GB82WEST12345698765432",
      "8282WEST12345698765432", "GB82WEST1234569876543Ü", "GB82-WEST12345698765432", "GB8٢WEST12345698765432",
    ])
  func noAccounts(written: String) { #expect(IBAN(written) == nil) }

  @Test("every single wrong digit is noticed")
  func digits() throws {
    let right = Array("DE89370400440532013000")
    for place in 2..<right.count {
      for digit in "0123456789" where digit != right[place] {
        var wrong = right
        wrong[place] = digit
        #expect(IBAN(String(wrong)) == nil, "\(String(wrong))")
      }
    }
  }

  @Test("check digits are made that are right", arguments: 0..<50)
  func made(number: Int) throws {
    let account = try #require(IBAN(country: "ZZ", account: "DEMO0000000\(1000 + number)"))
    #expect(IBAN(account.text) == account)
  }

  @Test(
    "amounts are read with a point or a comma, and ordered with two digits",
    arguments: [("1", "1.00"), ("0.5", "0.50"), ("12,50", "12.50"), ("999999999.99", "999999999.99")])
  func amounts(typed: String, ordered: String) throws {
    #expect(try Self.form(amount: typed).read.get().amount == ordered)
  }

  @Test(
    "amounts of nothing, of less than a cent, or that read in two ways are refused",
    arguments: ["", "0", "0.00", "-1", "+1", "01", "1.000", "1.000,00", "1 000", "1e3", ".5", "1.", "1000000000", "١"])
  func noAmounts(typed: String) throws {
    #expect(
      try Self.form(amount: typed).read == .failure(.init(lines: ["The amount: a number above zero, such as 12.50."])))
  }

  @Test(
    "names and references that hide or turn what is shown are refused",
    arguments: ["a\u{202E}b", "a\u{0}b", "a\u{200B}b", "a\nb", String(repeating: "a", count: 71), "   "])
  func hidden(payee: String) throws {
    #expect(try Self.form(payee: payee).read == .failure(.init(lines: ["Who is paid: 1 to 70 letters."])))
  }

  @Test("whatever is typed is either ordered as it is shown or refused")
  func fuzz() throws {
    var random = SeededGenerator(seed: 5)
    let letters = Array("0123456789.,-+eE aZ\u{202E}\u{0}<>&\"'€ü")
    var ordered = 0
    for _ in 0..<2000 {
      let typed = String(
        (0..<Int.random(in: 0...14, using: &random)).map { _ in letters.randomElement(using: &random) ?? "0" })
      guard case .success(let payment) = try Self.form(payee: "P\(typed)", amount: typed).read else { continue }
      ordered += 1
      let number = try #require(Decimal(string: payment.amount))
      #expect(number > 0 && payment.amount.wholeMatch(of: #/[0-9]{1,9}\.[0-9]{2}/#) != nil)
      #expect(Decimal(string: typed.trimmingCharacters(in: .whitespaces).replacing(",", with: ".")) == number)
    }
    #expect(ordered > 0)
  }

  private static func form(payee: String = "Utopia Water Works", amount: String = "1") throws -> PaymentForm {
    var form = PaymentForm()
    (form.payee, form.account, form.amount) = (
      payee.trimmingCharacters(in: .whitespacesAndNewlines), "ZZ83DEMO00000002000",
      amount.trimmingCharacters(in: .whitespacesAndNewlines)
    )
    return form
  }
}
