// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import Forms

@Suite("Names: the spellings of one name are the same name", .storeless)
struct NameRulesTests {
  private func identity(_ family: String, _ given: String, isCut: Bool = false) -> NameRules {
    var verified = FormSamples.verified
    (verified.familyName, verified.givenNames, verified.namesMayBeTruncated) = (family, given, isCut)
    return NameRules(verified)
  }

  @Test(
    "family names",
    arguments: [
      ("MUELLER", "Müller", true), ("MULLER", "Müller", true), ("MÜLLER", "Mueller", true), ("GROSS", "Groß", true),
      ("SOERENSEN", "Sørensen", true), ("SORENSEN", "Sørensen", true), ("OCONNOR", "O’Connor", true),
      ("MEIER SCHMIDT", "Meier-Schmidt", true), ("AL SABAH", "Alsabah", true), ("ALSABAH", "Al-Sabah", true),
      ("GARCIA LOPEZ", "García López", true), ("LUKASZEWICZ", "Łukaszewicz", true), ("AAGAARD", "Ågaard", true),
      ("MUSTERMANN", "Musterman", false), ("MEIER SCHMIDT", "Meier", false), ("MEIER", "Meier Schmidt", false),
      ("MUSTERMANN", "", false),
    ])
  func family(document: String, form: String, isSame: Bool) {
    #expect((identity(document, "ERIKA").compare(familyName: form) == .same) == isSame)
  }

  @Test(
    "given names may be fewer, but not others",
    arguments: [
      ("ERIKA MARIA", "Erika", true), ("ERIKA MARIA", "Maria", true), ("ERIKA MARIA", "Erika Maria", true),
      ("ERIKA MARIA", "Erika Anna", false), ("ERIKA", "Erika Maria", false), ("HANS PETER", "Hans-Peter", true),
      ("HANSPETER", "Hans-Peter", true), ("JOERG", "Jörg", true), ("ERIKA", "", false),
    ])
  func given(document: String, form: String, isSame: Bool) {
    #expect((identity("MUSTERMANN", document).compare(givenNames: form) == .same) == isSame)
  }

  @Test(
    "whole names in either order",
    arguments: [
      ("Erika Mustermann", true), ("Mustermann, Erika Maria", true), ("ERIKA M. MUSTERMANN", false),
      ("Mustermann", false),
      ("Erika", false), ("Erika Mustermann Junior", false),
    ])
  func whole(form: String, isSame: Bool) {
    #expect((identity("MUSTERMANN", "ERIKA MARIA").compare(fullName: form) == .same) == isSame)
  }

  @Test("an initial is enough to sign, a wrong initial is not")
  func initials() {
    let rules = identity("MUSTERMANN", "ERIKA MARIA")
    #expect(rules.compare(fullName: "E. Mustermann", allowsInitials: true) == .same)
    #expect(rules.compare(fullName: "E. M. Mustermann", allowsInitials: true) == .same)
    #expect(rules.compare(fullName: "X. Mustermann", allowsInitials: true) == .different)
  }

  @Test("a name that the MRZ cut short is continued, not contradicted")
  func truncated() {
    let rules = identity("NILAVADHANANANDA", "CHAYAPA DEJTHAMRONG KRASUA", isCut: true)
    #expect(rules.compare(givenNames: "Chayapa Dejthamrong Krasuang") == .same)
    #expect(rules.compare(givenNames: "Somchai") == .different)
    #expect(identity("A", "CHAYAPA KRASUA").compare(givenNames: "Chayapa Krasuang") == .different)
  }

  @Test("another script is not guessed at")
  func script() {
    #expect(identity("MUSTERMANN", "ERIKA").compare(familyName: "Мустерман") == .notComparable)
    #expect(identity("الصباح", "سالم").compare(fullName: "Salem Al Sabah") == .notComparable)
  }
}

@Suite("Addresses: P.O. boxes and care-of lines in many spellings", .storeless)
struct PostalPhraseTests {
  @Test(
    "post-office boxes are found",
    arguments: [
      "P.O. Box 12", "PO Box 12", "p.o.box 12", "P O Box 12", "POBox12", "P. O. B. 12", "POB 12", "Post Office Box 12",
      "postal box 12", "Post Box No. 12", "GPO Box 12", "Locked Bag 7", "Private Bag X12", "Postfach 12 34", "BP 12",
      "B.P. 12", "Boîte postale 12", "Casella Postale 12", "Apartado 12", "Apartado de Correos 12", "Caixa Postal 12",
      "Postbus 12", "Postboks 12", "Box 12", "Villa 3, P.O. Box 99, Salmiya", "ص.ب 12", "ص. ب. 12", "صندوق بريد 12",
      "صندوق البريد 12", "PMB 12", "P-O Box 12", "P/O Box 12",
    ])
  func boxes(line: String) {
    #expect(PostalPhrase.isBox(line))
  }

  @Test(
    "care-of lines are found",
    arguments: [
      "c/o Miller", "C/O Miller", "C / O Miller", "c.o. Miller", "℅ Miller", "care of Miller", "In Care Of Miller",
      "Attn: Miller", "Villa 3 c/o Miller",
    ])
  func careOf(line: String) {
    #expect(PostalPhrase.isCareOf(line))
  }

  @Test(
    "ordinary lines are left alone",
    arguments: [
      "Block 4, Street 12, House 7", "Poststraße 7", "Boxberg 3", "Via Po 12", "12 Box Hill Road", "Co. Dublin",
      "Postillion Way 3", "شارع سالم المبارك", "Bagshot Lane", "Coburg", "Office 12, Tower B", "Caretaker's House",
      "1 Old Post Office Lane", "Boxwood Court", "Apartado Street",
    ])
  func streets(line: String) {
    #expect(!PostalPhrase.isBox(line) && !PostalPhrase.isCareOf(line))
  }
}
