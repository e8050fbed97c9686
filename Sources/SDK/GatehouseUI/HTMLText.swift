// SPDX-License-Identifier: Apache-2.0

/// The words of checked HTML, for where no web view is.
public enum HTMLText {
  /// Elements that stand apart from the text around them. Raised and lowered text does, too: the cents of an amount
  /// would become a part of its whole number.
  private static let apart: Set<String> = [
    "address", "article", "aside", "blockquote", "br", "caption", "dd", "details", "div", "dl", "dt", "figure",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol", "p", "pre",
    "section", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
  ]

  /// - Returns: the text between the tags, with single blanks, and with the characters that references stand for. Text
  ///   goes on through tags that only mark it, such as `b`: `<b>1</b>00` is 100.
  public static func words(_ html: String) -> String {
    // By scalars: a mark that combines with an angle bracket does not hide it.
    var text = String.UnicodeScalarView()
    var rest = html.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "<", let tag = tag(rest) {
        if apart.contains(tag.name) { text.append(" ") }
        rest = tag.rest
      } else if scalar == "&", let reference = HTMLReference(rest) {
        text.append(contentsOf: reference.character)
        rest = reference.rest
      } else {
        text.append(scalar)
        rest = rest.dropFirst()
      }
    }
    return text.split { $0.properties.isWhitespace }.map { String($0) }.joined(separator: " ")
  }

  /// - Parameter text: begins with an angle bracket.
  /// - Returns: nil when it begins no tag (HTML Living Standard §13.2.5.6); the name is empty for a comment.
  private static func tag(
    _ text: Substring.UnicodeScalarView
  ) -> (name: String, rest: Substring.UnicodeScalarView)? {
    var inside = text.dropFirst()
    let isMarkup = inside.first == "!" || inside.first == "?"
    if inside.first == "/" { inside = inside.dropFirst() }
    let name = String(inside.prefix { HTMLReference.isLetterOrDigit($0) }).lowercased()
    guard isMarkup || name.first.map({ !$0.isNumber }) == true else { return nil }
    return (isMarkup ? "" : name, inside.drop { $0 != ">" }.dropFirst())
  }
}
