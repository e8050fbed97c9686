// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import OneAssistFlow
import OneAssistWire
import Testing

@Suite("OneAssist: photos and the code in them")
struct PhotoTests {
  private func verdict(_ app: OneAssistTestApp, _ phone: InsuredPhone) async throws -> String? {
    let review = try await app.review(.get, "memberships/\(phone.membership())").view()["review"] as? [String: Any]
    let documents = try #require(review?["documents"] as? [[String: Any]])
    return documents.first { $0["name"] as? String == "SCREEN_IMAGE" }?["code"] as? String
  }

  @Test("the last mandatory photo hands the membership to the reviewers")
  func complete() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      #expect(
        try await phone.documents() == [
          "IMEI_SCREENSHOT": "PN", "SCREEN_IMAGE": "PN", "BACK_IMAGE": "PN", "INVOICE_IMAGE": "PN",
        ])
      for (name, status) in [
        ("BACK_IMAGE", "POSTDTLCOMPLETE"), ("INVOICE_IMAGE", "POSTDTLCOMPLETE"), ("SCREEN_IMAGE", "PENDING"),
      ] {
        let answer = try await phone.upload(name, name).data(OneAssist.DocumentAnswer.self)
        #expect(answer.taskInfo?.status == status && answer.docId != nil)
      }
      #expect(
        try await phone.documents() == [
          "IMEI_SCREENSHOT": "PN", "SCREEN_IMAGE": "UP", "BACK_IMAGE": "UP", "INVOICE_IMAGE": "UP",
        ])
      #expect(try await phone.upload("BACK_IMAGE", "other").refusal == "409 MEMBERSHIP_STATUS_CHANGED PENDING")
    }
  }

  @Test("the same file again is the same document, also when it was the last one")
  func repeated() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      for name in ["BACK_IMAGE", "SCREEN_IMAGE"] {
        let first = try await phone.upload(name, "x").data(OneAssist.DocumentAnswer.self).docId
        let again = try await phone.upload(name, "x").data(OneAssist.DocumentAnswer.self).docId
        #expect(first == again)
      }
      #expect(try await phone.status() == "PENDING")
    }
  }

  @Test("of racing uploads of one photo one counts, and each answer is true")
  func race() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      let answers = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<6 { group.addTask { try await phone.upload("BACK_IMAGE", "photo \(number)").status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.allSatisfy { $0 == 200 || $0 == 409 || $0 == 503 } && answers.contains(200))
      #expect(try await phone.documents()["BACK_IMAGE"] == "UP")
    }
  }

  @Test(
    "a photo that shows nothing, or nothing sharp, or is no photo, is refused and changes nothing",
    arguments: [
      ("blank", "422 IMAGE_BLANK"), ("blurred", "422 IMAGE_BLURRED"), ("small", "422 IMAGE_TOO_SMALL"),
      ("noise", "422 IMAGE_UNREADABLE"), (String(repeating: "x", count: 5 * 1024 * 1024 + 1), "413 IMAGE_TOO_LARGE"),
    ])
  func refused(photo: String, refusal: String) async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      #expect(try await phone.upload("BACK_IMAGE", photo).refusal == "\(refusal) POSTDTLCOMPLETE")
      #expect(try await phone.documents()["BACK_IMAGE"] == "PN")
      #expect(app.blobs.keys.isEmpty)
    }
  }

  @Test("unknown names, forms without a file and foreign references are refused")
  func unknown() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      #expect(try await phone.upload("SELFIE", "x").refusal == "422 DOCUMENT_UNKNOWN")
      let path = "subscription-service/lead/activation/asset/document"
      let (type, body) = InsuredPhone.form([("name", "BACK_IMAGE"), ("activityReferenceId", phone.activity)])
      #expect(try await phone.call(.post, path, body, ["Content-Type": type]).refusal == "422 REQUIRED")
      let (_, foreign) = InsuredPhone.form([("name", "BACK_IMAGE"), ("activityReferenceId", "x"), ("file", "x")])
      #expect(try await phone.call(.post, path, foreign, ["Content-Type": type]).refusal == "404 NOT_FOUND")
      #expect(
        try await phone.call(.post, path, Data("no form".utf8), ["Content-Type": type]).refusal == "400 INVALID_JSON")
    }
  }

  @Test("the SDK's screenshot is taken before the details are there, and never from the second phone")
  func screenshot() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      #expect(try await phone.upload("IMEI_SCREENSHOT", "sheet").status == 200)
      #expect(try await phone.upload("BACK_IMAGE", "back").refusal == "409 MEMBERSHIP_STATUS_CHANGED POSTDTLPENDING")
      try await phone.detailed()
      _ = try await phone.link()
      try await app.settle()
      let token = try phone.linkToken()
      await #expect(throws: Problem.self) {
        try await app.service.secondPhone.take("IMEI_SCREENSHOT", Data("sheet".utf8), by: token, from: nil)
      }
    }
  }

  /// Seconds between the code and the photo, and what it proves (oneassist §7.4).
  @Test(
    "a code counts for a quarter of an hour, and five seconds ahead of the clock",
    arguments: [
      (0, "verified"), (60, "verified"), (899, "verified"), (901, "expired"), (-5, "verified"), (-8, "expired"),
    ])
  func window(age: Int, expected: String) async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      let screen = try await phone.screen()
      // The middle of the session, so that a code from the near future is one of it.
      app.clock.advance(by: .seconds(400))
      let shown = try #require(screen.code(at: app.clock.now.milliseconds))
      app.clock.advance(by: .seconds(age))
      app.outside.change { $0.code = shown.digits }
      let answer = try await phone.upload("SCREEN_IMAGE", "front")
      #expect(answer.status == (expected == "verified" ? 200 : 422))
      if expected == "expired" { #expect(answer.refusal == "422 CODE_EXPIRED POSTDTLCOMPLETE") }
      #expect(try await verdict(app, phone) == expected)
    }
  }

  @Test("a code is taken once, whatever photo shows it again")
  func replay() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      let shown = try #require(try await phone.screen().code(at: app.clock.now.milliseconds))
      app.outside.change { $0.code = shown.digits }
      #expect(try await phone.upload("SCREEN_IMAGE", "front").status == 200)
      #expect(try await phone.upload("SCREEN_IMAGE", "front, cropped").refusal == "422 CODE_EXPIRED POSTDTLCOMPLETE")
      #expect(try await phone.documents()["SCREEN_IMAGE"] == "RJ")
    }
  }

  @Test("another phone's code is refused, and the second one is told to the reviewers")
  func mismatch() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      let screen = try await phone.screen()
      let stranger = try #require(IMEI("359000210000011"))
      let other = try #require(
        RollingCode(
          key: Data(repeating: 1, count: 32), sessionID: "other", imei: stranger,
          issuedAt: screen.issuedAt))
      for (count, flags) in [(UInt64(1), [String]()), (2, ["code-mismatch"])] {
        app.outside.change { $0.code = other.code(count).digits }
        #expect(try await phone.upload("SCREEN_IMAGE", "front \(count)").refusal == "422 CODE_MISMATCH POSTDTLCOMPLETE")
        let review =
          try await app.review(.get, "memberships/\(phone.membership())").view()["review"] as? [String: Any]
        #expect(review?["flags"] as? [String] == flags)
      }
      // The right one is taken still: a person decides what two wrong ones mean.
      app.outside.change { $0.code = screen.code(at: app.clock.now.milliseconds)?.digits }
      #expect(try await phone.upload("SCREEN_IMAGE", "front 3").status == 200)
    }
  }

  @Test("what cannot be read goes to a person, who may type it", arguments: [nil, "12345678901", "123"])
  func unreadable(code: String?) async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      let screen = try await phone.screen()
      let shown = try #require(screen.code(at: app.clock.now.milliseconds))
      app.outside.change { $0.code = code }
      #expect(try await phone.upload("SCREEN_IMAGE", "front").status == 200)
      _ = try await phone.upload("BACK_IMAGE", "back")
      #expect(try await verdict(app, phone) == "unreadable")
      app.clock.advance(by: .minutes(25))
      // As of when the photo arrived, not of now.
      let path = "memberships/\(try await phone.membership())/documents/SCREEN_IMAGE/code"
      let wrong = try await app.review(.post, path, #"{"digits":"00000 00000 0"}"#).view()
      #expect(wrong["verdict"] as? String == "mismatch")
      let typed = try await app.review(.post, path, #"{"digits":"\#(shown.shown)","agent":"jo"}"#).view()
      #expect(typed["verdict"] as? String == "verified")
      #expect(try await app.review(.post, path, #"{"digits":"\#(shown.digits)"}"#).refusal == "409 code-known")
    }
  }

  @Test("screens of a session are bound to the phone: what was photographed of another IMEI proves nothing")
  func imei() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      let key = try await phone.screenKey().data(OneAssist.ScreenKey.self)
      let stranger = try #require(IMEI("359000210000011"))
      let forged = try #require(
        RollingCode(
          key: Data(base64Encoded: key.hashKey ?? "") ?? Data(), sessionID: key.sessionId ?? "",
          imei: stranger, issuedAt: key.issuedAt ?? 0))
      app.outside.change { $0.code = forged.code(0).digits }
      #expect(try await phone.upload("SCREEN_IMAGE", "front").refusal == "422 CODE_MISMATCH POSTDTLCOMPLETE")
    }
  }

  @Test("the screen of the phone before proves nothing once another phone's number is there")
  func exchanged() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      let before = try await phone.screen()
      #expect(try await phone.lead(imei: "359000210000011").status == 200)
      let shown = try #require(before.code(at: app.clock.now.milliseconds)).digits
      app.outside.change { $0.code = shown }
      #expect(try await phone.upload("SCREEN_IMAGE", "front").refusal == "422 CODE_MISMATCH POSTDTLCOMPLETE")
      // Nor when a person types it.
      app.outside.change { $0.code = nil }
      #expect(try await phone.upload("SCREEN_IMAGE", "front in the dark").status == 200)
      _ = try await phone.upload("BACK_IMAGE", "back")
      let path = "memberships/\(try await phone.membership())/documents/SCREEN_IMAGE/code"
      let typed = try await app.review(.post, path, #"{"digits":"\#(shown)"}"#).view()
      #expect(typed["verdict"] as? String == "mismatch")
    }
  }

  @Test("what is on the screen of the phone after counts")
  func exchangedShown() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      _ = try await phone.screen()
      #expect(try await phone.lead(imei: "359000210000011").status == 200)
      let shown = try await phone.screen(imei: "359000210000011").code(at: app.clock.now.milliseconds)?.digits
      app.outside.change { $0.code = shown }
      #expect(try await phone.upload("SCREEN_IMAGE", "front").status == 200)
      #expect(try await verdict(app, phone) == "verified")
    }
  }

  @Test("what the app saw while the screen showed is told to the reviewers")
  func events() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(linked: app)
      let path = "subscription-service/order/hash-key/\(phone.activity)/events"
      #expect(try await phone.call(.post, path, Data(#"{"event":"SCREENSHOT"}"#.utf8)).status == 200)
      #expect(try await phone.call(.post, path, Data(#"{"event":"SMILE"}"#.utf8)).refusal == "422 EVENT_UNKNOWN")
      let review = try await app.review(.get, "memberships/\(phone.membership())").view()["review"] as? [String: Any]
      #expect(review?["flags"] as? [String] == ["screenshot-taken"])
    }
  }

  @Test("text of a picture is read for every caller with a token, in both spellings of the answer")
  func text() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      let (type, body) = InsuredPhone.form([("features", "[]"), ("imageFile", "IMEI 1")])
      let answer = try await phone.call(.post, "pandora-ws/api/v1/image-data", body, ["Content-Type": type])
        .data(OneAssist.TextAnswer.self)
      #expect(answer.text == "IMEI 1" && answer.responses_?.first?.fullTextAnnotation_?.text_ == "IMEI 1")
    }
  }
}
