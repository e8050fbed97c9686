// SPDX-License-Identifier: Apache-2.0

/// A mail's text as a page (HTML): the same words, so that the two never say different things.
///
/// 1. An empty line parts paragraphs; a line break is one.
/// 2. The page says which way it is written (`dir`); values stand in `<bdi>`, which isolates them.
/// 3. A paragraph that is a code is large; one that is a link can be followed, if it is HTTPS or of this machine.
/// 4. No style sheet, script, picture or other address: nothing is fetched, so that reading it is not reported.
struct MailPage {
  let html: String

  /// - Throws: `TextTemplateError` when a value is missing.
  init(
    _ template: TextTemplate, _ values: [String: String], _ direction: TextDirection, language: String
  ) throws {
    var paragraphs: [[TextTemplate.Piece]] = [[]]
    for piece in template.pieces {
      guard case .text(let text) = piece else {
        paragraphs[paragraphs.count - 1].append(piece)
        continue
      }
      let parts = text.split(separator: "\n\n", omittingEmptySubsequences: false).map(String.init)
      for (index, part) in parts.enumerated() {
        if index > 0 { paragraphs.append([]) }
        if !part.isEmpty { paragraphs[paragraphs.count - 1].append(.text(part)) }
      }
    }
    let body = try paragraphs.filter { !$0.isEmpty }.map { try Self.paragraph($0, values) }.joined(separator: "\n")
    html = """
      <!DOCTYPE html>
      <html lang="\(language)" dir="\(direction.rawValue)">
      <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"></head>
      <body dir="\(direction.rawValue)" style="font-family:sans-serif;line-height:1.5;max-width:36em;margin:1em">
      \(body)
      </body>
      </html>

      """
  }

  private static func paragraph(_ pieces: [TextTemplate.Piece], _ values: [String: String]) throws -> String {
    if pieces.count == 1, case .hole("code") = pieces[0] {
      let code = escaped(try value("code", values))
      return #"<p style="font-size:1.6em;letter-spacing:.15em"><bdi dir="ltr">\#(code)</bdi></p>"#
    }
    let inside = try pieces.map { piece in
      switch piece {
      case .text(let text): return escaped(text).replacing("\n", with: "<br>\n")
      case .hole("link"): return link(try value("link", values))
      case .hole(let name): return "<bdi>\(escaped(try value(name, values)))</bdi>"
      }
    }.joined()
    return "<p>\(inside)</p>"
  }

  private static func link(_ address: String) -> String {
    let text = escaped(address)
    let ours = ["https://", "http://127.0.0.1", "http://localhost"]
    guard ours.contains(where: { address.hasPrefix($0) }) else { return #"<bdi dir="ltr">\#(text)</bdi>"# }
    return #"<a href="\#(text)" dir="ltr">\#(text)</a>"#
  }

  private static func value(_ name: String, _ values: [String: String]) throws -> String {
    guard let value = values[name] else { throw TextTemplateError.missing(name) }
    return value
  }

  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
  }
}
