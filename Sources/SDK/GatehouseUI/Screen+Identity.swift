// SPDX-License-Identifier: Apache-2.0

/// What a view needs to tell what is new from what was there before.
extension Screen {
  /// What the last words of an id say of a page: something is under way on it, or was answered.
  private static var passing: Set<Substring> {
    [
      "active", "again", "asking", "booking", "busy", "checking", "confirming", "connected", "connecting", "denying",
      "empty", "ended", "erasing", "failed", "first", "following", "form", "heard", "keying", "list", "listed",
      "loading", "locked", "made", "more", "none", "not", "offered", "reading", "registering", "reset", "reviewing",
      "sending", "sent", "setting", "shown", "submitting", "taken", "working",
    ]
  }

  /// Names the page that is shown. While it stays the same, a view keeps its fields and where it is scrolled to;
  /// another one is shown from its top. So a call begins on the page that it was asked for on.
  var page: String {
    var words = id.split { $0 == "." || $0 == "-" }
    while words.count > 1, let last = words.last, Self.passing.contains(last) { words.removeLast() }
    return words.joined(separator: ".") + "\n" + title
  }

  /// The elements with names that stay theirs while others come and go, such as a problem above a field.
  var named: [NamedElement<Event>] {
    var counts: [String: Int] = [:]
    return elements.map { element in
      let count = counts[element.name, default: 0]
      counts[element.name] = count + 1
      return NamedElement(id: "\(element.name) \(count)", element: element)
    }
  }

  /// What is read aloud as soon as it is there.
  var announced: [String] {
    elements.compactMap { element in
      switch element {
      case .text(let text, let role): role == .problem || role == .success ? text : nil
      case .input(let input): input.problem.isEmpty ? nil : "\(input.label), \(input.problem)"
      case .camera(let camera): camera.hint
      default: nil
      }
    }
  }
}

/// An element with a name of its own on its screen.
struct NamedElement<Event: Sendable>: Sendable {
  let id: String
  let element: ScreenElement<Event>
}

extension ScreenElement {
  /// Of the element among those of its kind; texts share one for each role.
  fileprivate var name: String {
    switch self {
    case .text(_, let role): "text \(role.rawValue)"
    case .fact(let label, _): "fact \(label)"
    case .copyable(let copyable): "copyable \(copyable.id)"
    case .html: "html"
    case .input(let input): "input \(input.id)"
    case .toggle(let toggle): "toggle \(toggle.id)"
    case .button(let button): "button \(button.id)"
    case .row(let row): "row \(row.id)"
    case .progress: "progress"
    case .countdown: "countdown"
    case .scanner: "scanner"
    case .camera: "camera"
    case .picture: "picture"
    case .page: "page"
    }
  }
}
