// SPDX-License-Identifier: Apache-2.0

import Foundation
import OneAssistSDK
import Specimens
import TestSupport
import Testing

@Suite("Journey: OneAssist on a program that is killed", .ownFile)
struct ServedActivationTests {
  @Test(
    "program and app killed at every stage of an activation, both go on where they stood",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(5)))
  @MainActor
  func killed() async throws {
    let shop = try await ServedShop()
    defer { shop.stop() }
    try shop.restart()
    try await shop.sell()
    /// Another program, another app: what they say of the stage.
    func again(_ stage: OAAction) async throws -> OAActivation {
      try shop.restart()
      let app = try await shop.app()
      #expect(try await app.startActivation(for: shop.activationCode) == stage)
      return app
    }
    var app = try await again(.fetchDeviceId)
    #expect(try await app.fetchDeviceId() == .provideUserBasicDetail)
    await app.finishBackgroundTasks()
    app = try await again(.provideUserBasicDetail)
    #expect(
      try await app.submitBasicDetails(pincode: "560001", address: "12 Lake Road, Bengaluru")
        == .sendUploadLinkOrOpenSecureScreen)
    app = try await again(.sendUploadLinkOrOpenSecureScreen)
    #expect(try await app.sendUploadLink("9123456780") == .sendUploadLinkOrOpenSecureScreen)
    // Killed before or after the text was sent: it is sent all the same.
    app = try await again(.sendUploadLinkOrOpenSecureScreen)
    let link = try await shop.link()
    #expect(try await shop.page(link).contains("0 of 2"))
    // Killed while the secure screen shows: its codes are good still.
    let screen = OATextScreenHost { _ in }
    let showing = try await again(.sendUploadLinkOrOpenSecureScreen)
    async let closed = showing.openSecureScreen(onViewController: screen)
    try await waitUntil("the secure screen shows a code") { screen.content?.code != nil }
    let shown = screen.content
    let code = try #require(shown?.code).filter { $0 != " " }
    try shop.restart()
    #expect(try await shop.send("SCREEN_IMAGE", ServedShop.photo(shown), link) == 303)
    screen.close()
    #expect(try await closed == .secureScreenDismissed)
    app = try await again(.sendUploadLinkOrOpenSecureScreen)
    #expect(try await shop.page(link).contains("1 of 2"))
    #expect(try await shop.send("BACK_IMAGE", SecureScreenPhoto.draw(seed: 2).picture.data, link) == 303)
    app = try await again(.completed)
    #expect(try await shop.status() == "PENDING")
    // A person reviews, in processes of their own.
    let who = [shop.membership, "--agent", ServedShop.reviewer]
    if try shop.command(["reviews", "--agent", ServedShop.reviewer]).contains("verified") == false {
      #expect(try shop.command(["code"] + who + [code]) == "verified\n")
    }
    try shop.command(["photo"] + who + ["BACK_IMAGE", "refuse", "--reason", "Off with the case."])
    try shop.command(["photo"] + who + ["SCREEN_IMAGE", "accept"])
    #expect(try shop.command(["verdict"] + who + ["reupload"]) == "REUPLOAD\n")
    app = try await again(.sendUploadLink)
    #expect(try await shop.page(link).contains("Off with the case."))
    #expect(try await shop.send("BACK_IMAGE", SecureScreenPhoto.draw(seed: 3).picture.data, link) == 303)
    app = try await again(.completed)
    try shop.command(["photo"] + who + ["BACK_IMAGE", "accept"])
    #expect(try shop.command(["verdict"] + who + ["approve"]) == "APPROVED\n")
    app = try await again(.completed)
    do {
      try await app.sendUploadLink("9123456780")
      Issue.record("a link was sent for a phone that is covered")
    } catch {
      #expect(error == .ERROR_MEMBERSHIP_APPROVED)
    }
    #expect(try await shop.page(link).contains("The photos were accepted"))
  }
}
