// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Specimens
import Testing

@testable import Evidence

@Suite("Evidence: reading documents of Utopia")
struct SpecimenReadingTests {
  private static let today = SpecimenCache.today
  private static let reader = EvidenceReader()

  private func draw(
    _ kind: SpecimenKind, seed: UInt64, degrade: String = ""
  ) throws -> (images: [SpecimenSide: Data], truth: SpecimenTruth) {
    let drawn = try SpecimenCache.draw(kind, seed: seed, degrade: degrade)
    return (Dictionary(uniqueKeysWithValues: drawn.images.map { ($0.side, $0.picture.data) }), drawn.truth)
  }

  private func side(_ side: SpecimenSide, of truth: SpecimenTruth) throws -> SpecimenTruth.Side {
    try #require(truth.sides.first { $0.side == side })
  }

  @Test("a clean passport is read whole: zone, print, portrait, and both agree", arguments: [1, 3] as [UInt64])
  func passport(seed: UInt64) async throws {
    let (images, truth) = try draw(.passport, seed: seed)
    let page = try side(.page, of: truth)
    let read = try await Self.reader.read(try #require(images[.page]), as: .passport, on: Self.today)
    let reading = read.reading
    #expect(reading.failure == nil)
    #expect(reading.detected == .passport)
    #expect(reading.mrz?.lines == page.mrz)
    #expect(reading.mrz?.result.valid == true)
    #expect(reading.visualZone?[.surname] == page.printed["surname"])
    #expect(reading.visualZone?[.documentNumber] == page.printed["documentNumber"])
    #expect(reading.visualZone?.date(.birthDate) == reading.mrz?.fields?.birthDate)
    #expect(reading.visualZone?.date(.expiryDate) == reading.mrz?.fields?.expiryDate)
    #expect(reading.portrait?.faceSeen == true)
    #expect(ImageFormat(sniffing: try #require(read.portrait)) == .jpeg)
    for code in [EvidenceCheck.Code.documentType, .mrzCheckDigits, .mrzVsVisual, .notExpired, .portrait] {
      #expect(reading.check(code)?.result == .pass, "\(code)")
    }
    #expect(reading.check(.specimen)?.result == .fail)
  }

  @Test("a clean identity card is read on both sides, and they carry one number")
  func identityCard() async throws {
    let (images, truth) = try draw(.idCard, seed: 1)
    let printed = try side(.front, of: truth).printed
    let front = try await Self.reader.read(try #require(images[.front]), as: .nationalIDFront, on: Self.today).reading
    #expect(front.failure == nil)
    #expect(front.visualZone?[.surname] == printed["surname"])
    #expect(front.visualZone?[.givenNames] == printed["givenNames"])
    #expect(front.visualZone?[.documentNumber] == printed["documentNumber"])
    #expect(front.visualZone?[.sex] == printed["sex"])
    #expect(front.visualZone?[.nationality] == "UTO")
    #expect(front.portrait?.faceSeen == true)
    let back = try await Self.reader.read(try #require(images[.back]), as: .nationalIDBack, on: Self.today).reading
    #expect(back.failure == nil)
    #expect(back.mrz?.lines == (try side(.back, of: truth).mrz))
    #expect(back.portrait == nil)
    let rules = CrossDocumentRules(policy: .init(today: Self.today, acceptsSpecimens: true))
    let outcome = rules.decide(VerificationEvidence(documents: [.nationalIDFront: front, .nationalIDBack: back]))
    for code in [
      VerificationOutcome.RuleCode.nameAcrossDocuments, .birthDateAcrossDocuments, .documentNumberFrontBack, .expiry,
    ] {
      #expect(outcome.rule(code)?.result == .pass, "\(code)")
    }
  }

  @Test(
    "pieces of the background's pattern are no letters, and a printed initial is one",
    arguments: [(5, "Helene Isabella"), (6, "Helene Isabella"), (11, "Helene A")] as [(UInt64, String)])
  func patternBesideName(seed: UInt64, givenNames: String) async throws {
    var holder = Holder.random(seed: seed, reference: Self.today)
    holder.givenNames = givenNames
    let drawn = try Specimen.draw(
      .idCard, holder: holder, seed: seed, reference: Self.today,
      degrade: Degradation.list("rotate,perspective,noise:0.5"))
    let front = try #require(drawn.images.first { $0.side == .front }).picture.data
    let reading = try await Self.reader.read(front, as: .nationalIDFront, on: Self.today).reading
    #expect(reading.visualZone?[.givenNames] == givenNames.uppercased())
  }

  @Test("a clean driving licence is read: numbered fields in front, barcode on the back")
  func drivingLicence() async throws {
    let (images, truth) = try draw(.drivingLicence, seed: 1)
    let printed = try side(.front, of: truth).printed
    let front = try await Self.reader.read(try #require(images[.front]), as: .drivingLicence, on: Self.today).reading
    #expect(front.failure == nil)
    #expect(front.visualZone?[.surname] == printed["surname"])
    #expect(front.visualZone?[.givenNames] == printed["givenNames"])
    #expect(front.visualZone?[.documentNumber] == printed["documentNumber"])
    #expect(front.visualZone?.date(.birthDate).map { PartialDate($0) } != nil)
    let back = try await Self.reader.read(try #require(images[.back]), as: .drivingLicence, on: Self.today).reading
    #expect(back.failure == nil)
    #expect(back.barcode?.payload == truth.barcode)
    #expect(back.barcode?.licence.number == printed["documentNumber"])
  }

  @Test(
    "the zone of a photographed passport is read to the last character",
    arguments: ["rotate,perspective", "blur,jpeg", "noise,shadow"])
  func photographed(degrade: String) async throws {
    let (images, truth) = try draw(.passport, seed: 5, degrade: degrade)
    let reading = try await Self.reader.read(try #require(images[.page]), as: .passport, on: Self.today).reading
    #expect(reading.mrz?.lines == truth.mrz)
    #expect(reading.page.outlined)
    let zone = try #require(reading.mrz)
    for other in zone.alternatives {
      #expect(zone.doubtful.contains(other.line * 100 + other.position) && other.from != other.to)
      #expect(String(Array(zone.lines[other.line])[other.position]) == other.from)
    }
  }

  @Test("a document lying on its side or its head is turned", arguments: [1, 2, 3])
  func turned(quarters: Int) async throws {
    let (images, truth) = try draw(.idCard, seed: 2)
    let bytes = try #require(images[.back])
    let frame = try Frame.open(bytes, limits: ImageLimits()).frame.rotated(quarters: quarters)
    let reading = try await Self.reader.read(frame.jpeg(quality: 92), as: .nationalIDBack, on: Self.today).reading
    #expect(reading.mrz?.lines == truth.mrz)
  }

  @Test("a passport sent as an identity card is the wrong document, and a wall is unreadable")
  func refused() async throws {
    let (images, _) = try draw(.passport, seed: 1)
    let wrong = try await Self.reader.read(try #require(images[.page]), as: .nationalIDBack, on: Self.today).reading
    #expect(wrong.failure?.code == .wrongDocumentType)
    let wall = try await Self.reader.read(
      Pictures.jpeg(Pictures.gradient(1200, 800)), as: .passport, on: Self.today
    ).reading
    #expect(wall.failure == .init(code: .documentUnreadable, fields: ["mrz"]))
    #expect(!wall.quality.passes)
  }

  @Test("a reading survives its JSON, which is written in snake case")
  func json() async throws {
    let (images, _) = try draw(.passport, seed: 1)
    let reading = try await Self.reader.read(try #require(images[.page]), on: Self.today).reading
    let bytes = try JSONEncoder().encode(reading)
    #expect(try JSONDecoder().decode(DocumentReading.self, from: bytes) == reading)
    let text = String(decoding: bytes, as: UTF8.self)
    for key in ["\"visual_zone\"", "\"document_number\"", "\"check_digits\"", "\"mrz-vs-visual\""] {
      #expect(text.contains(key))
    }
  }

  @Test(
    "our own clean backs of licences pass the upload's gate as they pass the reading", arguments: [1, 2] as [UInt64])
  func licenceBack(seed: UInt64) async throws {
    let (images, _) = try draw(.drivingLicence, seed: seed)
    let quality = try await Self.reader.inspectDocument(try #require(images[.back])).quality
    #expect(quality.glare <= QualityThresholds.document.glareMax, "the label is not counted")
    #expect(quality.passes)
  }

  @Test("a card that was scanned at 300 dpi passes the upload's gate")
  func scannedCard() async throws {
    let (images, _) = try draw(.idCard, seed: 1)
    let card = try Frame.open(try #require(images[.front]), limits: ImageLimits()).frame.scaled(toWidth: 1011)
    let (image, quality) = try await Self.reader.inspectDocument(card.jpeg(quality: 92))
    #expect(image.width == 1011 && image.height < 640)
    #expect(quality.passes)
  }

  @Test("a selfie has one face, large enough, and passes")
  func selfie() async throws {
    let holder = Holder.random(seed: 1, reference: Self.today)
    let picture = try Selfie.draw(of: holder, seed: 1, reference: Self.today)
    let (_, quality, faces) = try await Self.reader.inspectFace(picture.data)
    #expect(faces.count == 1)
    #expect(quality.passes)
  }

  @Test("a photographed screen is flagged for agents and refused for nothing; paper is not flagged")
  func recapture() async throws {
    func quality(_ degrade: String) async throws -> ImageQuality {
      let (images, _) = try draw(.passport, seed: 41, degrade: degrade)
      return try await Self.reader.inspectDocument(try #require(images[.page])).quality
    }
    let paper = try await quality("perspective,jpeg"), screen = try await quality("perspective,moire:2,jpeg")
    let (plain, rippled) = (try #require(paper.ripple), try #require(screen.ripple))
    #expect(rippled > plain * 1.5)
    #expect(!paper.issues.contains { $0.code == .screenRecapture })
    let flag = try #require(screen.issues.first { $0.code == .screenRecapture })
    #expect(flag.severity == .flag && flag.limit == QualityThresholds.document.rippleMax)
  }
}
