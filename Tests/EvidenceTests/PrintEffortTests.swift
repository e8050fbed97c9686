// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Specimens
import TestSupport
import Testing

@testable import Evidence

@Suite("Evidence: what reading print may take has a bound, whatever a picture shows (issue 24)")
struct PrintEffortTests {
  /// A processor's clock on which each look at print takes a second.
  private final class Clock {
    private(set) var asked = 0

    func spent() -> Int64 {
      asked += 1
      return Int64(asked) * 1000
    }
  }

  private func read(
    _ picture: Data, as expected: DocumentKind? = nil, _ effort: PrintEffort
  ) throws -> DocumentReading {
    let settings = EvidenceSettings()
    let reader = DocumentReader(
      settings: settings, text: TextReader(dataPath: nil, idleMax: 1), lines: LineReader(dataPath: nil),
      faces: FaceFinder(folders: FaceFinder.usualFolders))
    let (frame, format) = try Frame.open(picture, limits: settings.limits)
    let image = try EvidenceImage(of: frame, from: picture, format, limits: settings.limits)
    return try reader.read(
      frame, image: image, as: expected, on: SpecimenCache.today, clock: StageClock(), effort: effort
    ).reading
  }

  private func passport() throws -> Data {
    try #require(try SpecimenCache.draw(.passport, seed: 1).images.first).picture.data
  }

  @Test("looks share one time, and none is begun when it is used up")
  func shared() {
    let clock = Clock()
    let effort = PrintEffort(.seconds(3), spent: clock.spent)
    let given = (0..<5).map { _ in effort.spend { $0 } }
    #expect(given == [3000, 2000, 1000, nil, nil] && effort.isCut && clock.asked == 6)
    let enough = PrintEffort(.seconds(3), spent: Clock().spent)
    #expect(enough.spend { $0 } == 3000 && !enough.isCut && enough.millisecondsLeft == 2000)
  }

  @Test("a look that fails has taken its time as well")
  func failing() {
    let effort = PrintEffort(.seconds(1), spent: Clock().spent)
    #expect(throws: CVisionFailure.self) { try effort.spend { _ in throw CVisionFailure(reason: "a test") } }
    #expect(effort.isCut)
  }

  @Test("print in no template's words is looked at in all directions within one time")
  func directions() throws {
    // The lower half of a page: rows of print that no template knows, so that every direction is tried, twice each.
    let page = try Pictures.Raw(LumaPlane(Frame.open(passport(), limits: ImageLimits()).frame))
    let part = page.part(x: page.width * 2 / 5, y: page.height / 4, width: page.width / 4, height: page.height / 3)
    var rows = Pictures.Raw.even(1600, 1200, blue: 255, green: 255, red: 255)
    for x in stride(from: 20, to: 1600 - part.width, by: part.width + 40) { rows.lay(part, x: x, y: 30) }
    let picture = try Pictures.jpeg(rows)
    let free = Clock()
    let whole = try read(picture, PrintEffort(.seconds(1000), spent: free.spent))
    let bounded = Clock()
    let cut = try read(picture, PrintEffort(.seconds(1), spent: bounded.spent))
    #expect(free.asked > 2 && whole.isPrintCut == nil)
    #expect(bounded.asked == 2 && cut.isPrintCut == true)
  }

  @Test("a passport whose print is not read whole keeps its zone, and has to be taken again")
  func passportCut() throws {
    let whole = try read(passport(), as: .passport, PrintEffort(.seconds(1000), spent: Clock().spent))
    #expect(whole.failure == nil && whole.isPrintCut == nil && whole.visualZone?.values.isEmpty == false)
    let cut = try read(passport(), as: .passport, PrintEffort(.zero))
    #expect(cut.mrz?.result.valid == true && cut.isPrintCut == true)
    #expect(cut.failure == .init(code: .documentUnreadable, fields: ["visual_zone"]))
    let kept = try JSONDecoder().decode(DocumentReading.self, from: JSONEncoder().encode(cut))
    #expect(kept == cut)
    #expect(kept.completed(mrz: nil, barcode: nil, on: SpecimenCache.today).failure == cut.failure)
  }

  @Test("the back of a card, whose zone is all that is read, needs no time for print")
  func back() throws {
    let drawn = try SpecimenCache.draw(.idCard, seed: 1)
    let picture = try #require(drawn.images.first { $0.side == .back }).picture.data
    let reading = try read(picture, as: .nationalIDBack, PrintEffort(.zero))
    #expect(reading.failure == nil && reading.isPrintCut == nil)
  }
}
