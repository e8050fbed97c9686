// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing
import WultraWire

@testable import WultraFlow

@Suite("Wultra: a user who is told to scan has something to scan")
struct ScanPropertyTests {
  private static let choices: [[ReleasedClient.DocumentType]] = [
    [.idCard, .passport], [.drivingLicense, .idCard], [.passport, .idCard, .drivingLicense],
  ]
  private static let pictures = [
    FakePicture.good, FakePicture.good, FakePicture.unreadable, FakePicture.forged, FakePicture.broken,
  ]

  private static func sides(_ type: ReleasedClient.DocumentType) -> [ReleasedClient.Side] {
    type == .idCard ? [.front, .back] : [.front]
  }

  /// A submission of some sides of a document, as a released app makes it: a side whose id is known takes its place.
  private static func send(
    _ sides: [ReleasedClient.Side], of type: ReleasedClient.DocumentType, replacing ids: [ReleasedClient.Side: String],
    _ picture: () -> Data, by person: Person
  ) async throws {
    var submission = person.submission(
      sides.map {
        (
          type: Wultra.DocumentType(rawValue: type.rawValue), side: Wultra.DocumentSide(rawValue: $0.rawValue),
          picture: picture()
        )
      })
    for (index, side) in sides.enumerated() { submission.documents[index].originalDocumentId = ids[side] }
    submission.resubmit = sides.contains { ids[$0] != nil }
    try await person.app.documents.submit(submission, by: person.caller)
  }

  @Test(
    "random submissions, resubmissions and moments never lead to a camera without a document, and always on",
    arguments: 1...24 as ClosedRange<UInt64>)
  func scans(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let app = try await WultraTestApp {
      ($0.failedUploadsMax, $0.errorScoreMax) = (1000, 10_000)
      // Where nothing else is asked of the person the worker goes on to the end by itself.
      if seed.isMultiple(of: 4) { ($0.checksPresence, $0.asksOTP) = (false, false) }
    }
    let person = try await app.activated()
    try await person.begin()
    let chosen = Self.choices[Int(seed) % Self.choices.count]
    func look(_ steps: Int) async throws -> ReleasedScan? {
      let scan = try await person.releasedScan(chosen) {
        for _ in 0..<steps { _ = try await app.worker.runDue() }
      }
      #expect(scan != .scan(next: nil), "the camera has nothing to show")
      #expect(scan != .failed)
      return scan
    }
    let end = seed.isMultiple(of: 4) ? "COMPLETED/ACCEPTED" : "PRESENCE_CHECK/NOT_INITIALIZED"
    for _ in 0..<12 {
      // The random pictures may have been enough.
      if try await person.state() == end { break }
      switch Int.random(in: 0..<5, using: &random) {
      case 0: app.clock.advance(by: .seconds(Int.random(in: 0...30, using: &random)))
      case 1: _ = try await app.worker.runDue()
      default:
        let type = chosen[Int.random(in: 0..<chosen.count, using: &random)]
        let sides = Self.sides(type).filter { _ in Bool.random(using: &random) }
        guard !sides.isEmpty else { continue }
        var ids: [ReleasedClient.Side: String] = [:]
        if Bool.random(using: &random), case .scan(let next?) = try await look(0), next.type == type {
          ids = next.sides
        }
        let pictures = sides.map { _ in Self.pictures[Int.random(in: 0..<Self.pictures.count, using: &random)] }
        var rest = pictures[...]
        // Out of order at this moment, which the app hears; nothing else may be the reason.
        let code = try await refusal {
          try await Self.send(sides, of: type, replacing: ids, { rest.popFirst() ?? FakePicture.good }, by: person)
        }
        #expect(code == nil || code == "DOCUMENT_SUBMIT_FAILED")
      }
      _ = try await look(Int.random(in: 0...3, using: &random))
    }
    // From here on the user does what they are told, with good pictures.
    var turns = 0
    while turns < 60, try await person.state() != end {
      turns += 1
      if case .scan(let next?) = try await look(Int.random(in: 0...6, using: &random)) {
        let code = try await refusal {
          try await Self.send(
            Self.sides(next.type), of: next.type, replacing: next.sides, { FakePicture.good }, by: person)
        }
        #expect(code == nil, "what an app asks for is taken when it comes at once")
      }
      _ = try await app.worker.runDue()
    }
    let last = try await person.state()
    #expect(last == end, "after \(turns) turns")
  }
}
