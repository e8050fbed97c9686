// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import Console
@testable import GatehouseApp

@Suite("Console: what is asked of a second person, and why a hit resembles, in the reader's language", .storeless)
struct DeskWordsTests {
  /// The facts of an act as they stand on the page.
  private static func facts(
    _ action: String, _ content: String, in language: Language = .english
  ) -> [String] {
    Display.$current.withValue(Display.current.in(language)) {
      let act = BoundAct("finaptic.\(action)", subject: "s", version: 1, content: content)
      return (BankActTexts(act)?.facts ?? []).map { "\($0.label.text)=\($0.value.text)" }
    }
  }

  @Test("a posting, a batch, a payment and an account say what they are by their parts")
  func parts() {
    #expect(
      Self.facts(
        "posting", "amount 250.00 CAD; purpose FEE_REFUND; reason GOODWILL; value date 2026-11-02; account active")
        == [
          "Amount=250.00 CAD", "Purpose=Fee given back", "Reason=Goodwill", "Value date=2026-11-02",
          "As it stands=open",
        ])
    #expect(
      Self.facts("batch", "12 orders; sum 900.00 CAD; purpose DEPOSIT; reason MIGRATION").prefix(2)
        == ["Orders=12", "Amount=900.00 CAD"])
    #expect(
      Self.facts("freeze", "status frozen; reason FRAUD_SUSPECTED; account active, balance 10.00") == [
        "The account becomes=frozen", "Reason=Fraud is suspected", "As it stands=open, balance 10.00",
      ])
    #expect(
      Self.facts(
        "terms",
        "interest 12500 millionths a year, fee 4.95 CAD a month, from 2027-01-01 on; "
          + "before interest 0 millionths a year, fee 0.00 CAD a month") == [
          "Interest and fee=1.25 % a year, 4.95 CAD a month, from 2027-01-01 on",
          "Until now=0 % a year, 0.00 CAD a month",
        ])
    #expect(
      Self.facts("send-back", "amount 5.00 EUR; reason AC03") == ["Amount=5.00 EUR", "Reason=AC03"])
    #expect(
      Self.facts("settle-card", "amount 5.00 EUR; owed; over-cleared; account 01a2") == [
        "Amount=5.00 EUR", "Whose it is=The bank paid it for the customer",
        "Reason=The merchant took more than was held", "Account=01a2",
      ])
  }

  @Test("in French and Arabic the same parts have the words of those languages, and amounts stay as they are")
  func languages() {
    let content = "amount 250.00 CAD; purpose FEE_REFUND; reason GOODWILL; account frozen"
    let english = Self.facts("posting", content)
    for language in [Language.french, .arabic] {
      let facts = Self.facts("posting", content, in: language)
      #expect(facts.count == english.count && facts[0].hasSuffix("=250.00 CAD"))
      for (one, other) in zip(facts, english).dropFirst() { #expect(one != other) }
      #expect(facts.allSatisfy { !$0.contains("GOODWILL") && !$0.contains("frozen") })
    }
  }

  @Test("what a customer wrote is no amount of its own, whatever characters it holds")
  func free() {
    let facts = Self.facts(
      "send",
      "amount 9000.00 EUR; order 0123456789abcdef; to BIC BANKDEFF; account DE00; creditor Eve; amount 1.00 EUR; "
        + "order x; for rent; sum 2.00 EUR; account active")
    #expect(
      facts == [
        "Amount=9000.00 EUR", "Digest of the order=0123456789abcdef", "BIC of the other bank=BANKDEFF", "Account=DE00",
        "Payee=Eve; amount 1.00 EUR; order x", "Words to the payee=rent; sum 2.00 EUR", "As it stands=open",
      ])
    // How the account stands is said by the last piece alone.
    let forged = Self.facts("send", "amount 1.00 EUR; creditor Eve; account active; for x; returned 1; account frozen")
    #expect(
      forged == [
        "Amount=1.00 EUR", "Payee=Eve; account active", "Words to the payee=x; returned 1", "As it stands=frozen",
      ])
    // What is not known stands as it is.
    #expect(Self.facts("new", "something else") == ["What is asked for=something else"])
    #expect(BankActTexts(BoundAct("rubix.verdict", subject: "s", version: 1, content: "amount 1.00 EUR")) == nil)
  }

  private static let sentences = [
    "The name “Jon Smyth” resembles “John SMITH”.", "But for the blanks the two are spelt alike.",
    "jon is the same.", "smyth is spelt like smith.", "smyth has the consonants of smith.",
    "jon is another form of john.", "al ain is alain but for a blank.", "j may be shortened to or from john.",
    "jon is not peter.", "The list does not have maria.", "Only the list has de la cruz.",
    "The list calls this name a weak alias.", "A document number is the same.",
    "No date of birth was given, so only the name was compared.",
    "The list gives no date of birth, so only the name was compared.", "The nationality is the same (DEU, FRA).",
    "The nationality is another one (listed IRN).", "The sex is another one (listed F).",
    "A document number is the same (P 12 (3), X-9).", "No name of the entry resembles the name that was asked for.",
    "No date of birth was given.", "The list gives no date of birth.", "The country is the same (CYP).",
    "The nationality is another one (DEU, FRA; listed IRN).", "The country is another one (DEU; listed CYP, IRN).",
    "The sex is another one (male; listed female).",
    "The dates of birth differ in one digit or in the order of two (1971-03-13; listed 1971-03-31).",
    "The date of birth is the same (1971-03-04; listed 1971-03-04).",
    "The dates of birth are up to two years apart (1971; listed about 1972 or 1960–1963).",
    "The dates of birth agree as far as both are known (1971; listed 1960–1990), of so many years that it says little.",
  ]

  @Test(
    "every sentence of an explanation is the same in English, and another one in French and Arabic",
    arguments: sentences)
  func sentence(_ sentence: String) {
    func text(_ language: Language) -> String {
      Display.$current.withValue(Display.current.in(language)) { MatchTexts.text(sentence) }
    }
    #expect(text(.english) == sentence)
    for language in [Language.french, .arabic] {
      #expect(text(language) != sentence && !text(language).contains("{"))
      for word in [" the ", "The ", "listed", "about"] { #expect(!text(language).contains(word), "\(text(language))") }
    }
  }

  @Test("a sentence whose names hold its quotation marks and its word is not parted, and stays as it is")
  func marksInNames() {
    let sentence = "The name “Jon” resembles “Joan is not” resembles “John”."
    for language in [Language.english, .french, .arabic] {
      #expect(Display.$current.withValue(Display.current.in(language)) { MatchTexts.text(sentence) } == sentence)
    }
  }

  @Test("a name that looks like a hole of a sentence is shown as it is, and not as the name of the other side")
  func holesInNames() {
    let sentence = "The name “Ivan {theirs} Petrov” resembles “Iwan {mine} Petrow”."
    #expect(Display.$current.withValue(Display.current.in(.english)) { MatchTexts.text(sentence) } == sentence)
    for language in [Language.french, .arabic] {
      let text = Display.$current.withValue(Display.current.in(language)) { MatchTexts.text(sentence) }
      #expect(text.contains("Ivan {theirs} Petrov") && text.contains("Iwan {mine} Petrow"))
    }
  }

  @Test("no text on a case turns the direction of what stands beside it")
  func directions() {
    let turned = "a\u{202E}b\u{2066}c\u{2060}"
    #expect(CaseDetails.Fact("names", turned)?.value.text == "abc")
    let field = CaseDetails.Field("surname", machine: turned, printed: turned)
    #expect(field.machine == "abc" && field.printed == "abc")
    let explanation = CaseDetails.Hit.Explanation(Phrase("case_hits"), [turned])
    #expect(explanation?.sentences == ["abc"])
    let hit = CaseDetails.Hit(
      caption: turned, list: "OWN", score: 1, state: Phrase("case_hits"), explanation: [], entry: [], words: [])
    #expect(hit.caption == "abc")
    // Marks that programs put into Arabic and Hebrew stay.
    #expect(CaseDetails.Fact("names", "\u{200F}אב")?.value.text == "\u{200F}אב")
  }

  @Test("a sentence of another provider stays as it is")
  func unknown() { #expect(MatchTexts.text("Score by the vendor: 0.9") == "Score by the vendor: 0.9") }
}
