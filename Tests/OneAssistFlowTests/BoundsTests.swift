// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import OneAssistFlow
import OneAssistWire
import Storage
import Testing

@Suite("OneAssist: how much one membership may cost")
struct BoundsTests {
  private func rows(_ app: OneAssistTestApp) async throws -> Int {
    try await app.database.read { try $0.query("SELECT id FROM oneassist_screen").count }
  }

  @Test("photos are looked at so often a minute, from the app and from the link together; others are not hindered")
  func uploads() async throws {
    try await OneAssistTestApp.run(policy: { $0.uploads = RateLimit("oneassist-uploads", 3, per: .minutes(1)) }) {
      app in
      let phone = try await InsuredPhone(linked: app)
      let path = "/u/\(try phone.linkToken())/BACK_IMAGE"
      func send(_ photo: String) async throws -> OneAssistTestApp.Answer {
        let (type, body) = InsuredPhone.form([("photo", photo)])
        return try await app.call(.post, path, headers: ["Content-Type": type], body: body)
      }
      // What is not taken costs the same.
      #expect(try await phone.upload("BACK_IMAGE", "blurred").status == 422)
      #expect(try await phone.upload("BACK_IMAGE", "back").status == 200)
      #expect(try await send("back 2").status == 303)
      let later = try await phone.upload("BACK_IMAGE", "back 3")
      #expect(later.refusal == "429 RATE_LIMITED POSTDTLCOMPLETE" && later.headers[.retryAfter] != nil)
      let page = try await send("back 4")
      #expect(page.status == 429 && page.json.contains("Too many tries"))
      #expect(app.blobs.keys.count == 2)
      // The same file costs nothing.
      #expect(try await phone.upload("BACK_IMAGE", "back 2").status == 200)
      let other = try await InsuredPhone(app, application: "A-2", mobile: "9876500000")
      #expect(try await other.upload("IMEI_SCREENSHOT", "sheet").status == 200)
      app.clock.advance(by: .minutes(1))
      #expect(try await phone.upload("BACK_IMAGE", "back 5").status == 200)
    }
  }

  @Test("photos that are kept have an end, those that others replaced included")
  func photos() async throws {
    try await OneAssistTestApp.run(policy: { $0.photosMax = 3 }) { app in
      let phone = try await InsuredPhone(linked: app)
      for number in 1...3 { #expect(try await phone.upload("BACK_IMAGE", "back \(number)").status == 200) }
      #expect(try await phone.upload("BACK_IMAGE", "back 4").refusal == "429 RATE_LIMITED POSTDTLCOMPLETE")
      #expect(try await phone.upload("SCREEN_IMAGE", "front").refusal == "429 RATE_LIMITED POSTDTLCOMPLETE")
      #expect(try await phone.upload("BACK_IMAGE", "back 3").status == 200)
      #expect(app.blobs.keys.count == 3)
    }
  }

  @Test("so many secure screens are opened in an hour; one more keeps nothing, and says when to come again")
  func screens() async throws {
    try await OneAssistTestApp.run(policy: { $0.screensPerHour = 3 }) { app in
      var phone = try await InsuredPhone(linked: app)
      for _ in 1...3 {
        #expect(try await phone.screenKey().status == 200)
        app.clock.advance(by: .minutes(10))
      }
      let story = try await app.story(phone.membership())
      let later = try await phone.screenKey()
      #expect(later.refusal == "429 RATE_LIMITED POSTDTLCOMPLETE" && later.headers[.retryAfter] == "1800")
      #expect(try await rows(app) == 3)
      #expect(try await app.story(phone.membership()) == story)
      app.clock.advance(by: .minutes(30))
      phone.token = try await phone.newToken()
      #expect(try await phone.screenKey().status == 200)
    }
  }

  @Test("opened as often as may be, the code of the first of them still counts, and one of long before is late")
  func search() async throws {
    try await OneAssistTestApp.run { app in
      var phone = try await InsuredPhone(linked: app)
      let early = try await phone.screen()
      let old = try #require(early.code(at: app.clock.now.milliseconds)).digits
      app.clock.advance(by: .hours(2))
      phone.token = try await phone.newToken()
      let first = try await phone.screen()
      let shown = try #require(first.code(at: app.clock.now.milliseconds)).digits
      for _ in 1..<30 { #expect(try await phone.screenKey().status == 200) }
      #expect(try await phone.screenKey().status == 429)
      app.outside.change { $0.code = old }
      #expect(try await phone.upload("SCREEN_IMAGE", "front").refusal == "422 CODE_EXPIRED POSTDTLCOMPLETE")
      app.outside.change { $0.code = shown }
      #expect(try await phone.upload("SCREEN_IMAGE", "front 2").status == 200)
    }
  }
}
