// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Screening

@Suite("Screening: old versions of lists go, but for those that an answer names")
struct ListRetentionTests {
  @Test("a version that was replaced long ago goes unless a screening or a search for all customers names it")
  func retention() async throws {
    let app = try await CaseTestApp()
    for number in 1...4 {
      try await app.update("ref,name\n\(number),Nemo Nullmann\n", version: "v\(number)")
      if number == 2 { try await app.screen() }
    }
    let horizon = Wall.instant("2026-11-26T07:00:00Z")
    // A search may still be on its way with what was replaced just now.
    #expect(try await app.lists.sweep(before: horizon) == 0)
    app.clock.set("2026-11-28T06:00:00Z")
    #expect(try await app.lists.sweep(before: Wall.instant("2026-11-26T05:00:00Z")) == 0)
    #expect(try await app.lists.sweep(before: horizon) == 2)
    #expect(try await Set(app.lists.versions(of: "OWN").map(\.version.version)) == ["v2", "v4"])
    #expect(try await app.lists.sweep(before: horizon) == 0)
    let parts = try await app.database.read { try $0.query("SELECT id FROM screening_list_part").count }
    #expect(parts == 2)
  }
}

@Suite("Screening: the nightly self-test")
struct ScreeningSelfTestTests {
  private static let people = """
    ref,kind,name,dob
    1,person,"DRIFTWELL, Ansgar Quillon",1964-08-12
    2,person,Ottilie Vanterpoole,1948-02-03
    3,person,Bartholomew Quindaro Ashgrove,1971-09-30
    4,entity,Utopian Moonbeam Export Company,

    """

  private func test(
    _ app: CaseTestApp, recallMin: Double = 0.9,
    alarm: @escaping @Sendable (ScreeningSelfTest.Finding) -> Void = { _ in }
  ) -> ScreeningSelfTest {
    ScreeningSelfTest(app.core, source: app.source, recallMin: recallMin, alarm: alarm)
  }

  @Test("every kind is tried, what is not disguised is found, and the same seed gives the same report")
  func report() async throws {
    let app = try await CaseTestApp()
    try await app.update(Self.people, version: "v1")
    let report = try await test(app).report(seed: 7, sample: 30)
    #expect(report.findings.map(\.kind) == NamePerturbation.allCases)
    #expect(report.findings.allSatisfy { $0.tried == 30 && $0.found <= 30 })
    #expect(report.findings.first?.recall == 1)
    #expect(report.lists == [.init(code: "OWN", version: "v1")] && report.threshold == 0.85)
    #expect(try await test(app).report(seed: 7, sample: 30) == report)
    let none = try await app.database.read { try SelfTestStore($0).latest() }
    #expect(none == nil)
  }

  @Test("a disguise changes what it says and nothing else")
  func disguises() throws {
    let list = try InventedList.list("ref,kind,name,dob\n1,person,\"DRIFTWELL, Ansgar\",1964-08-12\n")
    let entry = try #require(list.entries.first)
    for seed in 0..<200 as Range<UInt64> {
      var random = SelfTestRandomness(seed: seed)
      func subject(_ kind: NamePerturbation) throws -> Screening.Subject {
        var subject = kind.subject(of: entry, &random)
        for _ in 0..<50 where subject == nil { subject = kind.subject(of: entry, &random) }
        return try #require(subject)
      }
      let plain = "Ansgar DRIFTWELL"
      #expect(try subject(.none).names == [plain])
      #expect(try subject(.order).names == ["DRIFTWELL Ansgar"])
      let typo = try subject(.typo).names[0]
      #expect(typo.count == plain.count && zip(typo, plain).count { $0 != $1 } == 1)
      #expect(try subject(.leftOutLetter).names[0].count == plain.count - 1)
      let swapped = try subject(.swappedLetters).names[0]
      #expect(swapped != plain && swapped.sorted() == plain.sorted())
      #expect(try subject(.transliteration).names[0].unicodeScalars.contains { (0x400...0x4FF).contains($0.value) })
      #expect(try subject(.dayAndMonth).dateOfBirth?.first.isoText == "1964-12-08")
      #expect(["1964-08-11", "1964-08-13"].contains(try subject(.day).dateOfBirth?.first.isoText))
      #expect(["1964-07-12", "1964-09-12"].contains(try subject(.month).dateOfBirth?.first.isoText))
      let year = try subject(.year)
      #expect(["1963-08-12", "1965-08-12"].contains(year.dateOfBirth?.first.isoText) && year.names == [plain])
    }
  }

  @Test(
    "a name is written in Cyrillic letters as people write it, not letter by letter",
    arguments: [
      ("Fenwick Harrowgate-Lumley", "ФЕНВИК ХАРРОВГАТЕ-ЛУМЛЕЙ"), ("QUILLFEATHER", "КВИЛЛФЕАТЕР"),
      ("Barnaby Thistlewick Oxenmoor", "БАРНАБИ ТИСТЛЕВИК ОКСЕНМУР"),
      ("Mikhail Shcherbakov", "МИХАИЛ ЩЕРБАКОВ"), ("Yusuf Qudrat Jamal", "ЮСУФ КУДРАТ ДЖАМАЛ"),
      ("Youssef Mahmoud Noor", "ЮССЕФ МАХМУД НУР"), ("Djamila Abdeljalil", "ДЖАМИЛА АБДЕЛДЖАЛИЛ"),
      ("Cecily O'Hay 3rd", "СЕСИЛИ О'ХАЙ 3РД"), ("", ""),
    ])
  func cyrillic(name: String, expected: String) {
    #expect(CyrillicSpelling.spelling(of: name) == expected)
  }

  @Test(
    "a fresh sandbox's own list gives no alarm, and every person in it is found in Cyrillic letters",
    arguments: [DemoScreeningList.csv, DemoScreeningList.laterCSV])
  func sandbox(csv: String) throws {
    let list = try WatchList(
      Data(csv.utf8), version: .init(code: DemoScreeningList.code, version: DemoScreeningList.version),
      countries: InventedList.countries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    let report = try ScreeningSelfTest.report(
      of: index, policy: .standard, seed: 1, sample: ScreeningSelfTest.sample)
    let finding = try #require(report.findings.first { $0.kind == .transliteration })
    #expect(finding.tried == ScreeningSelfTest.sample && finding.found == finding.tried)
    #expect(report.below(0.9) == [])
  }

  @Test("it runs once a day, is kept, and alarms for each kind of which too little is found")
  func daily() async throws {
    var strict = MatchingPolicy.standard
    strict.threshold = 1
    let app = try await CaseTestApp(policy: strict)
    let alarms = Mutex<[NamePerturbation]>([])
    let test = test(app, recallMin: 0.99) { finding in alarms.withLock { $0.append(finding.kind) } }
    // Without lists there is nothing to test.
    try await test.runDaily()
    #expect(try await test.latest() == nil)
    try await app.update(Self.people, version: "v1")
    try await test.runDaily()
    let kept = try #require(try await test.latest())
    #expect(alarms.withLock { $0 } == kept.below(0.99).map(\.kind))
    #expect(alarms.withLock { $0.contains(.typo) && !$0.contains(.none) })
    try await test.runDaily()
    #expect(try await test.latest() == kept)
    #expect(alarms.withLock { $0.count } == kept.below(0.99).count)
    app.clock.set("2026-11-27T00:10:00Z")
    try await test.runDaily()
    #expect(alarms.withLock { $0.count } > kept.below(0.99).count)
  }
}
