// SPDX-License-Identifier: Apache-2.0

extension Screen {
  /// The screen as plain text, for a terminal, for a reviewer and for tests. What can be done stands in brackets with
  /// its id, by which a terminal is told to do it.
  /// - Parameter showsIDs: false leaves ids out, as a person sees it.
  public func text(showsIDs: Bool = true) -> String {
    var lines: [String] = []
    func name(_ id: String) -> String { showsIDs ? " (\(id))" : "" }
    if let back { lines.append("< \(back.title)\(name(back.id))") }
    lines.append("# \(title)")
    for element in elements { lines += element.lines(name) }
    if !tabs.isEmpty {
      lines.append(tabs.map { ($0.isSelected ? "*" : "") + $0.title + name($0.id) }.joined(separator: " | "))
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension ScreenElement {
  fileprivate func lines(_ name: (String) -> String) -> [String] {
    switch self {
    case .text(let text, let role):
      let mark =
        switch role {
        case .heading: "## "
        case .problem: "! "
        case .success: "+ "
        case .note: "- "
        case .body: ""
        }
      return text.split(separator: "\n", omittingEmptySubsequences: false).map { mark + $0 }
    case .fact(let label, let value): return ["\(label): \(value)"]
    case .copyable(let copyable): return ["\(copyable.label): \(copyable.value) [ \(copyable.action) ]"]
    case .html(let html): return [HTMLText.words(html)]
    case .input(let input):
      let problem = input.problem.isEmpty ? [] : ["! \(input.problem)"]
      return ["\(input.label): [\(input.shown)]\(name(input.id))"] + problem
    case .toggle(let toggle): return ["[\(toggle.isOn ? "x" : " ")] \(toggle.title)\(name(toggle.id))"]
    case .button(let button):
      let title =
        switch button.role {
        case .primary: "[[ \(button.title) ]]"
        case .plain: "[ \(button.title) ]"
        case .destructive: "[! \(button.title) !]"
        }
      return [(button.isEnabled ? title : title + " off") + name(button.id)]
    case .row(let row):
      let parts = [row.title, row.detail].filter { !$0.isEmpty }.joined(separator: " · ")
      return ["> \(parts)\(row.badge.isEmpty ? "" : " [\(row.badge)]")\(row.event == nil ? "" : name(row.id))"]
    case .progress(let text): return ["… \(text)"]
    case .countdown(let countdown): return ["\(countdown.label): \(countdown.secondsLeft)/\(countdown.seconds) s"]
    case .scanner(let scanner): return ["camera: \(scanner.label)\(name("scan"))"]
    case .camera(let camera):
      return [
        "camera, \(camera.frame): \(camera.label)\(name("camera"))",
        "\(camera.isReady ? "+" : "-") \(camera.hint)",
      ]
    case .picture(let picture): return ["picture: \(picture.label)"]
    case .page(let page): return ["page: \(page.address)\(name("page"))"]
    }
  }
}

extension ScreenInput {
  /// What is visible of the value: of a passcode or password its length only.
  public var shown: String {
    if kind == .password || kind == .newPassword { return String(repeating: "•", count: value.count) }
    guard case .passcode(let digits) = kind else { return value }
    let typed = min(value.count, digits)
    return String(repeating: "•", count: typed) + String(repeating: "_", count: digits - typed)
  }
}
