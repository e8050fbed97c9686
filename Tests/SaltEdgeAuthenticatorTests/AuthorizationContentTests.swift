// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import SaltEdgeWire
import TestSupport
import Testing

@testable import SaltEdgeAuthenticator

@Suite("Authenticator: the content of authorizations")
struct AuthorizationContentTests {
  @Test("plain text is text, markup is HTML without anything that runs, loads or leads elsewhere")
  func v1() {
    let plain = AuthorizationContent("Pay 1 < 2 EUR\u{202e}\u{7}\nto A")
    #expect(plain.text == "Pay 1 < 2 EUR\nto A" && plain.html == nil)
    let markup = AuthorizationContent(
      "<body onload=x><p>Pay <b>5</b> EUR <a href='https://evil.example'>now</a></p><script>x()</script><img src=x></body>"
    )
    #expect(markup.text == nil && markup.html == "<p>Pay <b>5</b> EUR now</p>")
  }

  @Test("of v2 every kind of description is shown, fields in their order, and empty ones are not")
  func v2() throws {
    let json = """
      {"text":"t","html":"<p onclick=x>h</p>","payment":{"amount":"5 EUR","payee":"Shop\\u202e","fee":"","exchange_rate":"1"},
       "extra":{"ip":"192.0.2.1","action_date":"Today"},"new":1}
      """
    let content = AuthorizationContent(try WireJSON.decode(SaltEdgeV2.Description.self, from: Data(json.utf8)))
    #expect(content.text == "t" && content.html == "<p>h</p>")
    #expect(content.payment.map(\.key) == ["payee", "amount", "exchange_rate"])
    #expect(content.payment.map(\.value) == ["Shop", "5 EUR", "1"])
    #expect(content.extra.map(\.label) == ["Action date", "Ip"])
    let described = #"{"payment":{"description":"Rent\u202e of May","exchange_rate":"1"}}"#
    let payment = AuthorizationContent(
      try WireJSON.decode(SaltEdgeV2.Description.self, from: Data(described.utf8))
    ).payment
    #expect(payment.map(\.key) == ["exchange_rate", "description"] && payment.map(\.value) == ["1", "Rent of May"])
    #expect(AuthorizationContent(.init(text: "")).text == nil)
  }

  @Test(
    "invisible characters are not shown, whether it is written as a character or as a reference",
    arguments: [
      ("<p>1\u{202e}2\u{200b}3\u{ad}4</p>", "<p>1234</p>"),
      ("<p>1&#x202e;2&#8238;3&#X202Ez&#x0000202e;4&#7;5</p>", "<p>123z45</p>"),
      ("<p>a&lrm;b&rlm;c&zwj;d&zwnj;e&shy;f</p>", "<p>abcdef</p>"),
      // Browsers read this one without its semicolon too, and no other one.
      ("<p>1&shy2&shy 3&shy<b>4</b>&shy&shy;5&shyx;&lrm 6</p>", "<p>12 3<b>4</b>5x;&lrm 6</p>"),
      // What a browser shows stays.
      (
        "<p>A &amp; B & C &euro;5 &#8364;5 &#150; &#x110000; &copy</p>",
        "<p>A &amp; B & C &euro;5 &#8364;5 &#150; &#x110000; &copy</p>"
      ),
      // What goes joins nothing to a new reference.
      ("<p>&#x20&#x202e;2e;</p>", "<p>&#x20;2e;</p>"),
      ("<p>&#x20<img>2e;&l<img>rm;&<img>#x202e;</p>", "<p>&#x20;2e;&amp;lrm;&amp;#x202e;</p>"),
      ("<p>&&#x202e;#x202e;</p>", "<p>&amp;#x202e;</p>"),
    ])
  func invisible(text: String, html: String) {
    #expect(AuthorizationContent(text).html == html)
  }

  @Test("a description of HTML without a tag has no such reference either; plain text is kept to the letter")
  func invisibleWithoutTag() throws {
    let json = ##"{"text":"R & D&","html":"5&#x202e; & EUR"}"##
    let content = AuthorizationContent(try WireJSON.decode(SaltEdgeV2.Description.self, from: Data(json.utf8)))
    #expect(content.text == "R & D&" && content.html == "5 & EUR")
    #expect(SafeHTML.sanitized("R & D&") == "R & D&")
    #expect(PlainText.text("a\u{200f}b\u{feff}c\u{e0041}d\u{2060}\n\t\u{7}e") == "abcd\n\te")
    #expect(PlainText.line("a\n\u{61c}b") == "ab")
  }

  @Test(
    "instants are read as banks write them",
    arguments: [
      ("2026-11-21T06:00:00Z", Int64(1_795_240_800_000)), ("2026-11-21T06:00:00.378Z", 1_795_240_800_378),
      ("2026-11-21T06:00:00.123456789Z", 1_795_240_800_123), ("2026-11-21T06:00:00", 1_795_240_800_000),
      ("2026-11-21T08:00:00+02:00", 1_795_240_800_000), ("2026-11-21T00:30:00.5-0530", 1_795_240_800_500),
      ("2026-11-21 06:00:00 UTC", nil), ("2026-11-21", nil), ("", nil), ("2026-13-21T06:00:00Z", nil),
      ("2026-11-21T06:00:00+2:00", nil), ("2026-11-21T06:00:00.Z", nil), ("2026-11-21T06:00:00+99:00", nil),
      ("2026-11-21T06:00:00Zx", nil), ("２026-11-21T06:00:00Z", nil),
      // In UTC these are in the year 0 and in the year 10000.
      ("0001-01-01T00:00:00+00:01", nil), ("9999-12-31T23:59:59-18:00", nil),
      ("0001-01-01T00:00:00-00:01", -62_135_596_740_000),
    ])
  func instants(text: String, milliseconds: Int64?) {
    #expect(PayloadInstant.read(text)?.millisecondsSince1970 == milliseconds)
  }

  @Test("no text, however strange, is read as an instant that cannot be written again")
  func instantFuzz() {
    var randomness = SeededGenerator(seed: 5)
    let pieces = [
      "2026-11-21", "T", "06:00:00", ".", "123", "Z", "+02:00", "-", ":", "9", "é", "\u{0}", " ", "0001-01-01T01:00:00",
      "9999-12-31T23:00:00", "-02:00",
    ]
    for _ in 0..<5000 {
      let text = (0..<Int(randomness.next() % 9)).map { _ in pieces[Int(randomness.next() % UInt64(pieces.count))] }
        .joined()
      if let instant = PayloadInstant.read(text) { #expect(WireInstant(instant.description) == instant, "\(text)") }
    }
  }
}
