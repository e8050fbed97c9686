// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  internal import Foundation
  public import SwiftUI

  /// Draws any screen. Texts follow the size that the user has set, nothing moves by itself but the bar of a countdown,
  /// and the direction is that of the language.
  public struct ScreenView<Event: Sendable>: View {
    private let screen: Screen<Event>
    private let language: ScreenLanguage
    private let parts: ScreenParts
    private let theme: ScreenTheme
    private let send: @MainActor (Event) -> Void

    /// - Parameter send: takes what the user does.
    public init(
      _ screen: Screen<Event>, language: ScreenLanguage, parts: ScreenParts, theme: ScreenTheme = ScreenTheme(),
      send: @escaping @MainActor (Event) -> Void
    ) {
      (self.screen, self.language, self.parts, self.theme, self.send) = (screen, language, parts, theme, send)
    }

    /// The screen, with the way back above and the sections below.
    public var body: some View {
      let announced = screen.announced
      VStack(alignment: .leading, spacing: 0) {
        ScrollView {
          VStack(alignment: .leading, spacing: theme.spacing) {
            if let back = screen.back { ScreenButtonView(button: back, theme: theme, send: send) }
            if let logo = theme.logo {
              logo.resizable().scaledToFit().frame(maxHeight: theme.logoHeight).accessibilityHidden(true)
            }
            ScreenTitleView(title: screen.title, font: theme.fonts.title, isLedTo: announced.isEmpty)
            ForEach(screen.named, id: \.id) { one in
              ScreenElementView(element: one.element, parts: parts, theme: theme, send: send)
            }
          }
          .padding()
          .frame(maxWidth: .infinity, alignment: .leading)
        }
        .onAppear { ScreenAnnouncement.page(screen.title, announced) }
        .onChange(of: announced) { [announced] new in
          ScreenAnnouncement.post(new.filter { !announced.contains($0) })
        }
        // A page begins at its top, with its title; what happens on it moves nothing.
        .id(screen.page)
        if !screen.tabs.isEmpty { tabs }
      }
      .font(theme.fonts.body)
      .tint(theme.accent)
      .environment(\.layoutDirection, language.isRightToLeft ? .rightToLeft : .leftToRight)
      .environment(\.locale, Locale(identifier: language.rawValue))
    }

    /// Beside each other, or below each other where large letters leave no room for that.
    private var tabs: some View {
      ViewThatFits(in: .horizontal) {
        HStack(alignment: .center, spacing: theme.spacing) { tabButtons }
        VStack(alignment: .center, spacing: theme.spacing) { tabButtons }
      }
      .padding()
      .frame(maxWidth: .infinity, alignment: .center)
    }

    private var tabButtons: some View {
      ForEach(screen.tabs, id: \.id) { tab in
        Button(tab.title, role: nil) { send(tab.event) }
          .font(tab.isSelected ? theme.fonts.heading : theme.fonts.body)
          .accessibilityAddTraits(tab.isSelected ? [.isSelected] : [])
          .accessibilityIdentifier(tab.id)
      }
    }
  }

  /// A button of a screen.
  struct ScreenButtonView<Event: Sendable>: View {
    let button: ScreenButton<Event>
    let theme: ScreenTheme
    let send: @MainActor (Event) -> Void

    var body: some View {
      if button.role == .primary {
        plain.buttonStyle(.borderedProminent)
      } else {
        plain.buttonStyle(.bordered)
      }
    }

    private var plain: some View {
      Button(button.title, role: button.role == .destructive ? ButtonRole.destructive : nil) { send(button.event) }
        .buttonBorderShape(shape)
        .disabled(!button.isEnabled)
        .accessibilityHint(button.hint)
        .accessibilityIdentifier(button.id)
    }

    private var shape: ButtonBorderShape {
      if #available(macOS 14.0, *) { return theme.cornerRadius.map { .roundedRectangle(radius: $0) } ?? .automatic }
      return .automatic
    }
  }
#endif
