// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import OneAssistFlow
import OneAssistWire
import Testing

@Suite("OneAssist: what reviewers decide")
struct ReviewTests {
  private func decide(
    _ app: OneAssistTestApp, _ id: String, _ name: String, _ verdict: String, reason: String? = nil
  ) async throws -> OneAssistTestApp.Answer {
    let reason = reason.map { #","reason":"\#($0)""# } ?? ""
    return try await app.review(
      .post, "memberships/\(id)/documents/\(name)/decision", #"{"verdict":"\#(verdict)"\#(reason)}"#)
  }

  private func verdict(
    _ app: OneAssistTestApp, _ id: String, _ verdict: String, reason: String? = nil
  ) async throws -> OneAssistTestApp.Answer {
    let reason = reason.map { #","reason":"\#($0)""# } ?? ""
    return try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"\#(verdict)"\#(reason)}"#)
  }

  @Test("one photo is refused, taken again, and the membership approved; the partner hears of each step")
  func journey() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      let queue = try await app.review(.get, "reviews").view()["reviews"] as? [[String: Any]]
      #expect(queue?.map { $0["id"] as? String } == [id])
      let picture = try await app.review(.get, "memberships/\(id)/documents/BACK_IMAGE/image")
      #expect(picture.json == "jpeg back" && picture.headers[.contentType] == "image/jpeg")
      #expect(picture.headers[.contentDisposition] == "inline")
      #expect(try await decide(app, id, "SCREEN_IMAGE", "accept").status == 204)
      #expect(try await verdict(app, id, "approve").refusal == "409 review-incomplete")
      #expect(try await verdict(app, id, "reupload").refusal == "409 review-incomplete")
      #expect(try await decide(app, id, "BACK_IMAGE", "refuse", reason: "Take it without the case.").status == 204)
      #expect(try await verdict(app, id, "reupload").view()["status"] as? String == "REUPLOAD")
      #expect(
        try await phone.documents() == [
          "IMEI_SCREENSHOT": "PN", "SCREEN_IMAGE": "AC", "BACK_IMAGE": "RJ", "INVOICE_IMAGE": "PN",
        ])
      // What was accepted stays; what was refused is taken again, also the same file.
      #expect(
        try await phone.upload("SCREEN_IMAGE", "another front").refusal == "409 DOCUMENT_ALREADY_ACCEPTED REUPLOAD")
      #expect(
        try await phone.upload("BACK_IMAGE", "back").data(OneAssist.DocumentAnswer.self).taskInfo?.status == "PENDING")
      #expect(try await decide(app, id, "BACK_IMAGE", "accept").status == 204)
      #expect(try await verdict(app, id, "approve").view()["status"] as? String == "APPROVED")
      try await app.settle()
      #expect(Set(app.outside.events.map(\.data.status)) == ["POSTDTLCOMPLETE", "PENDING", "REUPLOAD", "APPROVED"])
      #expect(app.outside.events.count == 5)
      let story = try await app.story(id)
      for action in ["sold", "review.picture", "document.refuse", "status.changed"] {
        #expect(story.contains("oneassist.\(action)"))
      }
    }
  }

  @Test("a plan that begins later is queued, and approved on its day")
  func queued() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app, plan: OneAssistTestApp.planLater)
      try await phone.pending()
      let id = try await phone.membership()
      for name in ["SCREEN_IMAGE", "BACK_IMAGE"] { _ = try await decide(app, id, name, "accept") }
      #expect(try await verdict(app, id, "approve").view()["status"] as? String == "QUEUED")
      app.clock.advance(by: .days(29))
      try await app.effects.jobs.runOnce()
      let path = "/partner/v1/memberships?orderUUID=\(phone.order)"
      func status() async throws -> String? {
        (try await app.server(.get, path).view()["memberships"] as? [[String: Any]])?.first?["status"] as? String
      }
      #expect(try await status() == "QUEUED")
      app.clock.advance(by: .days(1))
      try await app.effects.jobs.runOnce()
      #expect(try await status() == "APPROVED")
    }
  }

  @Test("photos are asked for three times more; the fourth time ends it")
  func attempts() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      for attempt in 1...4 {
        _ = try await decide(app, id, "BACK_IMAGE", "refuse", reason: "Blurred.")
        let status = try await verdict(app, id, "reupload").view()["status"] as? String
        #expect(status == (attempt <= 3 ? "REUPLOAD" : "REJECTED"))
        if attempt <= 3 { #expect(try await phone.upload("BACK_IMAGE", "back \(attempt)").status == 200) }
      }
    }
  }

  @Test("a rejection needs a reason, a refusal too, and nothing is decided twice")
  func reasons() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      #expect(try await verdict(app, id, "reject").status == 422)
      #expect(try await decide(app, id, "BACK_IMAGE", "refuse").status == 422)
      #expect(
        try await decide(app, id, "BACK_IMAGE", "refuse", reason: String(repeating: "x", count: 281)).status == 422)
      #expect(try await decide(app, id, "BACK_IMAGE", "maybe").status == 422)
      #expect(try await decide(app, id, "INVOICE_IMAGE", "accept").refusal == "404 not-found")
      #expect(try await decide(app, id, "SELFIE", "accept").refusal == "404 not-found")
      #expect(
        try await verdict(app, id, "reject", reason: "Another phone.").view()["status"] as? String == "REJECTED")
      // Why, is kept with who and when: for reviewers, and sealed.
      let decisions = try await app.review(.get, "memberships/\(id)").view()["decisions"] as? [[String: String]]
      #expect(decisions?.map { $0["reason"] } == ["Another phone."] && decisions?.first?["verdict"] == "reject")
      #expect(decisions?.first?["by"]?.isEmpty == false && decisions?.first?["at"] == app.clock.now.rfc3339)
      #expect(try await app.made.bytesOnDisk().range(of: Data("Another phone.".utf8)) == nil)
      #expect(try await verdict(app, id, "reject", reason: "Again.").refusal == "409 membership-status-changed")
      #expect(try await decide(app, id, "BACK_IMAGE", "accept").refusal == "409 membership-status-changed")
    }
  }

  @Test("of racing verdicts one counts")
  func race() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      for name in ["SCREEN_IMAGE", "BACK_IMAGE"] { _ = try await decide(app, id, name, "accept") }
      let answers = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<6 {
          group.addTask {
            try await verdict(app, id, number.isMultiple(of: 2) ? "approve" : "reject", reason: "x").status
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(answers.count { $0 == 200 } == 1)
      try await app.settle()
      #expect(app.outside.events.count { ["APPROVED", "REJECTED"].contains($0.data.status) } == 1)
    }
  }

  @Test("only clients that may review look at photos, and at those of their own tenant")
  func strangers() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let path = "\(ReviewDialect.base)/memberships/\(try await phone.membership())"
      #expect(try await app.server(.get, path).refusal == "403 forbidden")
      #expect(try await app.call(.get, path).refusal == "401 credentials-invalid")
      let id = Membership.ID(rawValue: try await phone.membership())
      await #expect(throws: Problem.notFound) {
        try await app.service.reviews.open(id, tenant: "elsewhere", by: "agent:x")
      }
    }
  }

  @Test("photos that are late end what waits for them, and nothing else")
  func lapsed() async throws {
    try await OneAssistTestApp.run { app in
      let waiting = try await InsuredPhone(app)
      let reviewed = try await InsuredPhone(app, application: "A-2", mobile: "9876500000")
      try await reviewed.pending()
      app.clock.advance(by: .days(30))
      try await app.effects.jobs.runOnce()
      func status(_ phone: InsuredPhone) async throws -> String? {
        let answer = try await app.server(.get, "/partner/v1/memberships?orderUUID=\(phone.order)").view()
        return (answer["memberships"] as? [[String: Any]])?.first?["status"] as? String
      }
      #expect(try await status(waiting) == "CANCELLED")
      #expect(try await status(reviewed) == "PENDING")
    }
  }

  @Test("a membership that cannot be read does not keep time from the others")
  func unreadable() async throws {
    try await OneAssistTestApp.run { app in
      let broken = try await InsuredPhone(app)
      let id = try await broken.membership()
      app.clock.advance(by: .seconds(1))
      let other = try await InsuredPhone(app, application: "A-2", mobile: "9876500000")
      try await app.database.write { tx in
        _ = try tx.execute("UPDATE oneassist_membership SET content = \(Data([1])) WHERE id = \(id)")
      }
      app.clock.advance(by: .days(30))
      // It is told all the same.
      await #expect(throws: (any Error).self) { try await app.effects.jobs.runOnce() }
      let answer = try await app.server(.get, "/partner/v1/memberships?orderUUID=\(other.order)").view()
      #expect((answer["memberships"] as? [[String: Any]])?.first?["status"] as? String == "CANCELLED")
    }
  }

  @Test("slips of the person who types a code are not the customer's; two photos of another phone's screen are")
  func slips() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.detailed()
      _ = try await phone.link()
      let shown = try #require(try await phone.screen().code(at: app.clock.now.milliseconds)).digits
      let stranger = try #require(IMEI("359000210000011"))
      let other = try #require(
        RollingCode(key: Data(repeating: 1, count: 32), sessionID: "other", imei: stranger, issuedAt: 0))
      for name in ["SCREEN_IMAGE", "BACK_IMAGE"] { _ = try await phone.upload(name, name) }
      let id = try await phone.membership()
      func type(_ digits: String) async throws -> String? {
        let path = "memberships/\(id)/documents/SCREEN_IMAGE/code"
        return try await app.review(.post, path, #"{"digits":"\#(digits)"}"#).view()["verdict"] as? String
      }
      func flags() async throws -> [String]? {
        let review = try await app.review(.get, "memberships/\(id)").view()["review"] as? [String: Any]
        return review?["flags"] as? [String]
      }
      for slip in [1, 2, 3] as [UInt64] { #expect(try await type(other.code(slip).digits) == "mismatch") }
      #expect(try await flags() == [])
      #expect(try await type(shown) == "verified")
      for (attempt, expected) in [(1, []), (2, ["code-mismatch"])] {
        #expect(try await decide(app, id, "SCREEN_IMAGE", "refuse", reason: "Not this phone.").status == 204)
        #expect(try await verdict(app, id, "reupload").status == 200)
        #expect(try await phone.upload("SCREEN_IMAGE", "front \(attempt)").status == 200)
        #expect(try await type(other.code(9).digits) == "mismatch")
        #expect(try await flags() == expected)
      }
    }
  }
}
