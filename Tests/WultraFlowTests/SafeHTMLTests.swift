// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import Testing
import TestSupport

@Suite("A bank's text is safe to show", .storeless)
struct SafeHTMLTests {
  @Test(
    "what stays, and what goes",
    arguments: [
      ("Plain & simple, 1 < 2.", "Plain & simple, 1 < 2."),
      ("two\nlines\u{7}", "two\nlines"),
      ("<p>a<b>b</b></p>", "<p>a<b>b</b></p>"),
      ("<P CLASS=x onclick='y'>a</P>", "<p>a</p>"),
      ("<p>a<br/>b<hr>", "<p>a<br>b<hr></p>"),
      ("<p>a</b></p>", "<p>a</p>"),
      ("<b><i>a</b>b</i>", "<b><i>a</i></b>b"),
      ("a<script>alert(1)</script>b", "ab"),
      ("a<script>x</scr<b>ipt>y</script>b", "ab"),
      ("<style>p{}</style><p>a</p>", "<p>a</p>"),
      ("<svg><p>a</p></svg>b", "b"),
      ("<!-- <p>a</p> -->b", "b"),
      ("<!-- never ends", ""),
      ("<!DOCTYPE html><html><body><p>a</p></body></html>", "<p>a</p>"),
      ("<img src=x onerror=alert(1)>a", "a"),
      (
        "<a href=\"https://bank.example/a?b=1&amp;c=2\">x</a>",
        "<a href=\"https://bank.example/a?b=1&amp;c=2\" rel=\"noopener noreferrer\">x</a>"
      ),
      ("<a href='mailto:a@b.example'>x</a>", "<a href=\"mailto:a@b.example\" rel=\"noopener noreferrer\">x</a>"),
      ("<a href=\"javascript:alert(1)\">x</a>", "<a>x</a>"),
      ("<a href=\"java\tscript:alert(1)\">x</a>", "<a>x</a>"),
      ("<a href=\"&#106;avascript:alert(1)\">x</a>", "<a>x</a>"),
      ("<a href=\"//evil.example\">x</a>", "<a>x</a>"),
      ("<a href='https://a\" onclick=\"x'>x</a>", "<a>x</a>"),
      ("<a href=\"https://a\"\u{301} onclick=x>x</a>", "<a href=\"https://a\" rel=\"noopener noreferrer\">x</a>"),
      ("<b\u{301} onclick=x>a</b\u{301}>", "a"),
      ("<p>1 < 2 > 0</p>", "<p>1 &lt; 2 &gt; 0</p>"),
      ("<<p>script>alert(1)<</p>/script>", "&lt;<p>script&gt;alert(1)&lt;</p>/script&gt;"),
      ("<p title=\"a>b\">c</p>", "<p>c</p>"),
      ("<p title=\"never ends", ""),
    ])
  func cases(text: String, safe: String) {
    let sanitized = SafeHTML.sanitized(text)
    #expect(sanitized == safe || (text.contains("never ends") && !sanitized.contains("never")), "\(sanitized)")
  }

  @Test("of any text, nothing but the allowed tags comes out, and they are closed in order")
  func fuzz() {
    let pieces = [
      "<", ">", "/", "=", "\"", "'", " ", "a", "b", "p", "script", "style", "on", "click", "href", "javascript:",
      "https://x", "<!--", "-->", "&lt;", "&#60;", "&shy;", "&#8205;", "\u{301}", "\u{200d}", "\n", "<p>", "</p>",
      "<a href=", "<b", "</",
    ]
    var randomness = SeededGenerator(seed: 9)
    let allowed = /<\/?(p|b|a|br|hr|i|u|em|strong)>|<a href="[!-~&&[^"<>]]*" rel="noopener noreferrer">/
      .matchingSemantics(.unicodeScalar)
    for _ in 0..<3000 {
      let text = (0..<Int(randomness.next() % 25)).map { _ in pieces[Int(randomness.next() % UInt64(pieces.count))] }
        .joined()
      let safe = SafeHTML.sanitized(text)
      guard HTMLScanner.hasTag(text) else {
        #expect(!HTMLScanner.hasTag(safe), "\(text) became \(safe)")
        continue
      }
      let rest = safe.replacing(allowed, with: "")
      #expect(!rest.unicodeScalars.contains("<"), "\(text) became \(safe)")
      #expect(!rest.unicodeScalars.contains(">"), "\(text) became \(safe)")
      #expect(SafeHTML.sanitized(safe) == safe, "\(text)")
    }
  }

  @Test(
    "a text without a tag has none either when references to invisible characters are gone",
    arguments: [
      ("<&shy;script>alert(1)<&shy;/script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
      ("<&#173;img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
      ("1 <&zwj;b>", "1 &lt;b&gt;"), ("<&lrm;!-- a", "&lt;!-- a"), ("1 < 2&shy;3", "1 < 23"),
    ])
  func cutReferences(_ text: String, _ safe: String) {
    for keepsLinks in [true, false] { #expect(SafeHTML.sanitized(text, keepsLinks: keepsLinks) == safe) }
    #expect(!SafeHTML.isMarkup(safe))
  }

  @Test("links go, and what they are on stays, where nothing may be tapped")
  func links() {
    let text = #"<p>a <a href="https://bank.example">b</a></p>"#
    #expect(SafeHTML.sanitized(text, keepsLinks: false) == "<p>a b</p>")
    #expect(SafeHTML.isMarkup(text) && !SafeHTML.isMarkup("1 < 2 & 3 > 2"))
  }

  @Test("a very deep or long text is cut off")
  func limits() {
    let deep = SafeHTML.sanitized(String(repeating: "<b>", count: 5000))
    #expect(deep.count == 100 * 7)
    #expect(SafeHTML.sanitized(String(repeating: "a", count: 300_000)).count == SafeHTML.charactersMax)
  }
}
