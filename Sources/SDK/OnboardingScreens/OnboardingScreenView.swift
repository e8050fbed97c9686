#if canImport(SwiftUI)
  internal import Foundation
  public import GatehouseUI
  internal import GatehouseWire
  public import SwiftUI

  /// Any machine of an onboarding. Seconds that are left are counted down once a second.
  public struct OnboardingScreenView<Machine: ScreenMachine>: View {
    @ObservedObject private var store: ScreenStore<Machine>
    private let language: ScreenLanguage
    private let parts: ScreenParts
    private let theme: ScreenTheme

    /// - Parameters:
    ///   - store: runs the screens; the app sends the first event to it.
    ///   - language: of the machine.
    ///   - parts: with the app's camera.
    public init(
      _ store: ScreenStore<Machine>, language: ScreenLanguage, parts: ScreenParts, theme: ScreenTheme = ScreenTheme()
    ) {
      (self.store, self.language, self.parts, self.theme) = (store, language, parts, theme)
    }

    /// The screen as it stands.
    public var body: some View {
      TimelineView(.periodic(from: Date(timeIntervalSince1970: 0), by: 1)) { timeline in screen(at: timeline.date) }
    }

    private func screen(at date: Date) -> ScreenView<Machine.Event> {
      ScreenView(
        store.machine.screen(in: context(at: WireInstant(date))), language: language, parts: parts, theme: theme
      ) { event in store.send(event) }
    }

    private func context(at now: WireInstant) -> ScreenContext {
      let locale = Locale(identifier: language.rawValue)
      return ScreenContext(
        language: language, now: now,
        timeText: { $0.date.formatted(Date.FormatStyle(date: .omitted, time: .shortened, locale: locale)) },
        dateText: { $0.date.formatted(Date.FormatStyle(date: .abbreviated, time: .omitted, locale: locale)) })
    }
  }
#endif
