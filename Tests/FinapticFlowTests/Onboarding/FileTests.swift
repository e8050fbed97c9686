// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: pictures")
struct FileTests {
  typealias Wire = FinapticAPI

  private static let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0])
  private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

  private static func place(_ applicant: OnboardingApplicant) async throws -> Wire.FileUploadResponse {
    try await applicant.call(.createFileUploadURL).view()
  }

  @Test("an address takes one picture, within a quarter of an hour")
  func once() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      let (one, two) = (try await Self.place(applicant), try await Self.place(applicant))
      #expect(one.filename != two.filename && one.uploadUrl != two.uploadUrl)
      #expect(!one.uploadUrl.contains(one.filename) && !one.uploadUrl.contains(applicant.id))
      #expect(try await app.put(one.uploadUrl, Self.jpeg) == 200)
      #expect(try await app.put(one.uploadUrl, Self.jpeg) == 403)
      app.clock.advance(by: .minutes(15))
      #expect(try await app.put(two.uploadUrl, Self.png, type: "image/png") == 403)
      #expect(try await app.put(one.uploadUrl + "x", Self.jpeg) == 403)
      // Whose answer was lost is told that the picture is there; the others, that nothing will be.
      #expect(try await app.upload(one.uploadUrl, Self.jpeg).code == "ALREADY_EXISTS")
      for url in [two.uploadUrl, one.uploadUrl + "x"] {
        #expect(try await app.upload(url, Self.jpeg).code == "PERMISSION_DENIED")
      }
      #expect(app.blobs.keys.count == 1)
    }
  }

  @Test("a refused picture leaves the address as it was")
  func refused() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      let place = try await Self.place(applicant)
      #expect(try await app.put(place.uploadUrl, Self.jpeg + Data(count: 4 * 1024 * 1024 - 4)) == 413)
      #expect(try await app.put(place.uploadUrl, Data("<svg>".utf8)) == 415)
      #expect(try await app.put(place.uploadUrl, Self.jpeg, type: "text/plain") == 415)
      #expect(try await app.put(place.uploadUrl, Self.jpeg, type: nil) == 415)
      #expect(app.blobs.keys.isEmpty)
      // One byte less than 4 MB is taken.
      #expect(try await app.put(place.uploadUrl, Self.jpeg + Data(count: 4 * 1024 * 1024 - 5)) == 200)
      #expect(app.blobs.keys.count == 1)
    }
  }

  @Test("what is stored is sealed")
  func sealed() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      let place = try await Self.place(applicant)
      let picture = Self.jpeg + Data("a face".utf8)
      #expect(try await app.put(place.uploadUrl, picture) == 200)
      let key = try #require(app.blobs.keys.first)
      let stored = try #require(try await app.blobs.blobs.get(key))
      #expect(stored.range(of: Data("a face".utf8)) == nil)
      #expect(try await app.database.read { try FinapticBlobStore.referenced([key, "other-key"], in: $0) } == [key])
      let kept = try await app.database.read {
        try [FinapticBlobStore.kept(after: "", limit: 9, in: $0), FinapticBlobStore.kept(after: key, limit: 9, in: $0)]
      }
      #expect(kept == [[key], []])
    }
  }

  @Test("a name is good for the application that it was made for, and once something is there")
  func names() async throws {
    try await OnboardingTestApp.run { app in
      let (one, two) = (try await OnboardingApplicant(app), try await OnboardingApplicant(app))
      try await one.fill()
      try await two.fill()
      let file = try await one.upload()
      #expect(try await two.documents(file: file).code == "INVALID_ARGUMENT")
      #expect(try await two.documents(file: file).violations == ["documentDetails[0].frontImageFileName"])
      let empty = try await Self.place(one)
      #expect(try await one.selfie(file: empty.filename).violations == ["fileName"])
      #expect(try await one.selfie(file: " ").violations == ["fileName"])
      #expect(try await one.documents(file: file).details().remainingAllowedRetries == 3)
    }
  }

  private static let refusals: [(Wire.DocumentInfo, [String])] = [
    (
      Wire.DocumentInfo(documentType: "DOCUMENT_TYPE_LIBRARY_CARD", documentCountry: "CA", frontImageFileName: "a"),
      ["documentType"]
    ),
    (
      Wire.DocumentInfo(documentType: "DOCUMENT_TYPE_CANADIAN_PASSPORT", documentCountry: "US"),
      ["frontImageFileName", "documentCountry"]
    ),
    (
      Wire.DocumentInfo(
        documentType: "DOCUMENT_TYPE_CANADIAN_DRIVERS_LICENSE", documentCountry: "CA", frontImageFileName: "a"),
      ["backImageFileName", "documentState"]
    ),
    (
      Wire.DocumentInfo(
        documentType: "DOCUMENT_TYPE_CANADIAN_PROVINCIAL_SERVICES_CARD", documentCountry: "CA",
        frontImageFileName: "a", backImageFileName: "b", documentState: "ON"), ["documentState"]
    ),
    (
      Wire.DocumentInfo(
        documentType: "DOCUMENT_TYPE_CANADIAN_PASSPORT", documentCountry: "CA", frontImageFileName: "a",
        documentState: "ON"), ["documentState"]
    ),
  ]

  @Test("documents that are not taken, all faults at once", .storeless, arguments: refusals)
  func documents(document: Wire.DocumentInfo, faults: [String]) async throws {
    var rules = DocumentRules()
    _ = rules.documents([document], isRequired: true)
    #expect(rules.faults.map(\.pointer) == faults.map { "documentDetails[0].\($0)" })
  }

  @Test("pictures go within a day, and at once when the application ends")
  func forgotten() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      try await applicant.fill()
      _ = try await applicant.upload()
      app.clock.advance(by: .hours(23))
      try await app.service.sweep()
      #expect(app.blobs.keys.count == 1)
      _ = try await applicant.upload()
      app.clock.advance(by: .hours(1))
      try await app.service.sweep()
      #expect(app.blobs.keys.count == 1)
      let place = try await Self.place(applicant)
      #expect(
        try await applicant.call(.cancelApplication).details().onboardingApplicationStatus == "Application Cancelled")
      #expect(try await app.put(place.uploadUrl, Self.jpeg) == 403)
      try await app.settle()
      #expect(app.blobs.keys.isEmpty)
      #expect(try await applicant.call(.createFileUploadURL).code == "FAILED_PRECONDITION")
      // Whether anybody listens, webhooks know; pictures are nothing to tell of.
      #expect(app.outside.now.events.map(\.eventType) == ["Canceled"])
    }
  }

  @Test("of two uploads to one address at once, one is kept")
  func race() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      let place = try await Self.place(applicant)
      let codes = try await withThrowingTaskGroup(of: String.self) { group in
        for number in 0..<4 {
          group.addTask { try await app.upload(place.uploadUrl, Self.jpeg + Data([UInt8(number)])).code }
        }
        return try await group.reduce(into: []) { $0.append($1) }.sorted()
      }
      #expect(codes == ["ALREADY_EXISTS", "ALREADY_EXISTS", "ALREADY_EXISTS", "OK"])
      #expect(app.blobs.keys.count == 1)
    }
  }
}
