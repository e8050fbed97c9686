// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import OneAssistCore
import OneAssistFlow
import OneAssistSDK
import OneAssistWire
import Testing

@Suite("OneAssist: from the sale to cover, through the SDK")
struct ActivationJourneyTests {
  private func photo(_ app: OneAssistTestApp, _ path: String, _ photo: String) async throws -> Int {
    let (type, body) = InsuredPhone.form([("photo", photo)])
    return try await app.call(.post, path, headers: ["Content-Type": type], body: body).status
  }

  private func page(_ phone: InsuredPhone) throws -> String { "/u/\(try phone.linkToken())" }

  @Test("sold, activated, photographed, refused, photographed again, approved")
  @MainActor
  func whole() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      let phoneApp = try await InsuredApp(phone).launched()
      #expect(try await phoneApp.startActivation(for: phone.code) == .fetchDeviceId)
      #expect(try await phoneApp.fetchDeviceId() == .provideUserBasicDetail)
      #expect(
        try await phoneApp.submitBasicDetails(pincode: "560001", address: "12 Lake Road, Bengaluru")
          == .sendUploadLinkOrOpenSecureScreen)
      let screen = SeenScreen()
      #expect(await thrown { try await phoneApp.openSecureScreen(onViewController: screen) } == .ERROR_SMS_NOT_SENT)
      #expect(try await phoneApp.sendUploadLink("9123456780") == .sendUploadLinkOrOpenSecureScreen)
      let tooSoon = await thrown { try await phoneApp.sendUploadLink("9123456780") }
      #expect(tooSoon?.errorCode == "RATE_LIMITED")
      try await app.settle()
      #expect(app.outside.messages.map(\.recipient) == ["+919123456780"])
      // The second phone photographs what is on the first one's screen.
      let path = try page(phone)
      #expect(try await photo(app, "\(path)/BACK_IMAGE", "back") == 303)
      async let closed = phoneApp.openSecureScreen(onViewController: screen)
      let digits = await screen.digits()
      app.outside.change { $0.code = digits }
      #expect(try await photo(app, "\(path)/SCREEN_IMAGE", "front") == 303)
      await screen.close()
      #expect(try await closed == .secureScreenDismissed)
      #expect(try await phoneApp.startActivation(for: phone.code) == .completed)
      await phoneApp.finishBackgroundTasks()
      // A reviewer sees a code that was verified, and refuses the back.
      let id = try await phone.membership()
      let review = try await app.review(.get, "memberships/\(id)").json
      #expect(review.contains("verified") && review.contains("IMEI_SCREENSHOT"))
      for (name, decision) in [
        ("SCREEN_IMAGE", #"{"verdict":"accept"}"#), ("BACK_IMAGE", #"{"verdict":"refuse","reason":"Dark."}"#),
      ] { _ = try await app.review(.post, "memberships/\(id)/documents/\(name)/decision", decision) }
      _ = try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#)
      #expect(try await phoneApp.startActivation(for: phone.code) == .sendUploadLink)
      app.clock.advance(by: .seconds(31))
      #expect(try await phoneApp.sendUploadLink("9123456780") == .sendUploadLink)
      try await app.settle()
      // The first link is over.
      #expect(try await photo(app, "\(path)/BACK_IMAGE", "again") == 410)
      #expect(try await photo(app, "\(page(phone))/BACK_IMAGE", "again") == 303)
      _ = try await app.review(.post, "memberships/\(id)/documents/BACK_IMAGE/decision", #"{"verdict":"accept"}"#)
      _ = try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"approve"}"#)
      #expect(try await phoneApp.startActivation(for: phone.code) == .completed)
      #expect(await thrown { try await phoneApp.sendUploadLink("9123456780") } == .ERROR_MEMBERSHIP_APPROVED)
      try await app.settle()
      // Each move once. What is owed at the same time is sent in any order, so each says where it came from.
      #expect(
        app.outside.events.map { "\($0.data.from) \($0.data.status)" }.sorted() == [
          "PENDING APPROVED", "PENDING REUPLOAD", "POSTDTLCOMPLETE PENDING", "POSTDTLPENDING POSTDTLCOMPLETE",
          "REUPLOAD PENDING",
        ])
    }
  }

  @Test("a refused front, on a phone that lost its number, begins at the number again")
  func lost() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      try await phone.pending()
      let id = try await phone.membership()
      _ = try await app.review(
        .post, "memberships/\(id)/documents/SCREEN_IMAGE/decision", #"{"verdict":"refuse","reason":"Cut off."}"#)
      _ = try await app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#)
      let phoneApp = try await InsuredApp(phone).launched()
      #expect(try await phoneApp.startActivation(for: phone.order) == .fetchDeviceId)
      #expect(await thrown { try await phoneApp.sendUploadLink("9123456780") } == .ERROR_IMEI_MISSING)
      // The order has the details already.
      #expect(try await phoneApp.fetchDeviceId() == .sendUploadLinkOrOpenSecureScreen)
      await phoneApp.finishBackgroundTasks()
    }
  }

  @Test("what the server does not take is told in its words, and a token that is over asks for a new one")
  func refusals() async throws {
    try await OneAssistTestApp.run { app in
      let insured = InsuredApp(try await InsuredPhone(app))
      let phoneApp = try await insured.started()
      let pin = await thrown { try await phoneApp.fetchDeviceId(pincode: "012345", address: "12 Lake Road") }
      #expect(pin?.errorCode == "PINCODE_UNKNOWN")
      let address = await thrown { try await phoneApp.submitBasicDetails(pincode: "560001", address: "x") }
      #expect(address?.errorCode == "ADDRESS_INVALID")
      let other = await thrown { try await phoneApp.startActivation(for: "somebody-else's") }
      #expect(other == .ERROR_GET_MEMBERSHIP_DETAILS)
      app.clock.advance(by: .minutes(31))
      let over = await thrown { try await phoneApp.startActivation(for: insured.phone.code) }
      #expect(over?.errorCode == "AUTH_005")
      var renewed = insured.phone
      renewed.token = try await renewed.newToken()
      #expect(
        try await InsuredApp(renewed, store: insured.store).launched().startActivation(for: renewed.code)
          == .provideUserBasicDetail)
      await phoneApp.finishBackgroundTasks()
    }
  }

  @Test("app and server both killed at every stage, the phone goes on where it stood")
  @MainActor
  func killed() async throws {
    try await OneAssistTestApp.run { app in
      let insured = InsuredApp(try await InsuredPhone(app))
      /// A new process at both ends: nothing is left but the server's store and the device's.
      func restart(
        _ stage: OAAction, _ play: @escaping @Sendable (OAActivation, InsuredApp) async throws -> Void
      ) async throws {
        try await app.restarted { again in
          let here = insured.at(again)
          let phoneApp = try await here.launched()
          #expect(try await phoneApp.startActivation(for: here.phone.code) == stage)
          try await play(phoneApp, here)
          await phoneApp.finishBackgroundTasks()
        }
      }
      try await restart(.fetchDeviceId) { phoneApp, _ in try await phoneApp.fetchDeviceId() }
      try await restart(.provideUserBasicDetail) { phoneApp, _ in
        try await phoneApp.submitBasicDetails(pincode: "560001", address: "12 Lake Road, Bengaluru")
      }
      try await restart(.sendUploadLinkOrOpenSecureScreen) { phoneApp, _ in
        try await phoneApp.sendUploadLink("9123456780")
      }
      try await restart(.sendUploadLinkOrOpenSecureScreen) { phoneApp, here in
        // That a link was sent, the server knows.
        let screen = SeenScreen()
        async let closed = phoneApp.openSecureScreen(onViewController: screen)
        let digits = await screen.digits()
        here.phone.app.outside.change { $0.code = digits }
        await screen.close()
        let stage = try await closed
        #expect(stage == .secureScreenDismissed)
      }
      try await restart(.sendUploadLinkOrOpenSecureScreen) { _, here in
        // The code of a screen that another process opened.
        let status = try await here.phone.upload("SCREEN_IMAGE", "front").status
        #expect(status == 200)
        let back = try await here.phone.upload("BACK_IMAGE", "back").status
        #expect(back == 200)
      }
      let id = try await insured.phone.membership()
      try await restart(.completed) { _, here in
        let path = "memberships/\(id)/documents/BACK_IMAGE/decision"
        _ = try await here.phone.app.review(.post, path, #"{"verdict":"refuse","reason":"Dark."}"#)
        _ = try await here.phone.app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#)
      }
      try await restart(.sendUploadLink) { _, here in
        let status = try await here.phone.upload("BACK_IMAGE", "again").status
        #expect(status == 200)
      }
      // Then the front is refused.
      try await restart(.completed) { _, here in
        let path = "memberships/\(id)/documents/SCREEN_IMAGE/decision"
        _ = try await here.phone.app.review(.post, path, #"{"verdict":"refuse","reason":"Cut off."}"#)
        _ = try await here.phone.app.review(.post, "memberships/\(id)/verdict", #"{"verdict":"reupload"}"#)
      }
      for _ in 0..<2 { try await restart(.sendUploadLinkOrOpenSecureScreen) { _, _ in } }
      // Another installation knows no number.
      try await app.restarted { again in
        let phoneApp = try await InsuredApp(insured.phone.at(again)).launched()
        #expect(try await phoneApp.startActivation(for: insured.phone.code) == .fetchDeviceId)
      }
    }
  }
}
