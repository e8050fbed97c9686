#if canImport(SwiftUI)
  public import GatehouseUI
  internal import Foundation
  internal import SaltEdgeAuthenticator
  public import SwiftUI

  /// The whole Authenticator. Seconds that are left are counted down once a second.
  public struct AuthenticatorView: View {
    @ObservedObject private var store: ScreenStore<AuthenticatorScreens>
    private let parts: ScreenParts
    private let theme: ScreenTheme

    /// - Parameter store: runs the screens; the app sends `.started` to it.
    public init(_ store: ScreenStore<AuthenticatorScreens>, parts: ScreenParts, theme: ScreenTheme = ScreenTheme()) {
      (self.store, self.parts, self.theme) = (store, parts, theme)
    }

    /// The screen as it stands.
    public var body: some View {
      TimelineView(.periodic(from: Date(timeIntervalSince1970: 0), by: 1)) { timeline in screen(at: timeline.date) }
    }

    private func screen(at date: Date) -> ScreenView<AuthenticatorEvent> {
      ScreenView(
        store.machine.screen(in: context(at: WireInstant(date))), language: store.machine.language, parts: parts,
        theme: theme
      ) { event in store.send(event) }
    }

    private func context(at now: WireInstant) -> ScreenContext {
      let language = store.machine.language
      return ScreenContext(language: language, now: now) { instant in
        instant.date.formatted(
          Date.FormatStyle(date: .abbreviated, time: .omitted, locale: Locale(identifier: language.rawValue)))
      }
    }
  }
#endif
