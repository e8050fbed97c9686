// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit
import OneAssistSDK

extension DemoStage {
  /// Plays OneAssist: a plan is sold, the phone activated by the shop's app through the SDK, photographed with a second
  /// one, reviewed, photographed again, and covered.
  func playOneAssist(in app: App, _ shop: DemoShop) async throws {
    let sold = try await shop.sell(
      "DEMO-\(seed)", make: OneAssistPlay.make, model: OneAssistPlay.model,
      mobile: OneAssistPlay.mobiles(of: 0).own)
    let play = try await OneAssistPlay(
      shop: shop, sold: sold, folder: URL(fileURLWithPath: folder).appending(path: "phone-oneassist"), seed: seed,
      clock: clock,
      texts: { try await app.devOutbox.list().filter { $0.message.channel == .sms }.map(\.message.body) })
    let story = OneAssistStory(play: play, log: log, clock: clock, folder: folder)
    do {
      try await story.activate()
      try await story.checkCode(try await story.photograph())
      try await story.review()
      try await story.photographAgain()
      try await story.approve()
    } catch is OneAssistStory.Broken {}
  }
}

/// One customer's story: each step does something, and says what app, page, reviewer or shop then show.
struct OneAssistStory: Sendable {
  let play: OneAssistPlay
  let log: DemoLog
  let clock: DemoClock
  let folder: String

  /// The rest of a story makes no sense after a step that failed.
  struct Broken: Error {}

  /// What a step came to.
  private struct Told {
    let shown: String
    var note = ""
  }

  private var shop: DemoShop { play.shop }

  private func step(_ title: String, shows expected: String, _ act: () async throws -> Told) async throws {
    let start = World.live.ticks()
    var (told, differences) = (Told(shown: "nothing"), [String]())
    do {
      told = try await act()
      if told.shown != expected { differences.append("it should show \(expected)") }
    } catch let error as OAError {
      told = Told(shown: error.errorCode, note: error.localizedDescription)
      if told.shown != expected { differences.append("it should show \(expected)") }
    } catch {
      differences.append("\(error)")
    }
    await log.add(
      DemoStep(
        story: "OneAssist, a phone is covered", title: title, answer: told.note, shown: told.shown,
        differences: differences, milliseconds: Int((World.live.ticks() - start).inSeconds * 1000)))
    if !differences.isEmpty { throw Broken() }
  }

  private func membership() async throws -> DemoShop.Membership { try await shop.membership(play.sold.orderUUID) }

  func activate() async throws {
    try await step("a plan was sold", shows: "POSTDTLPENDING, USER is next") {
      let membership = try await membership()
      return Told(shown: "\(membership.status), \(membership.nextActionOwner) is next", note: "server to server")
    }
    try await step("the app begins", shows: "fetchDeviceId") {
      try await play.launch()
      return Told(shown: "\(try await play.phone.startActivation(for: play.sold.activationCode))")
    }
    try await step("a screenshot of the phone's sheet", shows: "provideUserBasicDetail") {
      Told(shown: "\(try await play.phone.fetchDeviceId())", note: "the phone reads its number")
    }
    try await step("PIN code and address", shows: "sendUploadLinkOrOpenSecureScreen") {
      Told(shown: "\(try await play.phone.submitBasicDetails(pincode: "560001", address: "12 Lake Road, Bengaluru"))")
    }
    try await step("the secure screen, too early", shows: "1008") {
      Told(shown: "\(try await play.phone.openSecureScreen(onViewController: play.screen))")
    }
    try await step("a link to the phone of the purchase", shows: "SECONDARY_EQUALS_PRIMARY") {
      Told(shown: "\(try await play.phone.sendUploadLink(play.mobile))")
    }
    try await step("a link to the second phone", shows: "sendUploadLinkOrOpenSecureScreen") {
      Told(shown: "\(try await play.phone.sendUploadLink(play.secondMobile))", note: "by SMS")
    }
  }

  /// - Returns: what stood on the secure screen.
  @discardableResult
  func photograph() async throws -> String {
    let link = try await play.link()
    try await step("the second phone opens it", shows: "0 of 2") { Told(shown: try await play.open(link)) }
    try await step("the back, blurred", shows: "422 The photo is blurred. Hold still and let the camera focus.") {
      Told(shown: try await play.send("BACK_IMAGE", play.blurred(on: clock.day), by: link))
    }
    try await step("the back", shows: "1 of 2") {
      Told(shown: try await play.send("BACK_IMAGE", play.back(1), by: link))
    }
    var shown = ""
    try await step("the secure screen, and its photo", shows: "All photos are in, secureScreenDismissed") {
      async let closed = play.phone.openSecureScreen(onViewController: play.screen)
      guard let (digits, hint) = await play.screen.code() else { return Told(shown: "no code") }
      shown = digits
      let page = try await play.send("SCREEN_IMAGE", play.front(digits, hint: hint), by: link)
      await play.screen.close()
      return Told(shown: "\(page), \(try await closed)")
    }
    try await step("the app looks again", shows: "completed") {
      let stage = try await play.phone.startActivation(for: play.sold.activationCode)
      return Told(shown: "\(stage)", note: try await membership().status)
    }
    return shown
  }

  /// - Parameter shown: what stood on the secure screen.
  func checkCode(_ shown: String) async throws {
    try await step("the code in the photo", shows: "verified") {
      let id = try await membership().memUUID
      let found = try await shop.codeVerdict(id)
      if found == "verified" { return Told(shown: found, note: "read by the server") }
      return Told(shown: try await shop.type(code: shown, id), note: "typed by the reviewer; the server: \(found)")
    }
  }

  func review() async throws {
    try await step("the reviewer refuses the back", shows: "REUPLOAD") {
      let id = try await membership().memUUID
      try await shop.decide("SCREEN_IMAGE", accepts: true, id)
      try await shop.decide("BACK_IMAGE", accepts: false, id)
      return Told(shown: try await shop.decide("reupload", id))
    }
    try await step("the app, started anew", shows: "sendUploadLink") {
      try await play.launch()
      return Told(shown: "\(try await play.phone.startActivation(for: play.sold.activationCode))")
    }
  }

  func photographAgain() async throws {
    let first = try await play.link()
    try await step("another link", shows: "sendUploadLink") {
      clock.advance(by: .seconds(31))
      return Told(shown: "\(try await play.phone.sendUploadLink(play.secondMobile))")
    }
    var link = first
    for _ in 0..<100 where link == first { link = try await play.link() }
    try await step("the first link", shows: "This link is over") { Told(shown: try await play.open(first)) }
    try await step("the back again", shows: "All photos are in") {
      Told(shown: try await play.send("BACK_IMAGE", play.back(2), by: link))
    }
    guard let window = DemoWindow(profile: "\(folder)/chromium") else { return }
    try await step("the page in Chromium", shows: "All photos are in") {
      Told(shown: OneAssistPlay.gist(of: try window.page(link)), note: "390 pixels wide, with its script")
    }
  }

  func approve() async throws {
    try await step("the reviewer approves", shows: "APPROVED") {
      let id = try await membership().memUUID
      try await shop.decide("BACK_IMAGE", accepts: true, id)
      return Told(shown: try await shop.decide("approve", id))
    }
    try await step("the app looks again", shows: "completed") {
      Told(shown: "\(try await play.phone.startActivation(for: play.sold.activationCode))")
    }
    try await step("another link", shows: "2003") {
      Told(shown: "\(try await play.phone.sendUploadLink(play.secondMobile))")
    }
    let all = ["POSTDTLCOMPLETE", "PENDING", "REUPLOAD", "PENDING", "APPROVED"]
    try await step("what the shop's server heard", shows: all.joined(separator: ", ")) {
      Told(shown: try await shop.statuses(all.count).joined(separator: ", "), note: "each one signed")
    }
    await play.phone.finishBackgroundTasks()
  }
}
