// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import RubixWire
import WultraWire
import Kit
import PowerAuthCore
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: pictures of documents")
struct DocumentTests {
  private func begun(_ change: (inout WultraPolicy) -> Void = { _ in }) async throws -> (WultraTestApp, Person) {
    let app = try await WultraTestApp(change: change)
    let person = try await app.activated()
    try await person.begin()
    return (app, person)
  }

  @Test("while pictures are read the app is told so, and afterwards that more are needed")
  func incomplete() async throws {
    let (app, person) = try await begun()
    try await app.documents.submit(
      person.submission([(.idCard, .front, FakePicture.good)]), by: person.caller)
    #expect(try await person.documents().documents.map(\.status) == [.uploadInProgress])
    try await app.settle()
    // The other side is asked for as a picture that was refused, since released apps take one side for a whole document.
    let sides = try await person.documents().documents
    #expect(sides.map(\.status) == [.accepted, .rejected] && sides.map(\.side) == [.front, .back])
    #expect(sides.allSatisfy { $0.type == .idCard } && sides.map { $0.errors?.count } == [nil, 1])
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    // Both sides of a card, and a second document.
    let other = try await refusal {
      try await person.submit([(.passport, .front, FakePicture.good)], replacing: [sides[1].id])
    }
    #expect(other == "DOCUMENT_SUBMIT_FAILED")
    try await person.submit([(.idCard, .back, FakePicture.good)], replacing: [sides[1].id])
    #expect(try await person.documents().documents.map(\.status) == [.accepted, .accepted])
    // Sent once more, as after an answer that was lost.
    let again = try await refusal {
      try await person.submit([(.idCard, .back, FakePicture.good)], replacing: [sides[1].id])
    }
    #expect(again == "DOCUMENT_SUBMIT_FAILED")
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    try await person.submit([(.passport, .front, FakePicture.good)])
    #expect(try await person.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
  }

  @Test("without a primary document no other is enough")
  func primary() async throws {
    let (_, person) = try await begun()
    try await person.submit([(.passport, .front, FakePicture.good), (.drivingLicense, .front, FakePicture.good)])
    #expect(try await person.documents().documents.allSatisfy { $0.status == .accepted })
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
  }

  @Test("a bad picture is to be taken again, without its reason, and its replacement counts in its place")
  func reupload() async throws {
    let (app, person) = try await begun()
    try await person.submitAll(FakePicture.forged)
    let bad = try #require(try await person.documents().documents.first { $0.status == .rejected })
    #expect(bad.side == .front && bad.errors == ["Error verifying the document."] && bad.type == .idCard)
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    #expect(try await app.process(person.process).errorScore == 2)
    // Without the id of the first one, nothing is overwritten.
    try await person.submit([(.idCard, .front, FakePicture.good)])
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
    try await person.submit([(.idCard, .front, FakePicture.good)], replacing: [bad.id])
    #expect(try await person.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
    #expect(try await !person.documents().documents.contains { $0.id == bad.id })
  }

  @Test("a picture that cannot be read, and a file that is no picture, are to be taken again")
  func unreadable() async throws {
    let (app, person) = try await begun()
    try await person.submit([(.idCard, .front, FakePicture.broken), (.idCard, .back, FakePicture.unreadable)])
    // Pictures of one submission are of one moment.
    let documents = try await person.documents().documents.sorted { $0.side.rawValue > $1.side.rawValue }
    #expect(documents.map(\.status) == [.failed, .rejected] && documents.allSatisfy { $0.errors?.count == 1 })
    #expect(try await app.process(person.process).errorScore == 3)
    try await person.submit(
      [(.idCard, .front, FakePicture.good), (.idCard, .back, FakePicture.good)], replacing: documents.map(\.id))
    try await person.submit([(.passport, .front, FakePicture.good)])
    #expect(try await person.state() == "PRESENCE_CHECK/NOT_INITIALIZED")
  }

  @Test("five bad pictures end the verification, which can be begun anew")
  func limit() async throws {
    let (app, person) = try await begun()
    for _ in 0..<4 { try await person.submit([(.passport, .front, FakePicture.broken)]) }
    let code = try await refusal { try await person.submit([(.passport, .front, FakePicture.broken)]) }
    #expect(code == "IDENTITY_VERIFICATION_LIMIT_REACHED")
    #expect(try await person.state() == "COMPLETED/FAILED")
    try await app.verifications.cleanUp(person.process, by: person.caller)
    #expect(try await person.state() == "NONE/NOT_INITIALIZED")
    try await person.begin()
    #expect(try await person.documents().documents.isEmpty)
  }

  @Test("documents of two people are refused for good; an agent decides on doubts", arguments: [true, false])
  func crossCheck(isAccepted: Bool) async throws {
    let (app, person) = try await begun()
    try await person.submitAll(FakePicture.doubt)
    #expect(try await person.state() == "DOCUMENT_VERIFICATION_FINAL/IN_PROGRESS")
    let review = try #require(try await app.reviews.queue(tenant: "acme").first)
    #expect(review.subject == .documents && review.codes == ["sex"])
    #expect(try await app.reviews.queue(tenant: "other").isEmpty)
    let pictures = try await app.reviews.detail(of: review.id, tenant: "acme", by: "test").pictures
    #expect(pictures.map { $0.document } == [.idCard, .idCard, .drivingLicense])
    #expect(
      try await refusal { try await app.reviews.decide(review.id, .accepted, tenant: "other", by: "agent:a1") }
        == "not-found")
    // Twice: the first answer may have been lost.
    for _ in 0..<2 {
      try await app.reviews.decide(review.id, isAccepted ? .accepted : .rejected, tenant: "acme", by: "agent:a1")
    }
    try await app.settle()
    #expect(
      try await person.state()
        == (isAccepted ? "PRESENCE_CHECK/NOT_INITIALIZED" : "DOCUMENT_VERIFICATION_FINAL/REJECTED"))
    #expect(
      try await refusal { try await app.reviews.decide(review.id, .accepted, tenant: "acme", by: "agent:a2") }
        == "review-decided")

    let (_, liar) = try await begun()
    try await liar.submitAll(FakePicture.mismatch)
    #expect(try await liar.state() == "DOCUMENT_VERIFICATION_FINAL/REJECTED")
  }

  // MARK: Submissions

  @Test("files lie in a folder or not; unnamed entries are ignored")
  func names() async throws {
    let (app, person) = try await begun()
    var submission = person.submission([(.idCard, .front, FakePicture.good)], folder: "")
    #expect(submission.documents[0].filename == "id_card_front.jpg")
    try await app.documents.submit(submission, by: person.caller)
    submission = person.submission([(.passport, .front, FakePicture.good)], folder: "a/b c/")
    submission.data =
      ZipFixture([
        (submission.documents[0].filename, FakePicture.good), ("__MACOSX/x", Data()), ("a/b c/", Data()),
      ]).data
    try await app.documents.submit(submission, by: person.caller)
    try await app.settle()
    #expect(
      try await person.documents().documents.filter { $0.errors == nil }.map(\.filename).sorted() == [
        "a/b c/passport_front.jpg", "id_card_front.jpg",
      ])
  }

  @Test("a submission whose parts do not fit is refused, and changes nothing")
  func refused() async throws {
    let (app, person) = try await begun()
    try await person.submit([(.idCard, .front, FakePicture.forged), (.idCard, .back, FakePicture.good)])
    let sides = try await person.documents().documents.sorted { $0.side.rawValue > $1.side.rawValue }
    let (front, back) = (sides[0].id, sides[1].id)
    let good = person.submission([(.idCard, .front, FakePicture.good), (.passport, .front, FakePicture.good)])
    let changes: [(String, (inout Wultra.DocumentSubmission) -> Void)] = [
      ("a replacement among new pictures", { $0.documents[0].originalDocumentId = front }),
      ("a resubmission without what it replaces", { $0.resubmit = true }),
      (
        "a resubmission of half",
        {
          $0.resubmit = true
          $0.documents[0].originalDocumentId = front
        }
      ),
      (
        "a replacement of another side",
        {
          $0.resubmit = true
          $0.documents = [$0.documents[0]]
          $0.documents[0].originalDocumentId = back
        }
      ),
      (
        "a replacement of nothing",
        {
          $0.resubmit = true
          $0.documents = [$0.documents[0]]
          $0.documents[0].originalDocumentId = "none"
        }
      ),
      ("no pictures", { $0.documents = [] }),
      ("the same side twice", { $0.documents[1].type = .idCard }),
      ("a passport's back", { $0.documents[1].side = .back }),
      ("a kind that is no document", { $0.documents[1].type = .selfiePhoto }),
      ("an unknown side", { $0.documents[1].side = Wultra.DocumentSide(rawValue: "LEFT") }),
      ("a file that is not there", { $0.documents[1].filename = "other.jpg" }),
      ("no archive", { $0.data = nil }),
      ("an invalid archive", { $0.data = Data("PK".utf8) }),
      ("a name that leads elsewhere", { $0.data = ZipFixture([("../x", Data())]).data }),
      ("an unknown upload", { $0.documents[1].uploadId = front }),
    ]
    let before = try await person.documents()
    for (what, change) in changes {
      var submission = good
      change(&submission)
      let code = try await refusal { try await app.documents.submit(submission, by: person.caller) }
      #expect(code == "DOCUMENT_SUBMIT_FAILED", "\(what)")
    }
    #expect(try await person.documents() == before)
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
  }

  @Test("pictures are taken while they are asked for, and not before or after")
  func order() async throws {
    let app = try await WultraTestApp()
    let person = try await app.activated()
    let early = try await refusal { try await person.submit([(.passport, .front, FakePicture.good)]) }
    #expect(early == "DOCUMENT_SUBMIT_FAILED")
    try await person.documentsAccepted()
    let late = try await refusal { try await person.submit([(.passport, .front, FakePicture.good)]) }
    #expect(late == "DOCUMENT_SUBMIT_FAILED")
  }

  @Test("a picture can be uploaded by itself, and named by a submission once")
  func upload() async throws {
    let (app, person) = try await begun()
    let zip = ZipFixture([("passport.jpg", FakePicture.good)]).data
    let uploaded = try await app.documents.upload(zip, by: person.caller)
    #expect(uploaded.filename == "passport.jpg")
    #expect(try await person.documents().documents.isEmpty)
    var submission = person.submission([(.passport, .front, FakePicture.good)])
    submission.data = nil
    submission.documents[0].uploadId = uploaded.id
    try await app.documents.submit(submission, by: person.caller)
    try await app.settle()
    let documents = try await person.documents().documents
    #expect(documents.map(\.id) == [uploaded.id] && documents[0].status == .accepted && documents[0].type == .passport)
    let again = try await refusal { try await app.documents.submit(submission, by: person.caller) }
    #expect(again == "DOCUMENT_SUBMIT_FAILED")
    for bad in [Data("x".utf8), ZipFixture().data, ZipFixture([("a", FakePicture.good), ("b", Data())]).data] {
      let code = try await refusal { _ = try await app.documents.upload(bad, by: person.caller) }
      #expect(code == "DOCUMENT_SUBMIT_FAILED")
    }
  }

  @Test("a filter names pictures of one's own; others are told nothing but that it failed")
  func filter() async throws {
    let (app, person) = try await begun()
    try await person.submit([(.idCard, .front, FakePicture.good), (.passport, .front, FakePicture.forged)])
    let all = try await person.documents().documents.sorted { $0.type.rawValue < $1.type.rawValue }
    func status(_ ids: [String], _ who: Person) async throws -> Wultra.DocumentStates {
      try await app.documents.status(
        .init(processId: who.process, filter: ids.map(Wultra.DocumentReference.init)), by: who.caller)
    }
    #expect(try await status([all[0].id], person).status == .accepted)
    #expect(try await status(all.map(\.id), person).status == .rejected)
    let other = try await app.activated("2")
    try await other.begin()
    #expect(try await status([all[0].id], other) == Wultra.DocumentStates(status: .failed, documents: []))
  }

  @Test(
    "what the app is told of pictures never has a word that released apps do not read",
    arguments: SubmittedDocument.Status.allCases)
  func hazards(status: SubmittedDocument.Status) throws {
    let document = SubmittedDocument(
      id: .init(rawValue: "d"), verification: .init(rawValue: "v"), document: .idCard, side: .back, filename: "f",
      status: status, errorCode: status == .rejected ? "mrz" : nil, original: nil, hasImage: true,
      createdAt: Instant(milliseconds: 0))
    let view = document.view()
    let known = Set(Wultra.DocumentStatus.known).subtracting([.disposed])
    #expect(known.contains(view.status) || status == .disposed)
    #expect((view.errors == nil) == (status != .rejected && status != .failed))
    let json = try JSONDecoder().decode(JSONValue.self, from: WireJSON.encode(view))
    #expect(json["side"] == .string("BACK") && json["type"] == .string("ID_CARD"))
    #expect(view.errors != nil || json["errors"] == nil)
  }

  @Test("the scanning library gets a text, and nothing moves")
  func scanning() async throws {
    let (app, person) = try await begun()
    let answer = try await app.documents.initSDK(
      .init(processId: person.process, attributes: ["sdk-init-token": .string("abc")]), by: person.caller)
    #expect(answer.attributes == ["token": .string("for abc")])
    #expect(try await person.state() == "DOCUMENT_UPLOAD/IN_PROGRESS")
  }
}
