// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Kit
import Specimens
import Synchronization
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: our own evidence behind the ports", .storeless)
struct EvidenceProviderTests {
  private static let day = CalendarDate(year: 2026, month: 11, day: 21) ?? { preconditionFailure("It is a day.") }()
  private static let reader = EvidenceReader()
  private static let documents = DocumentProvider.evidence(reader, world: TestWorld().world)
  private static let presence = PresenceProvider.evidence(reader, faces: .inconclusive, liveness: .inconclusive)

  private static let check = PresenceCheck(
    tenant: "acme", processId: "p", userId: "u", verification: "v", number: 1)

  private static func rules(_ acceptsSpecimens: Bool) -> VerificationPolicy {
    VerificationPolicy(today: day, minimumAge: 18, acceptsSpecimens: acceptsSpecimens)
  }

  private typealias Side = (finding: PictureFinding, side: ReadDocumentSide?)
  /// Each side is drawn and read once for all tests.
  private static let sides = Mutex<[String: Side]>([:])

  private static func side(
    _ kind: SpecimenKind, _ index: Int, of seed: UInt64, as document: DocumentKind
  ) async throws -> Side {
    let id = "\(kind) \(index) \(seed)"
    let key = "\(id) \(document)"
    if let known = sides.withLock({ $0[key] }) { return known }
    let holder = Holder.random(seed: seed, reference: day)
    let drawn = try Specimen.draw(kind, holder: holder, seed: seed, reference: day)
    let image = try await documents.take(drawn.images[index].picture.data)
    let finding = try await documents.read(image, document, day)
    var side: ReadDocumentSide?
    if case .read(let reading, _) = finding { side = ReadDocumentSide(id: id, kind: document, reading: reading) }
    let read = (finding, side)
    sides.withLock { $0[key] = read }
    return read
  }

  @Test("documents of one person pass by themselves and together, where specimens do; of two people they do not")
  func documents() async throws {
    let back = try #require(try await Self.side(.idCard, 1, of: 1, as: .nationalIDBack).side)
    let passport = try #require(try await Self.side(.passport, 0, of: 1, as: .passport).side)
    let other = try #require(try await Self.side(.passport, 0, of: 2, as: .passport).side)
    let own = [back, passport]
    let verdicts = try await Self.documents.verify(own, Self.rules(true))
    #expect(verdicts == Dictionary(uniqueKeysWithValues: own.map { ($0.id, .accepted) }))
    #expect(try await Self.documents.compare(own, Self.rules(true)) == .accepted)
    guard case .rejected(let codes) = try await Self.documents.compare([back, other], Self.rules(true)) else {
      Issue.record("two people passed for one")
      return
    }
    #expect(codes.contains("name-across-documents"))
    let outside = try await Self.documents.verify(own, Self.rules(false))
    #expect(outside.values.allSatisfy { $0 == .rejected(code: "specimen") })
  }

  @Test("where a side came twice, the second picture is compared like the first, whichever of the two is another's")
  func twice() async throws {
    let back = try #require(try await Self.side(.idCard, 1, of: 1, as: .nationalIDBack).side)
    let passport = try #require(try await Self.side(.passport, 0, of: 1, as: .passport).side)
    let other = try #require(try await Self.side(.passport, 0, of: 2, as: .passport).side)
    #expect(try await Self.documents.compare([back, passport, passport], Self.rules(true)) == .accepted)
    for pictures in [[back, passport, other], [back, other, passport], [passport, other, back]] {
      guard case .rejected(let codes) = try await Self.documents.compare(pictures, Self.rules(true)) else {
        Issue.record("another person's passport passed beside the user's own")
        continue
      }
      #expect(codes.contains("name-across-documents"))
    }
  }

  @Test("a number of which the print may be misread is for a person, and never a refusal")
  func slip() async throws {
    let front = try #require(try await Self.side(.idCard, 0, of: 1, as: .nationalIDFront).side)
    let back = try #require(try await Self.side(.idCard, 1, of: 1, as: .nationalIDBack).side)
    var reading = try JSONDecoder().decode(DocumentReading.self, from: front.reading)
    let zone = try JSONDecoder().decode(DocumentReading.self, from: back.reading).mrz
    let number = try #require(zone?.fields?.documentNumber)
    func compared(_ printed: String, _ confidence: Double) async throws -> EvidenceVerdict {
      reading.visualZone?.values[.documentNumber] = .init(
        text: printed, confidence: confidence, region: Region(x: 0, y: 0, width: 10, height: 10))
      let changed = ReadDocumentSide(
        id: front.id, kind: .nationalIDFront, reading: try JSONEncoder().encode(reading))
      #expect(try await Self.documents.verify([changed], Self.rules(true)) == [front.id: .accepted])
      return try await Self.documents.compare([changed, back], Self.rules(true))
    }
    let other = String(number.map { $0 == "7" ? "4" : "7" })
    for (printed, confidence) in [(String(number.dropFirst()), 0.99), (other, 0.736)] {
      guard case .inconclusive(let codes, _) = try await compared(printed, confidence) else {
        Issue.record("\(printed) was decided")
        continue
      }
      #expect(codes.contains("document-number-front-back"))
    }
    guard case .rejected(let codes) = try await compared(other, 0.99) else {
      Issue.record("another card's number was not refused")
      return
    }
    #expect(codes.contains("document-number-front-back"))
  }

  @Test("another document than the one that was asked for is to be taken again, and what is no picture is no document")
  func wrong() async throws {
    guard case .rejected(let code) = try await Self.side(.drivingLicence, 0, of: 1, as: .passport).finding else {
      Issue.record("a licence passed for a passport")
      return
    }
    #expect(["wrong-document-type", "document-unreadable"].contains(code))
    await #expect(throws: ImageProblem.self) { _ = try await Self.documents.take(Data("no picture".utf8)) }
  }

  @Test("without models the machine does not decide; without a picture presence is not proved")
  func presence() async throws {
    let holder = Holder.random(seed: 1, reference: Self.day)
    let selfie = try await Self.presence.take(Selfie.draw(of: holder, seed: 1, reference: Self.day).data, 400)
    let verdict = try await Self.presence.judge(
      PresenceEvidence(check: Self.check, captures: [selfie], portraits: [selfie]))
    let checks: [VerificationOutcome.Rule] = [
      .init(.liveness, .inconclusive, reasons: ["no-model"]),
      .init(.faceSelfieVsDocument, .inconclusive, reasons: ["no-model"]),
    ]
    #expect(verdict == .inconclusive(codes: ["face-no-model", "liveness-no-model"], checks: checks))
    #expect(
      try await Self.presence.judge(PresenceEvidence(check: Self.check, captures: [], portraits: [selfie]))
        == .rejected(codes: ["no-capture"]))
    await #expect(throws: ImageProblem.self) { _ = try await Self.presence.take(selfie, 100_000) }
  }
}
