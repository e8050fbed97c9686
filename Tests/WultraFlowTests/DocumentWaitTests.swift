// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import WultraWire

@testable import WultraFlow

@Suite("Wultra: what an app is told while documents are awaited")
struct DocumentWaitTests {
  private func begun() async throws -> (WultraTestApp, Person) {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    try await person.begin()
    return (app, person)
  }

  @Test("too few documents do not hold the user up for ever: the verification ends, and they can choose again")
  func tooFew() async throws {
    let (app, person) = try await begun()
    try await person.submit([(.idCard, .front, FakePicture.good), (.idCard, .back, FakePicture.good)])
    app.clock.advance(by: .minutes(14))
    // Another picture begins the time anew.
    try await person.submit([(.idCard, .front, FakePicture.good)])
    app.clock.advance(by: .minutes(14))
    try await app.settle()
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    app.clock.advance(by: .minutes(1))
    try await app.settle()
    #expect(try await person.state() == "COMPLETED/FAILED")
    let score = try await app.process(person.process).errorScore
    try await app.verifications.cleanUp(person.process, by: person.caller)
    #expect(try await person.state() == "NONE/NOT_INITIALIZED")
    #expect(try await app.process(person.process).errorScore == score)
    try await person.begin()
    try await person.submitAll()
    #expect(try await person.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
  }

  @Test("a document that is to be taken again is waited for, however long it takes")
  func waiting() async throws {
    let (app, person) = try await begun()
    try await person.submit([(.idCard, .front, FakePicture.forged), (.idCard, .back, FakePicture.good)])
    app.clock.advance(by: .minutes(40))
    try await app.settle()
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
  }

  @Test("a refused picture is told when the others are read, so that another one is taken at once")
  func refusedFirst() async throws {
    let (app, person) = try await begun()
    let submission = person.submission([
      (.idCard, .front, FakePicture.broken), (.idCard, .back, FakePicture.good),
      (.drivingLicense, .front, FakePicture.good),
    ])
    try await app.documents.submit(submission, by: person.caller)
    #expect(try await person.releasedScan([.idCard, .drivingLicense]) == .wait)
    while try await person.releasedScan([.idCard, .drivingLicense]) == .wait {
      try #require(try await app.worker.runDue() > 0)
    }
    try await app.settle()
    guard case .scan(let next?) = try await person.releasedScan([.idCard, .drivingLicense]) else {
      Issue.record("no camera")
      return
    }
    #expect(next.type == .idCard && next.sides.count == 2)
  }

  @Test("what has gone on since the app asked is told as being checked, and a filter is told the truth")
  func later() async throws {
    let (app, person) = try await begun()
    try await person.submitAll()
    let states = try await person.documents()
    #expect(states.status == .accepted && states.documents.count == 3)
    #expect(states.documents.allSatisfy { $0.status == .verificationInProgress && $0.errors == nil })
    let named = try await app.documents.status(
      .init(
        processId: person.process, filter: states.documents.map { Wultra.DocumentReference(documentId: $0.id) }),
      by: person.caller)
    #expect(named.status == .accepted && named.documents.allSatisfy { $0.status == .accepted })
  }
}
