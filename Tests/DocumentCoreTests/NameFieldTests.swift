// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Testing

@Suite("MRZ: names are encoded as Doc 9303-3 has it")
struct NameFieldTests {
  /// Skipped by name when the specification's folder is absent.
  @Test(
    "name_encoding_vectors: an accepted field, or one that obeys the rule",
    .enabled(if: Vectors.isPresent, "mrz-vectors.json is not there"), arguments: Vectors.file?.names ?? [])
  func vectors(_ vector: VectorsFile.Name) throws {
    let field = try #require(
      MRZ.NameField.encode(surname: vector.surname, givenNames: vector.givenNames, length: vector.length))
    // What had to be shortened may be shortened otherwise; a whole name is written as the vector has it, or the letters
    // would be compared with our own table only.
    let obeys = obeysRule(field, surname: vector.surname, givenNames: vector.givenNames, length: vector.length)
    let isShortened = field.last != "<"
    #expect(vector.accepted.contains(field) || isShortened && obeys, "\(field)")
  }

  @Test("hard names obey the rule at every field length", arguments: [30, 31, 39])
  func hardNames(length: Int) throws {
    let names = [
      ("BENNELONG WOOLOOMOOLOO WARRANDYTE WARNAMBOOL", "DINGO POTOROO"),
      ("X", "ABCDEFGHIJKLMNOPQRSTUVWXYZ ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
      ("WOLFESCHLEGELSTEINHAUSENBERGERDORFFVORALTERN", "A"),
      ("WOLFESCHLEGELSTEINHAUSENBERGERDORFFVORALTERN", ""),
      ("DE LA CRUZ Y DE LOS SANTOS", "MARIA DE LOS ANGELES DEL PILAR ROSARIO CONCEPCION INMACULADA"),
      ("DA SILVA E SOUZA", "J K L M N O P Q R S T U V W X Y Z"),
    ]
    for (surname, givenNames) in names {
      let field = try #require(MRZ.NameField.encode(surname: surname, givenNames: givenNames, length: length))
      #expect(obeysRule(field, surname: surname, givenNames: givenNames, length: length), "\(field)")
    }
  }

  @Test(
    "letters are transliterated by the tables",
    arguments: [
      ("Ægir Þórsson", "AEGIR THORSSON"), ("Łukasz Żółć", "LUKASZ ZOLC"), ("İnci Işık", "INCI ISIK"),
      ("Đorđe Ĳsbrand", "DORDE IJSBRAND"), ("o\u{308}zil", "OEZIL"), ("Groß", "GROSS"), ("Nguyễn", "NGUYEN"),
      ("D’Arc-Müller, Jr.", "DARC MUELLER JR"), ("Søren Ŋuŧ Ħal", "SOEREN NUT HAL"),
      ("Щербаков Юрий", "SHCHERBAKOV IURII"),
      ("محمّد", "MXHMMD"), ("فاطمة", "FAXTTMXAH"), ("ﬁona", "FIONA"), ("R2D2", "RD"), ("Ǽlfred", "AELFRED"),
    ])
  func transliteration(name: String, expected: String) {
    #expect(Transliteration.words(of: name).joined(separator: " ") == expected)
  }

  @Test(
    "Cyrillic is read by language where one is named",
    arguments: [
      ("Юрій Їжак", Transliteration.Language.ukrainian, "YURII YIZHAK"), ("Григорій", .ukrainian, "HRYHORII"),
      ("Алёна", .belarusian, "ALIONA"), ("Жарко Чех", .serbian, "ZARKO CEH"), ("Ќосев", .macedonian, "KJOSEV"),
      ("Щерев", .bulgarian, "SHTEREV"),
    ])
  func byLanguage(name: String, language: Transliteration.Language, expected: String) {
    #expect(Transliteration.words(of: name, language: language).joined(separator: " ") == expected)
  }

  @Test("a name without a letter that can be written is refused")
  func unwritable() {
    #expect(MRZ.NameField.encode(surname: "王", givenNames: "小明", length: 39) == nil)
    #expect(MRZ.NameField.encode(surname: "", givenNames: "ANNA", length: 39) == nil)
  }

  /// The rule of identity-documents §4.2 for any encoder, written independently of ours.
  private func obeysRule(_ field: String, surname: String, givenNames: String, length: Int) -> Bool {
    let primary = Transliteration.words(of: surname)
    let secondary = Transliteration.words(of: givenNames)
    let whole = ([primary] + (secondary.isEmpty ? [] : [secondary])).map { $0.joined(separator: "<") }
      .joined(separator: "<<")
    guard field.count == length, field.allSatisfy({ $0 == "<" || ("A"..."Z").contains($0) }) else { return false }
    if whole.count <= length { return field == whole + String(repeating: "<", count: length - whole.count) }
    let parts = field.components(separatedBy: "<<")
    guard field.last != "<", parts.count == (secondary.isEmpty ? 1 : 2) else { return false }
    let written = parts.map { $0.split(separator: "<", omittingEmptySubsequences: false).map(String.init) }
    guard written[0].count == primary.count, zip(written[0], primary).allSatisfy({ !$0.isEmpty && $1.hasPrefix($0) })
    else { return false }
    guard !secondary.isEmpty else { return true }
    return written[1].count <= secondary.count
      && zip(written[1], secondary).allSatisfy { !$0.isEmpty && $1.hasPrefix($0) }
  }
}
