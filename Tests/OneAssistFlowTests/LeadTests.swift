// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import OneAssistWire
import Testing

@Suite("OneAssist: the phone's details")
struct LeadTests {
  @Test("IMEI, PIN code and address together complete the details, in one call or in two")
  func complete() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      #expect(try await phone.status() == "POSTDTLCOMPLETE")
      let other = try await InsuredPhone(app, application: "A-2")
      #expect(try await other.lead(imei: nil).data(OneAssist.TaskStatus.self).taskInfo?.status == "POSTDTLPENDING")
      let both = try await other.lead(pinCode: nil, address: nil).data(OneAssist.TaskStatus.self)
      #expect(both.taskInfo?.status == "POSTDTLCOMPLETE")
      #expect(
        try await other.info().data(OneAssist.OrderInfo.self).customerInfo?.first?.addressInfo?.pincode == "560001")
    }
  }

  @Test("the same values again change nothing")
  func repeated() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      let id = try await phone.membership()
      try await phone.detailed()
      let story = try await app.story(id)
      try await phone.detailed()
      #expect(try await app.story(id) == story)
    }
  }

  @Test(
    "what is wrong is said with its own code, and nothing is stored",
    arguments: [
      (nil, nil, nil, "422 1004 POSTDTLPENDING"),
      (OneAssistTestApp.imei, "", "12 Lake Road", "422 1005 POSTDTLPENDING"),
      (OneAssistTestApp.imei, "560001", " ", "422 1006 POSTDTLPENDING"),
      (OneAssistTestApp.imei, "56001", "12 Lake Road", "422 PINCODE_UNKNOWN POSTDTLPENDING"),
      (OneAssistTestApp.imei, "296001", "12 Lake Road", "422 PINCODE_UNKNOWN POSTDTLPENDING"),
      (OneAssistTestApp.imei, "560001", "12", "422 ADDRESS_INVALID POSTDTLPENDING"),
      (OneAssistTestApp.imei, "560001", "12 Lake\u{7}\u{1B}Road", "422 ADDRESS_INVALID POSTDTLPENDING"),
      (OneAssistTestApp.imei, "560001", "1\u{202E}\u{2066}\u{202C}\u{202D}", "422 ADDRESS_INVALID POSTDTLPENDING"),
      ("359000110000013", "560001", "12 Lake Road", "422 IMEI_INVALID POSTDTLPENDING"),
      ("004401123456783", "560001", "12 Lake Road", "422 IMEI_INVALID POSTDTLPENDING"),
    ] as [(String?, String?, String?, String)])
  func refused(imei: String?, pinCode: String?, address: String?, refusal: String) async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      #expect(try await phone.lead(imei: imei, pinCode: pinCode, address: address).refusal == refusal)
      let order = try await phone.info().data(OneAssist.OrderInfo.self)
      #expect(order.taskInfo?.status == "POSTDTLPENDING" && order.customerInfo?.first?.addressInfo?.pincode == nil)
    }
  }

  @Test("a phone that another person has covered is not covered twice; one's own may be")
  func covered() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.linked()
      try await phone.bring(to: .approved)
      let other = try await InsuredPhone(app, application: "A-2", mobile: "9876500000")
      #expect(try await other.lead().refusal == "409 IMEI_ALREADY_COVERED POSTDTLPENDING")
      #expect(
        try await other.lead(imei: "359000210000011", imei2: OneAssistTestApp.imei).refusal
          == "409 IMEI_ALREADY_COVERED POSTDTLPENDING")
      let own = try await InsuredPhone(app, application: "A-3")
      try await own.detailed()
    }
  }

  @Test(
    "a number on a membership that is not approved keeps another person from nothing",
    arguments: MembershipStatus.allCases.filter { ![.approved, .queued].contains($0) })
  func typed(status: MembershipStatus) async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      if status == .detailsPending {
        #expect(try await phone.lead(pinCode: nil, address: nil).status == 200)
      } else {
        try await phone.linked()
        try await phone.bring(to: status)
      }
      let owner = try await InsuredPhone(app, application: "A-2", mobile: "9876500000")
      try await owner.linked()
      try await owner.bring(to: .approved)
    }
  }

  @Test("of two people who bring one phone at once the one is covered whose photos are accepted first")
  func race() async throws {
    try await OneAssistTestApp.run { app in
      let phones = [
        try await InsuredPhone(app), try await InsuredPhone(app, application: "A-2", mobile: "9876500000"),
        try await InsuredPhone(app, application: "A-3", mobile: "9876500001"),
      ]
      for phone in phones {
        try await phone.linked()
        try await phone.photographed()
        let id = try await phone.membership()
        for name in ["SCREEN_IMAGE", "BACK_IMAGE"] {
          let decision = #"{"verdict":"accept"}"#
          #expect(try await app.review(.post, "memberships/\(id)/documents/\(name)/decision", decision).status == 204)
        }
      }
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for phone in phones {
          group.addTask {
            let answer = try await app.review(
              .post, "memberships/\(phone.membership())/verdict", #"{"verdict":"approve"}"#)
            return answer.status == 200 ? "200" : answer.refusal
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.sorted() == ["200", "409 imei-already-covered", "409 imei-already-covered"])
      var statuses: [String] = []
      for phone in phones { statuses.append(try await phone.status() ?? "") }
      #expect(statuses.sorted() == ["APPROVED", "PENDING", "PENDING"])
    }
  }

  @Test("another IMEI may be brought until photos were reviewed; the photo of the first one's screen does not count")
  func changed() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      _ = try await phone.link()
      #expect(try await phone.upload("SCREEN_IMAGE", "front").status == 200)
      #expect(try await phone.lead(imei: "359000210000011").status == 200)
      #expect(try await phone.documents()["SCREEN_IMAGE"] == "PN")
      #expect(try await app.story(phone.membership()).contains("oneassist.flag.raised"))
      _ = try await phone.upload("SCREEN_IMAGE", "front of the other")
      _ = try await phone.upload("BACK_IMAGE", "back")
      let id = try await phone.membership()
      _ = try await app.review(
        .post, "memberships/\(id)/documents/BACK_IMAGE/decision", #"{"verdict":"refuse","reason":"Too dark."}"#)
      _ = try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#)
      #expect(try await phone.lead(imei: OneAssistTestApp.imei).refusal == "409 IMEI_LOCKED REUPLOAD")
      #expect(try await phone.lead(imei: "359000210000011").status == 200)
      let flags = try await app.review(.get, "memberships/\(id)").view()["review"] as? [String: Any]
      #expect(flags?["flags"] as? [String] == ["imei-changed", "make-differs"])
    }
  }

  @Test("a phone that was reported stolen is refused as soon as its photos are in")
  func stolen() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      #expect(try await phone.lead(imei: "359000110000020").status == 200)
      _ = try await phone.link()
      _ = try await phone.upload("SCREEN_IMAGE", "front")
      let last = try await phone.upload("BACK_IMAGE", "back").data(OneAssist.DocumentAnswer.self)
      #expect(last.taskInfo?.status == "REJECTED")
      try await app.settle()
      #expect(Set(app.outside.events.map(\.data.status)) == ["POSTDTLCOMPLETE", "PENDING", "REJECTED"])
    }
  }

  @Test("a phone that is reported stolen between two readings of it is flagged once, and for good")
  func stolenMeanwhile() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      app.outside.change { $0.stolen = [OneAssistTestApp.imei] }
      for _ in 0..<3 { try await phone.detailed() }
      #expect(try await app.story(phone.membership()).count { $0 == "oneassist.flag.raised" } == 1)
      _ = try await phone.link()
      _ = try await phone.upload("SCREEN_IMAGE", "front")
      let last = try await phone.upload("BACK_IMAGE", "back").data(OneAssist.DocumentAnswer.self)
      #expect(last.taskInfo?.status == "REJECTED")
    }
  }

  @Test(
    "both numbers of a phone may come in either order after a review; a number that was not there may not come first")
  func order() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      let second = "359000110000038"
      #expect(try await phone.lead(imei2: second).status == 200)
      _ = try await phone.link()
      _ = try await phone.upload("SCREEN_IMAGE", "front")
      _ = try await phone.upload("BACK_IMAGE", "back")
      let id = try await phone.membership()
      for (name, decision) in [
        ("SCREEN_IMAGE", #"{"verdict":"accept"}"#), ("BACK_IMAGE", #"{"verdict":"refuse","reason":"Too dark."}"#),
      ] { _ = try await app.review(.post, "memberships/\(id)/documents/\(name)/decision", decision) }
      _ = try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#)
      func flags() async throws -> [String]? {
        let review = try await app.review(.get, "memberships/\(id)").view()["review"] as? [String: Any]
        return review?["flags"] as? [String]
      }
      #expect(try await phone.lead(imei: second, imei2: OneAssistTestApp.imei).status == 200)
      #expect(try await phone.documents()["SCREEN_IMAGE"] == "AC")
      #expect(try await flags() == [])
      let other = "359000110000046"
      #expect(try await phone.lead(imei: other, imei2: second).refusal == "409 IMEI_LOCKED REUPLOAD")
      // A second number that was not there: a person has to know.
      #expect(try await phone.lead(imei: second, imei2: other).status == 200)
      #expect(try await flags() == ["imei-changed"])
      // Nor does it come first by being there now: alone, and beside the number that was reviewed.
      #expect(try await phone.lead(imei: other, imei2: second).refusal == "409 IMEI_LOCKED REUPLOAD")
      #expect(try await phone.lead(imei: other).refusal == "409 IMEI_LOCKED REUPLOAD")
      // Either number that was reviewed may.
      #expect(try await phone.lead(imei: second, imei2: other).status == 200)
      #expect(try await phone.lead(imei: second, imei2: OneAssistTestApp.imei).status == 200)
      #expect(try await phone.lead(imei: OneAssistTestApp.imei, imei2: second).status == 200)
      // Nor after another round in which it was the second one.
      #expect(try await phone.lead(imei: second, imei2: OneAssistTestApp.imei).status == 200)
      #expect(try await phone.lead(imei: second, imei2: other).status == 200)
      _ = try await phone.upload("BACK_IMAGE", "back")
      _ = try await app.review(
        .post, "memberships/\(id)/documents/BACK_IMAGE/decision", #"{"verdict":"refuse","reason":"Too dark."}"#)
      let again = try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#)
      #expect(again.status == 200)
      #expect(try await phone.lead(imei: other, imei2: second).refusal == "409 IMEI_LOCKED REUPLOAD")
      #expect(try await phone.lead(imei: other).refusal == "409 IMEI_LOCKED REUPLOAD")
      #expect(try await phone.lead(imei: second, imei2: other).status == 200)
    }
  }

  @Test("orders are there for their own customer only, under either name")
  func foreign() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      let stranger = try await InsuredPhone(app, application: "A-2", mobile: "9876500000")
      for name in [phone.code, phone.order] {
        #expect(try await phone.info(of: name).status == 200)
        #expect(try await stranger.info(of: name).refusal == "404 3001")
      }
      #expect(try await stranger.call(.get, "subscription-service/order/info").refusal == "404 3001")
      // A NUL is in no name, and no engine takes one (issue 25).
      #expect(try await phone.info(of: "a%00b").refusal == "404 NOT_FOUND")
      #expect(
        try await phone.call(.get, "subscription-service/lead/activation/documents?orderUUID=a%00b").refusal
          == "404 NOT_FOUND")
      #expect(
        try await stranger.call(.get, "subscription-service/order/hash-key/\(phone.activity)").refusal
          == "404 NOT_FOUND")
      var nobody = phone
      nobody.token = "x"
      #expect(try await nobody.info().refusal == "401 AUTH_005")
      let bearer = try await app.call(
        .get, "/apigateway/subscription-service/order/info?orderUUID=\(phone.code)",
        headers: ["Authorization": "Bearer \(phone.token)"])
      #expect(bearer.status == 200)
    }
  }

  @Test("no IMEI, number, name or token reaches the log or the disk in clear")
  func secrets() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let secrets = [
        OneAssistTestApp.imei, "9876543210", "9123456780", "Asha", "asha@mail.example", "12 Lake Road", phone.token,
        try phone.linkToken(),
      ]
      #expect(app.log.leaks(of: secrets) == [])
      let bytes = try await app.made.bytesOnDisk()
      for secret in secrets { #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)") }
    }
  }
}
