// SPDX-License-Identifier: Apache-2.0

import Foundation
import WultraWire
import Kit
import PowerAuthCore
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: the cost of callers without a proof is bounded")
struct BoundTests {
  private static let large = Data(repeating: 0x20, count: 256 * 1024)

  @Test(
    "of a request with pictures nothing is read before its token is proved",
    arguments: [Wultra.Endpoint.submitDocuments, .uploadDocument])
  func unread(endpoint: Wultra.Endpoint) async throws {
    let (app, watch) = (try await WultraTestApp(), BodyWatch())
    let stranger = try await app.activated("2")
    try await WultraPhone.run(app, watch: watch) { phone in
      let person = try await phone.begun()
      let path = WultraPhone.onboarding + endpoint.rawValue
      let (token, mine) = (try phone.tokenHeader(), try phone.encryptionHeader(ofActivation: true))
      _ = watch.take()
      let naked = try await phone.post(path, Self.large, [mine])
      #expect(naked.status == 401 && watch.take() == 0)
      let forged = token.1.replacing("nonce=\"", with: "nonce=\"A")
      let wrong = try await phone.post(path, Self.large, [(token.0, forged), mine])
      #expect(wrong.status == 401 && watch.take() == 0)
      // Proved by one device, and said to be encrypted by another.
      let other = mine.1.replacing(try phone.device.joined().identifier.text, with: stranger.activation.rawValue)
      #expect(other != mine.1)
      let mixed = try await phone.post(path, Self.large, [phone.tokenHeader(), (mine.0, other)])
      #expect(mixed.code == "ERR_ENCRYPTION" && watch.take() == 0)
      // Out of order: the verification has not begun.
      let early = try await phone.post(path, Self.large, [phone.tokenHeader(), mine])
      #expect(early.code == "DOCUMENT_SUBMIT_FAILED" && watch.take() == 0)
      try await person.begin()
      _ = watch.take()
      let proved = try await phone.post(path, Self.large, [phone.tokenHeader(), mine])
      #expect(proved.code == "ERR_ENCRYPTION" && watch.take() > 0)
      let limit = DocumentCommands.requests
      try await app.core.database.write { tx in
        for _ in 0..<limit.count { _ = try app.core.limits.count(limit, by: person.process, isTold: false, in: tx) }
      }
      let often = try await phone.post(path, Self.large, [phone.tokenHeader(), mine])
      #expect(often.status == 429 && watch.take() == 0)
    }
  }

  @Test("of a picture for a session that there is not, nothing is read")
  func unknownSession() async throws {
    let (app, watch) = (try await WultraTestApp(), BodyWatch())
    try await WultraPhone.run(app, watch: watch) { phone in
      let refused = try await phone.send(
        .capturePresence, Self.large, headers: [("Authorization", "Bearer nothing")])
      #expect(refused.status == 401 && watch.take() == 0)
    }
  }

  @Test("a session that has its pictures, or was tried too often, looks at no more")
  func captures() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.documentsAccepted()
    func session() async throws -> String {
      try await app.presence.initiate(person.process, by: person.caller)
        .sessionAttributes["sessionToken"]?.stringValue ?? ""
    }
    var token = try await session()
    for _ in 0..<CaptureStore.capturesMax {
      try await app.presence.admitCapture(token: token)
      try await app.presence.capture(FakePicture.good, token: token)
    }
    let before = app.blobs.keys
    #expect(try await refusal { try await app.presence.admitCapture(token: token) } == "PRESENCE_CHECK_FAILED")
    #expect(
      try await refusal { try await app.presence.capture(FakePicture.good, token: token) } == "PRESENCE_CHECK_FAILED")
    #expect(app.blobs.keys == before)
    token = try await session()
    for _ in 0..<PresenceCommands.captureTries.count {
      try await app.presence.admitCapture(token: token)
      #expect(
        try await refusal { try await app.presence.capture(FakePicture.broken, token: token) }
          == "PRESENCE_CHECK_FAILED")
    }
    #expect(
      try await refusal { try await app.presence.admitCapture(token: token) }
        == Problem.rateLimited(retryAfterSeconds: 1).code)
  }

  @Test("a process sends pictures of documents so many times, whatever came of them")
  func uploads() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.begin()
    for number in 0..<DocumentCommands.requests.count {
      let code = try await refusal {
        if number.isMultiple(of: 2) {
          _ = try await app.documents.upload(Data("no archive".utf8), by: person.caller)
        } else {
          var submission = person.submission([(.passport, .front, FakePicture.good)])
          submission.data = Data("no archive".utf8)
          try await app.documents.submit(submission, by: person.caller)
        }
      }
      #expect(code == "DOCUMENT_SUBMIT_FAILED")
    }
    let limited = Problem.rateLimited(retryAfterSeconds: 1).code
    let zip = ZipFixture([("p.jpg", FakePicture.good)]).data
    #expect(try await refusal { _ = try await app.documents.upload(zip, by: person.caller) } == limited)
    #expect(try await refusal { try await person.submit([(.passport, .front, FakePicture.good)]) } == limited)
    #expect(app.blobs.keys.isEmpty)
  }

  @Test("a process has the institution and its vendor asked so many times, and told of so many consents")
  func questions() async throws {
    let app = try await WultraTestApp()
    let (person, other) = (try await app.activated(), try await app.activated("2"))
    try await person.approve()
    let limit = Dossiers.questions
    try await app.core.database.write { tx in
      // The text and the decision count already.
      for _ in 2..<limit.count { _ = try app.core.limits.count(limit, by: person.process, isTold: false, in: tx) }
    }
    let asks: [@Sendable (Person) async throws -> Void] = [
      { _ = try await app.consents.text(.init(processId: $0.process, consentType: .gdpr), by: $0.caller) },
      {
        try await app.consents.decide(
          .init(processId: $0.process, approved: true, consentType: .gdpr), by: $0.caller)
      },
      {
        _ = try await app.documents.initSDK(
          .init(processId: $0.process, attributes: ["sdk-init-token": .string("challenge")]), by: $0.caller)
      },
    ]
    for ask in asks {
      #expect(try await refusal { try await ask(person) } == Problem.rateLimited(retryAfterSeconds: 1).code)
      #expect(try await refusal { try await ask(other) } == nil)
    }
    // What it asked before stands, and it goes on.
    try await app.verifications.initiate(person.process, by: person.caller)
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
  }

  @Test("a picture whose row never came is gone within the hour, and those that have one stay")
  func stray() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.begin()
    try await person.submit([(.idCard, .front, FakePicture.good)])
    let kept = app.blobs.keys
    #expect(!kept.isEmpty)
    // As a process leaves it that dies between the picture and its row.
    let stray = app.clock.world.uuid()
    let core = app.core
    _ = try await app.database.write { try OrphanedPictures(core: core).announce([stray], in: $0) }
    try await app.blobs.blobs.put(stray, FakePicture.good)
    app.clock.advance(by: OrphanedPictures.delay - .seconds(1))
    try await app.settle()
    #expect(app.blobs.keys == kept.union([stray]))
    app.clock.advance(by: .seconds(1))
    try await app.settle()
    #expect(app.blobs.keys == kept)
    #expect(OrphanedPictures.delay <= .hours(1))
  }

  @Test("a row does not name a picture that is about to be taken for a stray")
  func tooLate() async throws {
    let app = try await WultraTestApp()
    let core = app.core
    let announced = try await app.database.write { try OrphanedPictures(core: core).announce(["x"], in: $0) }
    app.clock.advance(by: OrphanedPictures.patience - .seconds(1))
    try OrphanedPictures(core: core).requireTimely(announced)
    app.clock.advance(by: .seconds(1))
    #expect(throws: Problem.unavailable) { try OrphanedPictures(core: core).requireTimely(announced) }
  }
}
