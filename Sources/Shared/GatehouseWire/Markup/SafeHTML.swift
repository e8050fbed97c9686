// SPDX-License-Identifier: Apache-2.0

/// Makes a bank's text safe to show in an app's web view: a small part of HTML, spelled anew (wultra-onboarding §3 #4,
/// saltedge-authenticator §10.6).
///
/// 1. Text without a tag is plain text and stays as it is, without control characters and references of rule 6. Where it
///    would have a tag without these, rule 5 holds for it too.
/// 2. Elements of `elements` stay, without attributes; `a` keeps an `href` that leads to https, mailto or tel.
/// 3. `script`, `style` and others of `silent` go with everything in them; comments and declarations go.
/// 4. Every other tag goes and its content stays.
/// 5. What stays is closed in order, and `<` and `>` in text are written as entities: nothing that went in as text can
///    come out as a tag.
/// 6. References to control and format characters go (`CharacterReference`).
public enum SafeHTML {
  /// Longer texts are cut off.
  public static let charactersMax = 200_000
  private static let elements: Set<String> = [
    "p", "br", "hr", "b", "strong", "i", "em", "u", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "a",
    "blockquote", "table", "thead", "tbody", "tr", "th", "td", "div", "span", "small", "sub", "sup",
  ]
  private static let empty: Set<String> = ["br", "hr"]
  private static let silent: Set<String> = [
    "script", "style", "iframe", "object", "embed", "template", "noscript", "svg", "math", "title", "head", "textarea",
    "select", "xmp", "plaintext", "noembed", "noframes",
  ]
  private static let depthMax = 100

  /// Whether there is anything in a text that a browser could take for markup.
  public static func isMarkup(_ text: String) -> Bool { HTMLScanner.hasTag(text) }

  /// - Parameter keepsLinks: false takes links out and leaves what they are on.
  public static func sanitized(_ text: String, keepsLinks: Bool = true) -> String {
    // Controls first: one inside a tag's name would hide it.
    let scalars = text.unicodeScalars.prefix(charactersMax).filter { scalar in
      scalar == "\n" || scalar == "\t" || !(scalar.value < 0x20 || (0x7f...0x9f).contains(scalar.value))
    }
    let clean = String(String.UnicodeScalarView(scalars))
    guard HTMLScanner.hasTag(clean) else { return plain(clean) }
    var writer = Writer(keepsLinks: keepsLinks)
    var scanner = HTMLScanner(clean)
    while let token = scanner.next() { writer.write(token) }
    return writer.finished()
  }

  private struct Writer {
    let keepsLinks: Bool
    private var text = ""
    private var open: [String] = []
    /// The element whose content is dropped, until its end tag.
    private var dropped: String?

    init(keepsLinks: Bool) { self.keepsLinks = keepsLinks }

    mutating func write(_ token: HTMLScanner.Token) {
      switch token {
      case .text(let plain) where dropped == nil: text += SafeHTML.escaped(plain)
      case .start(let name, let attributes) where dropped == nil: start(name, attributes)
      case .end(let name) where dropped != nil: if name == dropped { dropped = nil }
      case .end(let name): end(name)
      case .text, .start: break
      }
    }

    private mutating func start(_ name: String, _ attributes: [String: String]) {
      if SafeHTML.silent.contains(name) {
        dropped = name
      } else if SafeHTML.empty.contains(name) {
        text += "<\(name)>"
      } else if name == "a", !keepsLinks {
        return
      } else if SafeHTML.elements.contains(name), open.count < SafeHTML.depthMax {
        let link = name == "a" ? attributes["href"].flatMap(SafeHTML.link) : nil
        text += link.map { #"<a href="\#($0)" rel="noopener noreferrer">"# } ?? "<\(name)>"
        open.append(name)
      }
    }

    private mutating func end(_ name: String) {
      guard open.contains(name) else { return }
      while let last = open.popLast() {
        text += "</\(last)>"
        if last == name { break }
      }
    }

    func finished() -> String { text + open.reversed().map { "</\($0)>" }.joined() }
  }

  private static func escaped(_ text: String) -> String { spelled(text, escapesAngles: true).text }

  /// To the letter, unless there is a reference in it that goes: an app may show it as HTML all the same. What is left
  /// may be a tag then, as of `<&shy;script>`, and its angles are spelled out.
  private static func plain(_ text: String) -> String {
    let result = spelled(text, escapesAngles: false)
    guard result.isCut else { return text }
    return HTMLScanner.hasTag(result.text) ? escaped(text) : result.text
  }

  /// Entities are the text's own spelling, and none of them makes a tag: they stay, except those of invisible
  /// characters.
  private static func spelled(_ text: String, escapesAngles: Bool) -> (text: String, isCut: Bool) {
    var result = ""
    var isCut = false
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "&" {
        let reference = CharacterReference(rest)
        if reference.spelling.isEmpty { isCut = true }
        result += reference.spelling
        rest = reference.rest
        continue
      }
      switch scalar {
      case "<" where escapesAngles: result += "&lt;"
      case ">" where escapesAngles: result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
      rest = rest.dropFirst()
    }
    return (result, isCut)
  }

  /// The address as an attribute: ASCII without quotes; nil when it leads elsewhere.
  private static func link(_ address: String) -> String? {
    let bytes = address.utf8.filter { $0 != 0x20 && $0 != 0x09 && $0 != 0x0a }
    guard bytes.count <= 2000, bytes.allSatisfy({ (0x21...0x7e).contains($0) && !"\"'<>`\\".utf8.contains($0) }) else {
      return nil
    }
    let address = String(decoding: bytes, as: UTF8.self)
    // Up to the first colon, spelled out: an entity is not a scheme.
    let scheme = address.prefix { $0 != ":" }.lowercased()
    return address.contains(":") && ["https", "mailto", "tel"].contains(scheme) ? address : nil
  }
}
