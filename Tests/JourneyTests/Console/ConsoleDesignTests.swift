// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import HTTPTypes
import Hummingbird
import Kit
import Scheduling
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: words, colours and what pages are drawn with", .onOneEngine, .serialized)
struct ConsoleDesignTests {
  @Test("every word is in every language, with the same values in it")
  func catalogue() throws {
    let english = try #require(PageTexts.catalogue[.english])
    #expect(english.count > 200)
    func holes(_ text: String) -> Set<String> { Set(text.matches(of: #/\{[a-z]+\}/#).map { String($0.output) }) }
    for language in Language.allCases {
      let words = try #require(PageTexts.catalogue[language])
      #expect(Set(words.keys) == Set(english.keys), "\(language)")
      for (key, text) in words {
        #expect(!text.isEmpty && holes(text) == holes(english[key] ?? ""), "\(language) \(key)")
      }
    }
  }

  @Test("a class has its look from one rule: pages of two kinds do not share one by chance")
  func classes() {
    let style = String(decoding: Asset.stylesheet.bytes, as: UTF8.self)
    var seen: Set<Substring> = []
    for rule in style.matches(of: #/^(\.[a-z]+) \{/#.anchorsMatchLineEndings()) {
      #expect(seen.insert(rule.1).inserted, "\(rule.1)")
    }
    #expect(seen.isSuperset(of: [".stage", ".call"]))
  }

  @Test("what texts of strangers stand in is clipped: marks that are stacked on a letter cover no line above them")
  func stackedMarks() throws {
    let style = String(decoding: Asset.stylesheet.bytes, as: UTF8.self)
    let rule = try #require(style.firstMatch(of: #/\n([^{}\n]+) \{[^{}]*overflow-y: clip/#)).1
    let clipped = Set(rule.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
    #expect(clipped.isSuperset(of: ["h1", "h2", "h3", "p", "pre", "li", "dd", "td", "summary", ".row > div"]))
  }

  @Test("the dark is other colours and nothing else, so that no rule of accessibility but theirs is tried again there")
  func themes() {
    let style = String(decoding: Asset.stylesheet.bytes, as: UTF8.self)
    let rules = style.matches(of: #/:root[^{}]*data-theme=(?:dark|light)[^{}]*\{([^{}]*)\}/#)
    #expect(rules.count == 4 && style.ranges(of: "data-theme").count == 4)
    #expect(style.ranges(of: "prefers-color-scheme").count == 1)
    let colour = #/color-scheme: dark|--[a-z-]+: #(?:[0-9a-f]{3}|[0-9a-f]{6})/#
    for declaration in rules.flatMap({ $0.1.split(separator: ";") }) {
      let text = declaration.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(text.isEmpty || text.wholeMatch(of: colour) != nil, "\(text)")
    }
  }

  @Test(
    "a browser's languages count by their weight",
    arguments: [
      (nil, "en"), ("", "en"), ("de", "en"), ("fr-CA,fr;q=0.9,en;q=0.8", "fr"), ("en;q=0.1, ar", "ar"),
      ("ar;q=0, fr;q=0.2", "fr"), (";;q=,,=", "en"), ("de, ar;q=0.5, fr;q=0.5", "ar"),
    ] as [(String?, String)])
  func accepted(header: String?, language: String) {
    #expect(Language(accepting: header).rawValue == language)
  }

  @Test("pages are in the browser's language until another one is chosen, and keep the colours that were chosen")
  func display() async throws {
    try await ConsoleTestApp.run { console in
      func page(_ headers: TransportHeaders) async throws -> String {
        String(decoding: try await console.send("GET", "/console/sign-in", headers: headers).body, as: UTF8.self)
      }
      let arabic = try await page(["accept-language": "ar-KW, en;q=0.5"])
      #expect(arabic.contains(#"<html lang="ar" dir="rtl">"#) && arabic.contains("<h1>تسجيل الدخول</h1>"))
      let chosen = try await page(["accept-language": "ar", "cookie": "gatehouse_display=fr.dark"])
      #expect(chosen.contains(#"<html lang="fr" dir="ltr" data-theme="dark">"#))
      #expect(chosen.contains("<h1>Se connecter</h1>"))
      let odd = try await page(["cookie": "gatehouse_display=xx.\"><script>"])
      #expect(odd.contains(#"<html lang="en" dir="ltr">"#))

      let answer = try await console.send(
        "POST", "/pages/display", headers: ["content-type": "application/x-www-form-urlencoded"],
        body: Data("language=fr&back=%2Fconsole%2Fsign-in".utf8))
      #expect(answer.status == 303 && answer.headers["location"] == "/console/sign-in")
      #expect(answer.headers["set-cookie"]?.hasPrefix("gatehouse_display=fr.;") == true)
      // Browsers tell from where a form comes: another site chooses nothing for the readers of our pages.
      for (site, status) in [("same-origin", 303), ("none", 303), ("same-site", 403), ("cross-site", 403)] {
        let answer = try await console.send(
          "POST", "/pages/display",
          headers: ["content-type": "application/x-www-form-urlencoded", "sec-fetch-site": site],
          body: Data("language=ar".utf8))
        #expect(answer.status == status && (answer.headers["set-cookie"] != nil) == (status == 303), "\(site)")
      }
    }
    try await ConsoleTestApp.run(publicURL: "https://console.bank.example") { console in
      func language(_ cookie: String) async throws -> String {
        let page = try await console.send("GET", "/console/sign-in", headers: ["cookie": cookie])
        return String(decoding: page.body, as: UTF8.self).contains(#"<html lang="fr""#) ? "fr" : "en"
      }
      let (ours, planted) = try await (
        language("__Host-gatehouse_display=fr.dark"), language("gatehouse_display=fr.dark")
      )
      #expect(ours == "fr" && planted == "en")
    }
  }

  @Test(
    "a call's time is by the clock of its institution, which is named",
    arguments: [
      (Language.english, "20:00 Kuwait Time"), (.french, "20:00 heure : Koweït"), (.arabic, "توقيت الكويت"),
    ] as [(Language, String)])
  func zone(language: Language, end: String) throws {
    let text = language.text(Instant(milliseconds: 1_764_262_800_000), by: LocalTime(zone: "Asia/Kuwait"))
    #expect(text.replacing("\u{a0}", with: " ").replacing("\u{202f}", with: " ").hasSuffix(end), "\(text)")
    let utc = try #require(LocalTime(zone: "UTC"))
    #expect(language.text(Instant(milliseconds: 0), by: utc) == language.text(Instant(milliseconds: 0)))
  }

  @Test(
    "a choice leads to a page of this server only",
    arguments: [
      "https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)", "", "/a b",
    ])
  func redirect(back: String) { #expect(DisplayRoutes.local(back) == "/") }

  @Test("a problem is told in the reader's language too")
  func problem() async throws {
    try await ConsoleTestApp.run { console in
      let answer = try await console.send("GET", "/console/nothing", headers: ["accept-language": "fr"])
      #expect(answer.status == 404 && String(decoding: answer.body, as: UTF8.self).contains("<h1>Rien ici</h1>"))
      // Where no part of the server is, browsers are shown a page, and programs a problem.
      let accept: TransportHeaders = ["accept": "text/html,*/*;q=0.8", "accept-language": "fr"]
      let page = try await console.send("GET", "/nothing", headers: accept)
      #expect(page.status == 404 && String(decoding: page.body, as: UTF8.self).contains("<h1>Rien ici</h1>"))
      let program = try await console.send("GET", "/nothing", headers: ["accept": "*/*"])
      #expect(program.status == 404 && program.headers["content-type"]?.hasPrefix("application/problem+json") == true)
      let approval = try await console.send("GET", "/api/authenticator/approval?session=s", headers: accept)
      #expect(approval.status == 404 && String(decoding: approval.body, as: UTF8.self).contains("<h1>Rien ici</h1>"))
      let rubix = try await console.send("GET", "/api/v1/onboarding/nothing", headers: accept)
      #expect(rubix.headers["content-type"]?.hasPrefix("application/problem+json") == true)
    }
  }

  @Test("the page of a device that waits looks at its own address", arguments: ["/x?session=s", "/x?session=s&look=1"])
  func look(path: String) throws {
    let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: path)
    let display = Display(Request(head: head, body: RequestBody(buffer: .init())), isSecure: false)
    let html = try Display.$current.withValue(display) { try LinkApprovalPage().html() }
    #expect(html.contains(#"data-look="/x?session=s&amp;look=1""#) && !html.contains("look=1&amp;look=1"))
    #expect(LinkApprovalPage.policy.contains("connect-src 'self'"))
  }

  @Test("what takes long to compare is not looked at in the headers, which are read before a request of it is refused")
  func marks() {
    func display(_ count: Int) -> Display {
      let marks = String(repeating: "\u{301}", count: count)
      let head = HTTPRequest(
        method: .get, scheme: nil, authority: nil, path: "/console",
        headerFields: [
          .accept: "text/html,a\(marks)", .acceptLanguage: "fr,a\(marks)",
          .cookie: "a\(marks)=1; gatehouse_display=.dark",
        ])
      return Display(Request(head: head, body: RequestBody(buffer: .init())), isSecure: false)
    }
    let (few, many) = (display(30), display(31))
    #expect(few.asksForPage && few.language == .french && few.theme == .dark)
    #expect(!many.asksForPage && many.language == .english && many.theme == nil)
  }

  @Test("what pages load has a name of its content, is kept for a year, and answers HEAD")
  func assets() async throws {
    try await ConsoleTestApp.run { console in
      #expect(Set(Asset.all.map(\.name)).count == Asset.all.count)
      for asset in Asset.all {
        #expect(asset.bytes.count < 100 * 1024)
        let answer = try await console.send("GET", asset.path)
        #expect(answer.status == 200 && answer.body == Data(asset.bytes))
        #expect(answer.headers["cache-control"] == "public, max-age=31536000, immutable")
        let head = try await console.send("HEAD", asset.path)
        #expect(head.status == 200 && head.body.isEmpty && head.headers["etag"] == answer.headers["etag"])
      }
      #expect(try await console.send("GET", "/assets/gatehouse-0.css").status == 404)
    }
  }

  @Test("every page names the icon that is served, and `/favicon.ico` is no refusal, which counts as five requests")
  func icon() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn()
      try await browser.open("/console/account")
      #expect(!console.pages.isEmpty)
      for page in console.pages {
        let html = String(decoding: page.body, as: UTF8.self)
        #expect(html.contains("<link rel=\"icon\" type=\"image/svg+xml\" href=\"\(Asset.icon.path)\">"))
        #expect(page.headers["content-security-policy"]?.contains("img-src 'self'") == true)
      }
      for path in [Asset.icon.path, "/favicon.ico"] {
        let answer = try await console.send("GET", path)
        #expect(answer.status == 200 && answer.body == Data(Asset.icon.bytes))
        #expect(answer.headers["content-type"] == "image/svg+xml")
        #expect(answer.headers["cache-control"]?.hasPrefix("public, max-age=") == true)
      }
      #expect(try await console.send("HEAD", "/favicon.ico").status == 200)
    }
  }

  @Test("no page has style or script of its own, or loads anything from elsewhere")
  func strict() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn()
      try await browser.open("/console/account")
      for page in console.pages {
        let html = String(decoding: page.body, as: UTF8.self)
        let policy = try #require(page.headers["content-security-policy"])
        #expect(!policy.contains("unsafe") && policy.contains("style-src 'self'"))
        for word in ["<style", " style=", "<script>", "javascript:", "onclick"] { #expect(!html.contains(word)) }
        for match in html.matches(of: #/(src|href)="([^"]+)"/#) {
          #expect(match.2.first == "/" || match.2.first == "#")
        }
        #expect(html.utf8.count <= 100 * 1024)
        for part in ["<main id=\"main\"", "class=\"skip\"", "<header", "<footer"] { #expect(html.contains(part)) }
      }
    }
  }
}
