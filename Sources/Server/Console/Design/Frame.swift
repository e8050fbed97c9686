// SPDX-License-Identifier: Apache-2.0

import Mustache

/// What the one frame of all pages shows around them.
struct Frame {
  struct Choice {
    let code: String
    let label: String
    let isOn: Bool
  }

  let language: String
  let direction: String
  let theme: String?
  let isBank: Bool
  let name: String
  let note: String?
  let home: String
  let stylesheet = Asset.stylesheet.path
  let icon = Asset.icon.path
  let scripts: [String]
  let path: String
  let languages: [Choice]
  let themes: [Choice]

  /// - Parameter isTranslated: whether the page is in every language, so that one can be chosen.
  init(_ brand: Brand, scripts: [Asset], isTranslated: Bool, for display: Display) {
    let (chosen, theme) = (display.language, display.theme)
    (language, direction, self.theme) = (chosen.rawValue, chosen.direction, theme?.rawValue)
    (isBank, path, self.scripts) = (brand == .bank, display.path ?? "/", scripts.map(\.path))
    (name, home) =
      switch brand {
      case .product: ("Gatehouse", "/")
      case .desk: (PageTexts.text("desk", in: chosen), "/console")
      case .bank: ("Demo bank", "/demo-bank")
      }
    note = brand == .bank ? "For trying the Authenticator. No money moves here." : nil
    languages =
      isTranslated
      ? Language.allCases.map { Choice(code: $0.rawValue, label: $0.label, isOn: $0 == chosen) } : []
    themes =
      [Choice(code: "", label: PageTexts.text("theme_system", in: chosen), isOn: theme == nil)]
      + Display.Theme.allCases.map {
        Choice(code: $0.rawValue, label: PageTexts.text("theme_\($0.rawValue)", in: chosen), isOn: $0 == theme)
      }
  }
}

/// What a template sees: the page's properties, its frame as `frame`, and the words of its language as `t`.
struct Framed: MustacheParent {
  private let page: any Page
  private let frame: Frame

  init(_ page: any Page, _ frame: Frame) { (self.page, self.frame) = (page, frame) }

  func child(named name: String) -> Any? {
    switch name {
    case "frame": frame
    case "t": PageTexts.Keys()
    default: Mirror(reflecting: page).children.first { $0.label == name }.flatMap { Self.unwrapped($0.value) }
    }
  }

  /// Mustache asks whether there is something, and an optional is always something.
  private static func unwrapped(_ value: Any) -> Any? {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional ? mirror.children.first?.value : value
  }
}
