// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import GatehouseWire
@testable import HTTP

@Suite("Text that takes no longer to compare than it is long (UAX #15 §13)", .storeless)
struct StreamSafeTextTests {
  /// Two classes of marks by turns, so that putting them in order takes the most.
  static func marks(_ count: Int) -> String { String(repeating: "\u{315}\u{323}", count: count / 2) }

  private static func time(_ work: () -> Void) -> Duration { ContinuousClock().measure(work) }

  @Test("why: a text of marks takes hundreds of times as long to hash as a plain one, one with 30 in a row does not")
  func cost() {
    let (plain, marked) = (String(repeating: "ab", count: 16_000), "a" + Self.marks(16_000))
    let safe = String(repeating: "a" + Self.marks(30), count: 16_000 / 30)
    #expect(marked.utf8.count >= safe.utf8.count - 1000 && !StreamSafeText.isSafe(marked))
    #expect(StreamSafeText.isSafe(plain) && StreamSafeText.isSafe(safe))
    func hashing(_ text: String) -> Duration {
      (0..<3).map { _ in Self.time { _ = Set([text]) } }.min() ?? .zero
    }
    // Measured: 68 ms beside 0.01 ms and 1 ms. The same run and the same machine, so that its load does not matter.
    let attack = Self.time { _ = Set([marked]) }
    #expect(attack > hashing(plain) * 100)
    #expect(attack > hashing(safe) * 10)
  }

  @Test("thirty marks may follow one another, and what a letter has of its own counts")
  func limit() {
    for (letter, own) in [("a", 0), ("", 0), ("\u{e9}", 1), ("\u{1ead}", 2), ("\u{1f82}", 3), ("\u{a8}", 1), ("가", 0)] {
      #expect(StreamSafeText.isSafe(letter + Self.marks(30).unicodeScalars.prefix(30 - own).map(String.init).joined()))
      #expect(
        !StreamSafeText.isSafe(letter + Self.marks(40).unicodeScalars.prefix(31 - own).map(String.init).joined()))
    }
    // One scalar, two marks.
    #expect(StreamSafeText.isSafe("a" + String(repeating: "\u{344}", count: 15)))
    #expect(!StreamSafeText.isSafe("a" + String(repeating: "\u{344}", count: 16)))
    #expect(StreamSafeText.isSafe(String(repeating: Self.marks(30) + "x", count: 50)))
    #expect(!StreamSafeText.isSafe(utf8: Data((String(repeating: "x", count: 99) + Self.marks(32)).utf8)))
    #expect(StreamSafeText.isSafe(utf8: Data(Self.marks(30).utf8) + [0xff] + Data(Self.marks(30).utf8)))
    #expect(StreamSafeText.isSafe(utf8: Data((0...255).map { UInt8($0) })))
  }

  @Test("each character is what Foundation's decomposition begins and ends with")
  func characters() {
    let planes = [UInt32(0)...0x1ffff, 0xe0000...0xe01ff]
    for scalar in planes.joined().compactMap(Unicode.Scalar.init) {
      let own = NonStarterRun.nonStarters(scalar)
      let parts = Array(String(scalar).decomposedStringWithCompatibilityMapping.unicodeScalars)
      let isMark = parts.map { $0.properties.canonicalCombiningClass != .notReordered }
      #expect((isMark.first ?? false) == (own > 0), "U+\(String(scalar.value, radix: 16))")
      if own > 0 {
        #expect(isMark == Array(repeating: true, count: own), "U+\(String(scalar.value, radix: 16))")
      } else {
        let trailing = isMark.reversed().prefix { $0 }.count
        #expect(trailing <= 3, "U+\(String(scalar.value, radix: 16))")
        guard trailing > 0 else { continue }
        let marks = String(repeating: "\u{301}", count: 30 - trailing)
        #expect(StreamSafeText.isSafe(String(scalar) + marks), "U+\(String(scalar.value, radix: 16))")
        #expect(!StreamSafeText.isSafe(String(scalar) + marks + "\u{301}"), "U+\(String(scalar.value, radix: 16))")
      }
    }
  }

  @Test(
    "texts by chance pass exactly when their decomposition has no longer run, also in JSON and in a form",
    arguments: 1...4)
  func chance(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let pool: [Unicode.Scalar] = [
      "a", "\u{e9}", "\u{1f82}", "\u{301}", "\u{323}", "\u{344}", "\u{f73}", "\u{ff9e}", "\u{5b0}", "\u{64b}",
      "\u{1d165}", "\u{1e8d0}", "\u{3099}", "\u{30}", "\u{200d}", "\u{fe0f}",
    ]
    var refused = 0
    for _ in 0..<400 {
      var text = String.UnicodeScalarView()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let mark = pool[Int.random(in: 0..<pool.count, using: &random)]
        text.append(pool[Int.random(in: 0..<pool.count, using: &random)])
        for _ in 0..<Int.random(in: 0...34, using: &random) { text.append(mark) }
      }
      let longest =
        String(text).decomposedStringWithCompatibilityMapping.unicodeScalars
        .split { $0.properties.canonicalCombiningClass == .notReordered }.map(\.count).max() ?? 0
      let isSafe = longest <= 30
      refused += isSafe ? 0 : 1
      #expect(StreamSafeText.isSafe(String(text)) == isSafe)
      #expect(StreamSafeText.isSafe(utf8: Data(String(text).utf8)) == isSafe)
      #expect(passes(Self.json(String(text), escaping: { _ in false })) == isSafe)
      #expect(passes(Self.json(String(text), escaping: { _ in Bool.random(using: &random) })) == isSafe)
      #expect(Self.isForm(String(text)) == isSafe)
      #expect(TextMiddleware.isSafe(address: "/a?b=\(Self.escaped(String(text)))") == isSafe)
    }
    #expect((50...350).contains(refused))
  }

  @Test(
    "real texts pass, composed and decomposed, as JSON, in a form, in an address",
    arguments: [
      // The first article of the Universal Declaration, where it has marks; verses with points and accents.
      "Tất cả mọi người sinh ra đều được tự do và bình đẳng về nhân phẩm và quyền lợi. Nguyễn Thị Ngọc Ánh",
      "มนุษย์ทั้งปวงเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ผู้ใหญ่ น้ำ ปู่",
      "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים אֵ֥ת הַשָּׁמַ֖יִם וְאֵ֥ת הָאָֽרֶץ׃",
      "بِسْمِ ٱللَّهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ وَلَا ٱلضَّآلِّينَ",
      "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। र्क्ष्म्य",
      "འགྲོ་བ་མིའི་རིགས་རྒྱུད་ཡོངས་ལ་སྐྱེས་ཙམ་ཉིད་ནས་ ཧཱུྃ",
      "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다",
      "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း",
      "ἐν ἀρχῇ ἦν ὁ λόγος, ᾧ ᾄδω ᾂ Ὠκεανός", "がぎぐげご パピプペポ ﾊﾞｯﾎﾟﾝ", "Þórður Ægisson, Łukasz Żółć, Ẹ̀kọ́ Ọ̀ṣun",
      "👨‍👩‍👧‍👦 🏳️‍🌈 👩🏽‍❤️‍💋‍👨🏿 🇨🇦🇰🇼 1️⃣ 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    ])
  func real(text: String) {
    for form in [
      text, text.decomposedStringWithCanonicalMapping, text.precomposedStringWithCanonicalMapping,
      text.decomposedStringWithCompatibilityMapping,
    ] {
      #expect(StreamSafeText.isSafe(form) && StreamSafeText.isSafe(utf8: Data(form.utf8)))
      #expect(passes(Self.json(form, escaping: { _ in false })) && passes(Self.json(form, escaping: { _ in true })))
      #expect(Self.isForm(form) && TextMiddleware.isSafe(address: "/a/\(Self.escaped(form))"))
    }
  }

  private func passes(_ json: Data) -> Bool { (try? JSONText.check(json)) != nil }

  private static func isForm(_ text: String) -> Bool {
    (try? FormFields(bytes: Data("a=\(escaped(text))".utf8))) != nil
  }

  private static func escaped(_ text: String) -> String {
    text.utf8.map { "%" + [$0].hex.uppercased() }.joined()
  }

  /// An object with a text, of which some characters are spelt with escapes.
  static func json(_ text: String, escaping: (Unicode.Scalar) -> Bool) -> Data {
    var spelt = ""
    for scalar in text.unicodeScalars {
      guard escaping(scalar) else {
        spelt.unicodeScalars.append(scalar)
        continue
      }
      for unit in String(scalar).utf16 {
        let digits = String(unit, radix: 16)
        spelt += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return Data("{\"a\":[\"\(spelt)\"]}".utf8)
  }
}
