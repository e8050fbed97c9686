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
      VStack(alignment: .leading, spacing: 0) {
        ScrollView {
          VStack(alignment: .leading, spacing: theme.spacing) {
            if let back = screen.back { ScreenButtonView(button: back, send: send) }
            Text(screen.title).font(.largeTitle).accessibilityAddTraits(.isHeader)
            ForEach(Array(screen.elements.enumerated()), id: \.offset) { _, element in
              ScreenElementView(element: element, parts: parts, send: send)
            }
          }
          .padding()
          .frame(maxWidth: .infinity, alignment: .leading)
        }
        if !screen.tabs.isEmpty { tabs }
      }
      .tint(theme.accent)
      .environment(\.layoutDirection, language.isRightToLeft ? .rightToLeft : .leftToRight)
      .environment(\.locale, Locale(identifier: language.rawValue))
    }

    private var tabs: some View {
      HStack(alignment: .center, spacing: theme.spacing) {
        ForEach(screen.tabs, id: \.id) { tab in
          Button(tab.title, role: nil) { send(tab.event) }
            .font(tab.isSelected ? .headline : .body)
            .accessibilityAddTraits(tab.isSelected ? [.isSelected] : [])
            .accessibilityIdentifier(tab.id)
        }
      }
      .padding()
      .frame(maxWidth: .infinity, alignment: .center)
    }
  }

  /// A button of a screen.
  struct ScreenButtonView<Event: Sendable>: View {
    let button: ScreenButton<Event>
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
        .disabled(!button.isEnabled)
        .accessibilityHint(button.hint)
        .accessibilityIdentifier(button.id)
    }
  }

  /// A field of a screen.
  struct ScreenInputView<Event: Sendable>: View {
    let input: ScreenInput<Event>
    let send: @MainActor (Event) -> Void

    var body: some View {
      VStack(alignment: .leading, spacing: 4) {
        Text(input.label).font(.headline).accessibilityHidden(true)
        field
          .textFieldStyle(.roundedBorder)
          .disabled(!input.isEnabled)
          .accessibilityLabel(input.label)
          .accessibilityHint(input.problem)
          .accessibilityIdentifier(input.id)
        if !input.problem.isEmpty { Text(input.problem).foregroundColor(.red) }
      }
    }

    @ViewBuilder private var field: some View {
      let text = Binding<String>(get: { input.value }, set: { @MainActor typed in send(input.typed(typed)) })
      switch input.kind {
      case .passcode, .password: keyboard(SecureField("", text: text))
      default: keyboard(TextField("", text: text))
      }
    }

    @ViewBuilder private func keyboard(_ field: some View) -> some View {
      #if os(iOS)
        switch input.kind {
        case .passcode: field.keyboardType(.numberPad)
        case .oneTimeCode: field.keyboardType(.numberPad).textContentType(.oneTimeCode)
        case .email: field.keyboardType(.emailAddress).textContentType(.emailAddress)
        case .phone: field.keyboardType(.phonePad).textContentType(.telephoneNumber)
        case .link: field.keyboardType(.URL)
        case .text, .date, .password: field
        }
      #else
        field
      #endif
    }
  }
#endif
