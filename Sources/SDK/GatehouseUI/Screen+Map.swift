// SPDX-License-Identifier: Apache-2.0

extension Screen {
  /// The same screen as a part of a larger app, whose events hold these.
  public func map<Outer: Sendable>(_ wrap: @escaping @Sendable (Event) -> Outer) -> Screen<Outer> {
    Screen<Outer>(
      id: id, title: title, elements: elements.map { $0.map(wrap) }, back: back?.map(wrap),
      tabs: tabs.map { ScreenTab($0.id, $0.title, isSelected: $0.isSelected, wrap($0.event)) })
  }
}

extension ScreenButton {
  func map<Outer: Sendable>(_ wrap: @Sendable (Event) -> Outer) -> ScreenButton<Outer> {
    ScreenButton<Outer>(
      id, title, hint: hint, role: role, isEnabled: isEnabled, wrap(event))
  }
}

extension ScreenElement {
  func map<Outer: Sendable>(_ wrap: @escaping @Sendable (Event) -> Outer) -> ScreenElement<Outer> {
    switch self {
    case .text(let text, let role): .text(text, role)
    case .fact(let label, let value): .fact(label: label, value: value)
    case .copyable(let copyable): .copyable(copyable)
    case .html(let html): .html(html)
    case .input(let input): .input(input.map(wrap))
    case .toggle(let toggle):
      .toggle(
        ScreenToggle<Outer>(toggle.id, toggle.title, isOn: toggle.isOn, isEnabled: toggle.isEnabled) {
          wrap(toggle.turned($0))
        })
    case .button(let button): .button(button.map(wrap))
    case .row(let row):
      .row(
        ScreenRow<Outer>(
          row.id, row.title, detail: row.detail, badge: row.badge, logo: row.logo, row.event.map(wrap)))
    case .progress(let text): .progress(text)
    case .countdown(let countdown): .countdown(countdown)
    case .scanner(let scanner): .scanner(ScreenScanner<Outer>(label: scanner.label) { wrap(scanner.scanned($0)) })
    case .camera(let camera):
      .camera(
        ScreenCamera<Outer>(
          label: camera.label, frame: camera.frame, hint: camera.hint, isReady: camera.isReady,
          seen: { wrap(camera.seen($0)) }, taken: { wrap(camera.taken($0)) }))
    case .picture(let picture): .picture(picture)
    case .page(let page):
      .page(ScreenPage<Outer>(address: page.address, isEnd: page.isEnd) { wrap(page.ended($0)) })
    }
  }
}

extension ScreenInput {
  func map<Outer: Sendable>(_ wrap: @escaping @Sendable (Event) -> Outer) -> ScreenInput<Outer> {
    let typed = typed
    return ScreenInput<Outer>(id, label, kind: kind, value: value, problem: problem, isEnabled: isEnabled) {
      wrap(typed($0))
    }
  }
}
