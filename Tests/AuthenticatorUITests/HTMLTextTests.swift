// SPDX-License-Identifier: Apache-2.0

import GatehouseUI
import TestSupport
import Testing

@Suite("Screens: words of HTML that is to be confirmed")
struct HTMLTextTests {
  @Test(
    "tags that only mark text join it, others stand apart, and references are what browsers show",
    arguments: [
      ("<b>1</b>00&nbsp;&euro;", "100 €"), ("12<sup>50</sup> EUR", "12 50 EUR"),
      ("<p>Payee</p><p>ACME</p>", "Payee ACME"),
      ("a<br>b<hr>c", "a b c"), ("<table><tr><td>1</td><td>2</td></tr></table>", "1 2"),
      ("<ul><li>x</li><li>y</li></ul>", "x y"), ("&#8364;1&#x2C;5", "€1,5"), ("&#128;", "€"),
      ("&#0;&#xD800;", "\u{fffd}\u{fffd}"),
      ("&#99999999999999999999;", "\u{fffd}"), ("&pound5 &copy2026", "£5 ©2026"),
      ("&notit; &unknown; &", "¬it; &unknown; &"),
      ("&amp;lt;b&amp;gt;", "&lt;b&gt;"), ("1&shy;0&#x202e;0&zwj;", "100"), ("5 < 10 & 7", "5 < 10 & 7"),
      ("<b>\u{301}x</b>", "\u{301}x"), ("x<!-- y -->z", "xz"), ("&Lstrok;&oacute;d&zacute;", "Łódź"),
      ("&#;&#x;", "&#;&#x;"),
      ("<a href=\"https://bank.example\">he</a>re", "here"), ("text <b", "text"), ("&<b>euro;</b>", "&euro;"),
    ])
  func words(html: String, words: String) { #expect(HTMLText.words(html) == words) }

  @Test("of any text there are words, without a control or format character that it did not have")
  func anything() {
    var generator = SeededGenerator(seed: 20_261_126)
    let pieces = [
      "<", ">", "</", "&", "#", "x", ";", "b", "p", "sup", "1", "0", "80", "202e", "euro", "nbsp", "amp", "lt", " ",
      "\u{301}", "!--", "é", "d800", "99999999999",
    ]
    for _ in 0..<3000 {
      let html = (0..<Int.random(in: 0...14, using: &generator)).map { _ in
        pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      }.joined()
      let words = HTMLText.words(html)
      let invisible = words.unicodeScalars.filter { [.control, .format].contains($0.properties.generalCategory) }
      #expect(invisible.isEmpty && !words.contains("  "), "\(html)")
      // Text without angle brackets and ampersands has nothing to be read.
      let plain = html.unicodeScalars.filter { !["<", ">", "&"].contains($0) }
      let expected = plain.split(separator: " ").map { String($0) }.joined(separator: " ")
      #expect(HTMLText.words(String(plain)) == expected, "\(html)")
    }
  }
}
