// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import Specimens
import Synchronization
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: models see selfies as they were encoded anew (issue 24)")
struct IdentityReaderTests {
  private final class Seen: Sendable {
    private let pictures = Mutex<[Data]>([])
    var all: [Data] { pictures.withLock { $0 } }

    func note(_ picture: Data) { pictures.withLock { $0.append(picture) } }
  }

  private static func reader(_ seen: Seen) -> IdentityReader {
    .evidence(
      EvidenceReader(),
      faces: FaceComparison { selfie, portrait in
        seen.note(selfie.bytes)
        return FaceComparisonResult(result: portrait.bytes == Data("portrait".utf8) ? .match : .noMatch)
      },
      liveness: Liveness { selfie in
        seen.note(selfie)
        return LivenessResult(result: .live)
      })
  }

  @Test("neither liveness nor comparison is given the bytes that were sent")
  func encodedAnew() async throws {
    let today = try #require(CalendarDate(year: 2026, month: 1, day: 1))
    let page = try #require(try Specimen.draw(.drivingLicence, seed: 1, reference: today).images.first)
    // What stands behind the end of a picture is no part of it.
    let hidden = Data("behind the picture".utf8)
    let sent = page.picture.data + hidden
    let seen = Seen()
    let reader = Self.reader(seen)
    #expect(try await reader.liveness(sent).result == .live)
    #expect(try await reader.compare(sent, Data("portrait".utf8)).result == .match)
    let kept = try await EvidenceReader().inspectPhoto(sent, limits: ImageLimits()).image.bytes
    #expect(seen.all == [kept, kept])
    #expect(!kept.suffix(hidden.count).elementsEqual(hidden))
  }

  @Test("what cannot be decoded comes to no model, and shows no face")
  func undecodable() async throws {
    let seen = Seen()
    let reader = Self.reader(seen)
    let sent = Data([0xFF, 0xD8, 0xFF, 0xE0]) + Data("no picture".utf8)
    let life = try await reader.liveness(sent)
    #expect(life.result == .undetermined && life.code == .noFace)
    let match = try await reader.compare(sent, Data("portrait".utf8))
    #expect(match.result == .undetermined && match.code == .noFace)
    #expect(seen.all.isEmpty)
  }
}
