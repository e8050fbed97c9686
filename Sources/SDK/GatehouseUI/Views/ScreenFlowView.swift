// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  internal import Foundation
  internal import GatehouseWire
  public import SwiftUI

  /// A whole flow of screens. Seconds that are left are counted down once a second.
  public struct ScreenFlowView<Machine: ScreenFlow>: View {
    @ObservedObject private var store: ScreenStore<Machine>
    private let parts: ScreenParts
    private let theme: ScreenTheme

    /// - Parameters:
    ///   - store: runs the screens; the app sends the first event to it.
    ///   - parts: with the app's camera, where the flow shows one.
    public init(_ store: ScreenStore<Machine>, parts: ScreenParts, theme: ScreenTheme = ScreenTheme()) {
      (self.store, self.parts, self.theme) = (store, parts, theme)
    }

    /// The screen as it stands.
    public var body: some View {
      TimelineView(.periodic(from: Date(timeIntervalSince1970: 0), by: 1)) { timeline in screen(at: timeline.date) }
    }

    private func screen(at date: Date) -> ScreenView<Machine.Event> {
      ScreenView(
        store.machine.screen(in: .device(store.machine.language, now: WireInstant(date))),
        language: store.machine.language, parts: parts, theme: theme
      ) { event in store.send(event) }
    }
  }
#endif
