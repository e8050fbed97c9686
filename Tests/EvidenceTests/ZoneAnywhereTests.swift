// SPDX-License-Identifier: Apache-2.0

import CVision
import DocumentCore
import Foundation
import PictureScenes
import Specimens
import Testing

@testable import Evidence

@Suite("Evidence: zones at any angle, on open booklets and from few pixels")
struct ZoneAnywhereTests {
  private static let today = SpecimenCache.today
  private static let reader = ZoneReader(referenceDate: today)

  private func draw(
    _ kind: SpecimenKind, seed: UInt64, degrade: String = "", width: Int? = nil
  ) throws -> (scene: Scene, lines: [String]) {
    let drawn = try SpecimenCache.draw(kind, seed: seed, degrade: degrade)
    let side = try #require(drawn.truth.sides.first { !$0.mrz.isEmpty })
    let picture = try #require(drawn.images.first { $0.side == side.side }).picture
    var limits = ImageLimits()
    limits.shortSideMin = 300
    let frame = try Frame.open(picture.data, limits: limits).frame
    let scene = try Scene(width.map { try frame.scaled(toWidth: $0) } ?? frame)
    return (scene, side.mrz)
  }

  /// What nothing would hold back: every digit holds and no character is in doubt or was changed.
  private func isCertain(_ reading: MRZReading) -> Bool {
    reading.result.allCheckDigitsHold && reading.doubtful.isEmpty && reading.corrections.isEmpty
  }

  @Test(
    "a photographed passport is read at any angle, and its zone says which way it lies",
    arguments: [7, 45, 100, 152, 213, 338] as [Double])
  func passport(degrees: Double) throws {
    let (scene, lines) = try draw(.passport, seed: 5, degrade: "perspective,jpeg")
    let found = try #require(try Self.reader.read(scene.turned(by: degrees).frame()))
    #expect(found.reading.lines == lines)
    let along = found.quad.direction
    #expect(along.x * cos(degrees * .pi / 180) + along.y * sin(degrees * .pi / 180) > 0.98)
  }

  @Test("so is the back of an identity card", arguments: [12, 58, 124, 196, 275, 322] as [Double])
  func card(degrees: Double) throws {
    let (scene, lines) = try draw(.idCard, seed: 5, degrade: "perspective,shadow")
    let found = try #require(try Self.reader.read(scene.turned(by: degrees).frame()))
    #expect(found.reading.lines == lines)
  }

  @Test(
    "the page of an open booklet is read flat and bent; where it bends much it is read or refused",
    arguments: [0, 0.3, 0.6, 0.9], [0, 12, 90, 196] as [Double])
  func booklet(bow: Double, degrees: Double) throws {
    let (scene, lines) = try draw(.passport, seed: 5, width: 900)
    let found = try Self.reader.read(scene.inBooklet(bow: bow).turned(by: degrees).frame())
    if bow < 0.5 {
      #expect(found?.reading.lines == lines)
    } else if let found, isCertain(found.reading) {
      #expect(found.reading.lines == lines)
    }
  }

  @Test("eight pixels a character are enough for a clean page", arguments: [8, 9, 10, 12, 14] as [Double])
  func pitch(pixels: Double) throws {
    // 44 characters at ten an inch are 0.894 of the page's width of 125 mm (Doc 9303-4).
    let (scene, lines) = try draw(.passport, seed: 6, width: Int(pixels * 44 / 0.894))
    let found = try #require(try Self.reader.read(scene.frame()))
    #expect(found.reading.lines == lines)
    #expect(abs(Double(found.zone.pitch) - pixels) < pixels * 0.1)
  }

  @Test("a reflection over the zone leaves readable what it does not burn out", arguments: [770, 784] as [UInt64])
  func reflection(seed: UInt64) throws {
    let noise = seed == 770 ? "noise:2," : ""
    let wear = "perspective:2,rotate:2,shadow:2,glare:2,\(noise)jpeg:2"
    let (scene, lines) = try draw(.idCard, seed: seed, degrade: wear)
    #expect(try Self.reader.read(scene.frame())?.reading.lines == lines)
  }

  @Test("even marks that are much finer than the zone's do not hide it")
  func cloth() throws {
    let (scene, lines) = try draw(.passport, seed: 5, width: 900)
    let found = try #require(try Self.reader.read(scene.onCloth(step: 12).frame()))
    #expect(found.reading.lines == lines)
  }

  @Test("a passport that leans back is straightened as its zone says, not as the card that its outline looks like")
  func leaning() throws {
    let (scene, lines) = try draw(.passport, seed: 5)
    let upright = try scene.frame()
    let leaning = try upright.rectified(Quad(of: upright), width: 1550, height: 1000)
    let (page, zone) = try ZoneSearch(frame: leaning, outline: Quad(of: leaning), today: Self.today).run(wanted: true)
    #expect(zone?.reading.lines == lines)
    #expect(page.outline != nil)
    #expect(abs(Double(page.frame.width) / Double(page.frame.height) - 1.42) < 0.01)
  }

  @Test("of two lines from France only those that begin with IDFRA are the card of 1988")
  func frenchCard() {
    func birthDate(_ head: String) -> Character? {
      MRZAlphabet.choose(rows: 2, columns: 36, head: head)?.classes[1][13]
    }
    #expect(birthDate("I<FRA") == "d")
    #expect(birthDate("IDFRA") == "a")
  }

  /// The specimen of Doc 9303-4, of Sweden.
  private static let specimen = [
    "P<SWEERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36SWE7408122F3204153ZE184226B<<<<<16",
  ]

  @Test("behind three fillers doubtful letters of a name are fillers; those that are sure are left")
  func behindName() {
    let read = ["P<SWEERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<KKWW", Self.specimen[1]]
    let cleared = ZoneReader.clearedBehindName(read, doubtful: [41, 42, 43], format: .td3)
    #expect(cleared.lines == Self.specimen)
    #expect(cleared.corrections.map(\.position) == [40, 41, 42, 43])
    #expect(cleared.corrections.map(\.from) == ["K", "K", "W", "W"])
    #expect(ZoneReader.clearedBehindName(read, doubtful: [43], format: .td3).lines == read)
  }

  @Test("where no check digit decides the first reader's sure characters stand, and what the two differ in is in doubt")
  func twoReaders() {
    let first = MRZReading(
      lines: Self.specimen, referenceDate: Self.today, doubtful: [12], confidence: 1,
      region: Region(x: 0, y: 0, width: 10, height: 10), source: .pitch)
    let second = ["P<SWEERIKSSOM<<ANNAXMARIA<<<<<K<<<<<<<<<<<<<", "L898902C46SWE7408122F3204153ZE184226B<<<<<16"]
    let agreed = first.agreed(with: second, of: .td3)
    #expect(agreed.lines == ["P<SWEERIKSSOM<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", second[1]])
    #expect(agreed.doubtful == [12, 19, 30, 108])
    #expect(agreed.corrections.isEmpty)
    let initial = ["P<SWEERIKSSON<<ANNA<MARIA<E<<<<<<<<<<<<<<<<<", Self.specimen[1]]
    #expect(first.agreed(with: initial, of: .td3).corrections.map(\.from) == ["E"])
    let shifted = Self.specimen.map { "<" + $0.dropLast() }
    #expect(first.agreed(with: shifted, of: .td3).lines == shifted)
  }

  @Test("of worn pages at odd angles most are certain, and none is wrong and certain")
  func worn() throws {
    var certain = 0
    for seed in 1...6 as ClosedRange<UInt64> {
      let wear = ["blur:3,noise:3,jpeg:3", "lowres:3,glare:2,jpeg:2"][Int(seed) % 2]
      for (index, kind) in [SpecimenKind.passport, .idCard].enumerated() {
        let (scene, lines) = try draw(kind, seed: 70 + seed, degrade: "perspective:2," + wear)
        let degrees = Double((seed * 67 + UInt64(index) * 31) % 360)
        guard let found = try Self.reader.read(scene.turned(by: degrees).frame()) else { continue }
        guard isCertain(found.reading) else { continue }
        certain += 1
        #expect(found.reading.lines == lines)
      }
    }
    #expect(certain >= 6)
  }

  @Test(
    "the zone places the page of a booklet that no outline shows, upright", arguments: [0, 12, 90, 196] as [Double])
  func placed(degrees: Double) throws {
    let (scene, lines) = try draw(.passport, seed: 5, width: 900)
    let frame = try scene.inBooklet(bow: 0.2).turned(by: degrees).frame()
    for outline in [nil, Quad(of: frame)] {
      let (page, zone) = try ZoneSearch(frame: frame, outline: outline, today: Self.today).run(wanted: true)
      let found = try #require(zone)
      #expect(found.reading.lines == lines)
      let region = found.reading.region, width = Double(page.frame.width), height = Double(page.frame.height)
      // The zone lies along the lower edge of its page and spans nine tenths of it.
      #expect((0.84...0.97).contains(Double(region.width) / width))
      #expect(region.midY > height * 0.75 && Double(region.y + region.height) < height)
      #expect(abs(region.midX - width / 2) < width * 0.05)
    }
  }

  @Test("an outline that fits the zone is kept, turned as the zone runs")
  func outlineKept() throws {
    let (scene, _) = try draw(.passport, seed: 5, degrade: "perspective")
    let frame = try scene.turned(by: 90).frame()
    let outline = try #require(try Page.outline(in: frame))
    let (page, zone) = try ZoneSearch(frame: frame, outline: outline, today: Self.today).run(wanted: true)
    #expect(zone != nil)
    let kept = try #require(page.outline)
    for corner in kept.corners { #expect(outline.corners.contains { abs($0.x - corner.x) + abs($0.y - corner.y) < 1 }) }
  }

  @Test("pictures full of specks and of even rows are read as nothing, in bounded time")
  func bounded() throws {
    var scenes = (1...3).map { Scene.noise(1000, 750, seed: UInt64($0)) }
    scenes += [8, 12, 20, 33].map { Scene.lattice(1000, 750, step: $0) }
    for scene in scenes {
      let frame = try scene.frame(), budget = ProcessorBudget(.seconds(8))
      let found = try Self.reader.read(frame)
      #expect(!budget.isSpent)
      #expect(found.map { isCertain($0.reading) } != true)
    }
  }

  @Test("frames thinner than a line of print hold no zone", arguments: [(1, 1), (3000, 9), (9, 3000), (20, 20)])
  func thin(width: Int, height: Int) throws {
    #expect(try Self.reader.read(Scene.noise(width, height, seed: 1).frame()) == nil)
  }

  @Test("corners go where straightening takes them")
  func projected() throws {
    let quad = Quad(corners: [(100, 50), (500, 80), (480, 400), (90, 380)]).c
    var part = quad, moved = cvision_quad()
    #expect(cvision_projected(quad, 301, 201, &part, &moved) == CVISION_OK)
    for (corner, expected) in zip(Quad(moved).corners, [(0, 0), (300, 0), (300, 200), (0, 200)] as [(Double, Double)]) {
      #expect(abs(corner.x - expected.0) < 0.01 && abs(corner.y - expected.1) < 0.01)
    }
    #expect(cvision_projected(quad, 4, 4, &part, &moved) == CVISION_BAD_INPUT)
  }
}
