// SPDX-License-Identifier: Apache-2.0

import SwiftUI
import UIKit

/// Covers what is shown as soon as the app is not in front, so that the system's picture of it in the list of apps is
/// empty.
struct PrivateWhenAway<Content: View>: View {
  let content: Content
  @Environment(\.scenePhase) private var phase

  init(@ViewBuilder _ content: () -> Content) { self.content = content() }

  var body: some View {
    content.overlay(alignment: .center) {
      if phase != .active { Color(uiColor: .systemBackground).ignoresSafeArea() }
    }
  }
}
