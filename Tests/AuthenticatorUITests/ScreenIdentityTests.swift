// SPDX-License-Identifier: Apache-2.0
import Foundation
import ScreenSpecimens
import Testing

@testable import GatehouseUI

@Suite("Screens: what stays the same while one changes")
struct ScreenIdentityTests {
  private func screen(_ id: String, title: String = "Title", _ elements: [ScreenElement<Int>] = []) -> Screen<Int> {
    Screen(id: id, title: title, elements: elements)
  }

  private func field(_ id: String, problem: String = "") -> ScreenElement<Int> {
    .input(ScreenInput(id, "Label of \(id)", value: "", problem: problem) { _ in 0 })
  }

  @Test("what happens on a page leaves the page; another section, screen or title is another page")
  func pages() {
    let same = [
      ["form.crs.work", "form.crs.work-again", "form.crs.work-submitting"], ["details", "details.busy"],
      ["sms.code.asking", "sms.code.checking", "sms.code.offered", "sms.code.sending-first"],
      ["card.active", "card.locked.busy"], ["account.failed-more", "account.loading"], ["failed", "failed.again"],
      ["appointment.none", "appointment.loading"], ["appointment.times", "appointment.times.booking-again"],
      ["sign-in", "sign-in.reset-sent", "sign-in.busy"], ["pin.second", "pin.second.busy"],
      ["authorization.asking", "authorization.confirming"], ["transfer.review", "transfer.review.sending"],
      ["transfer.unknown", "transfer.unknown.asking", "transfer.unknown.sending", "transfer.unknown.not-made"],
    ]
    let pages = same.map { Set($0.map { screen($0).page }) }
    #expect(pages.allSatisfy { $0.count == 1 } && Set(pages).count == same.count, "\(pages)")
    let other = [
      "form.crs.work", "form.crs.residences", "form.kyc.work", "sms.code.asking", "email.code.asking",
      "transfer.form", "transfer.review", "pin.first", "pin.second",
    ]
    #expect(Set(other.map { screen($0).page }).count == other.count)
    #expect(screen("starting", title: "One").page != screen("starting", title: "Another").page)
  }

  @Test(
    "a call runs on the page that it was asked for on",
    arguments: ["authenticator", "finaptic", "oneassist", "rubix", "wultra"])
  func calls(app: String) throws {
    let words: Set<Substring> = [
      "booking", "busy", "checking", "confirming", "denying", "registering", "sending", "setting", "submitting",
      "working",
    ]
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let printed = try String(contentsOf: root.appending(path: "docs/sdk/screens/\(app)-en.txt"), encoding: .utf8)
    let screens = try ("\n" + printed).components(separatedBy: "\n=== ").dropFirst().map { text in
      let lines = text.components(separatedBy: "\n")
      let title = try #require(lines.first { $0.hasPrefix("# ") })
      return screen(lines[0], title: title)
    }
    func isBusy(_ id: String) -> Bool { id.split { $0 == "." || $0 == "-" }.last.map { words.contains($0) } ?? false }
    let (busy, calm) = (screens.filter { isBusy($0.id) }, Set(screens.filter { !isBusy($0.id) }.map(\.page)))
    let alone = busy.filter { !calm.contains($0.page) }.map(\.id)
    #expect(busy.count > 2 && alone == [])
  }

  @Test("an element keeps its name when a problem appears above it, and each name is there once")
  func names() {
    let before = screen("a", [.text("Hello", .body), field("x"), .text("Bye", .body), field("y")])
    let after = screen("a", [.text("No", .problem)] + before.elements)
    #expect(after.named.dropFirst().map(\.id) == before.named.map(\.id))
    #expect(Set(after.named.map(\.id)).count == 5)
  }

  @Test("problems, successes and hints of the camera are announced, and nothing else")
  func announced() {
    let camera = ScreenCamera<Int>(
      label: "Card", frame: .card, hint: "Come closer", isReady: false, seen: { _ in 0 }, taken: { _ in 0 })
    let all = screen(
      "a",
      [
        .text("No", .problem), .text("Yes", .success), .text("Note", .note), field("x", problem: "Too long"),
        field("y"), .camera(camera), .progress("One moment"),
      ])
    #expect(all.announced == ["No", "Yes", "Label of x, Too long", "Come closer"])
  }

  @Test("a logo is loaded over HTTPS only")
  func logos() {
    for (address, isShown) in [("https://bank.example/l.png", true), ("http://bank.example/l.png", false)] {
      #expect((ScreenRow<Int>("r", "Bank", logo: URL(string: address), nil).logo != nil) == isShown, "\(address)")
    }
  }

  @Test("an amount is written as its language does, with the currency's code and all that is sent")
  func amounts() throws {
    let (some, exact) = (Decimal(24_101) / 2 / 100, Decimal(1_234_567) / 1000)
    func text(_ language: ScreenLanguage, _ amount: Decimal, _ currency: String) -> String {
      // Blanks and marks of direction are the system's affair.
      ScreenContext.device(language, now: ScreenSpecimen.now).amountText(amount, currency)
        .filter { !$0.isWhitespace && $0 != "\u{200f}" && $0 != "\u{200e}" }
    }
    #expect(text(.english, some, "CAD") == "CAD120.505" && text(.french, some, "CAD") == "120,505CAD")
    #expect(text(.french, 12, "JPY") == "12,00JPY" && text(.french, exact, "KWD") == "1234,567KWD")
    #expect(text(.arabic, some, "CAD").hasSuffix("CAD") && !text(.arabic, some, "CAD").hasPrefix("CAD"))
    #expect(ScreenSpecimen.context.amountText(some, "CAD") == "120.505 CAD")
  }
}
