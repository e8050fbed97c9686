// SPDX-License-Identifier: Apache-2.0

import Foundation
import OneAssistSDK
import Specimens
import TestSupport
import Testing

@Suite(
  "Journey: the upload page and its script, in a browser", .onOneEngine,
  .enabled(if: ServedProcess.program != nil && Chromium.isInstalled, "\(ServedProcess.missing); \(Chromium.missing)"))
@MainActor
struct UploadScriptTests {
  /// Where screenshots are kept for a reader; nil keeps none.
  private static let screens = ProcessInfo.processInfo.environment["GATEHOUSE_SCREENS"]

  private func keep(_ tab: ChromiumTab, _ name: String) throws {
    guard let folder = Self.screens else { return }
    try tab.screenshot().write(to: URL(fileURLWithPath: "\(folder)/upload-\(name).png"))
  }

  /// Picks a photo, looks at its preview, and sends it.
  private func send(_ tab: ChromiumTab, _ name: String, _ photo: Data, _ shop: ServedShop) throws {
    let file = shop.folder.file("\(UUID().uuidString).jpg")
    try photo.write(to: URL(fileURLWithPath: file))
    try tab.pick(file, for: "#\(name) input[type=file]")
    try tab.wait(
      for: """
        (({ hidden, naturalWidth }) => !hidden && naturalWidth > 0)(document.querySelector("#\(name) img.preview"))
        """)
    try tab.evaluate(
      """
      (() => {
        const form = document.querySelector("#\(name) form"), bar = form.querySelector("progress");
        window.progressed = false;
        new MutationObserver(() => { window.progressed ||= !bar.hidden }).observe(bar, { attributes: true });
        form.querySelector("button").click();
      })()
      """)
  }

  @Test("a picked photo is previewed, sent with progress and taken or refused in words; closed, it goes on elsewhere")
  func whole() async throws {
    let shop = try await ServedShop()
    defer { shop.stop() }
    try shop.restart()
    try await shop.sell()
    let app = try await shop.app()
    try await app.startActivation(for: shop.activationCode)
    try await app.fetchDeviceId(pincode: "560001", address: "12 Lake Road, Bengaluru")
    try await app.sendUploadLink("9123456780")
    let link = shop.address + (try await shop.link())
    var tab = try ChromiumTab(width: 390, height: 844, in: shop.folder)
    try tab.open(link)
    #expect(try tab.evaluate("document.documentElement.scrollWidth") == "390")
    try keep(tab, "1 begin")

    let drawn = try Specimen.draw(
      .idCard, seed: 1, reference: JourneyPapers.day, degrade: [Degradation(.blur, strength: 4)])
    let blurred = try #require(drawn.images.first).picture.data
    try send(tab, "BACK_IMAGE", blurred, shop)
    try tab.wait(for: ##"document.querySelector("#BACK_IMAGE [role=alert]")?.textContent.includes("blurred")"##)
    #expect(try tab.evaluate("window.progressed") == "true")
    #expect(try tab.evaluate("document.documentElement.scrollWidth") == "390")
    try keep(tab, "2 refused")

    // The reader is where they were, and the page that the answer became has the script again.
    #expect(try tab.evaluate("document.activeElement.id") == "BACK_IMAGE")
    try send(tab, "BACK_IMAGE", SecureScreenPhoto.draw(seed: 2).picture.data, shop)
    try tab.wait(for: #"document.body.innerText.includes("1 of 2")"#)
    try keep(tab, "3 one of two")

    // Another browser, which knows nothing but the link.
    tab = try ChromiumTab(width: 390, height: 844, in: TestFolder())
    try tab.open(link)
    #expect(try tab.evaluate(#"document.body.innerText.includes("1 of 2")"#) == "true")
    try await send(tab, "SCREEN_IMAGE", shop.front(app), shop)
    try tab.wait(for: #"document.body.innerText.includes("All photos are in")"#)
    #expect(try tab.evaluate("document.querySelectorAll('main form').length") == "0")
    try keep(tab, "4 done")

    let who = [shop.membership, "--agent", ServedShop.reviewer]
    for photo in ["BACK_IMAGE", "SCREEN_IMAGE"] { try shop.command(["photo"] + who + [photo, "accept"]) }
    #expect(try shop.command(["verdict"] + who + ["approve"]) == "APPROVED\n")
    try tab.open(link)
    let text = try tab.evaluate("document.body.innerText")
    #expect(text.contains("The photos were accepted") && !text.contains("looked at"))
    try keep(tab, "5 accepted")
    await app.finishBackgroundTasks()
  }
}
