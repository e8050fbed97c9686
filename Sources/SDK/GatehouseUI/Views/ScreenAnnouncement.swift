// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  internal import Foundation
  internal import SwiftUI
  #if canImport(UIKit)
    internal import UIKit
  #endif

  /// What assistive technologies read aloud without being led to it.
  enum ScreenAnnouncement {
    /// What came up on a page.
    @MainActor static func post(_ texts: [String]) {
      guard !texts.isEmpty else { return }
      #if os(iOS)
        UIAccessibility.post(notification: .announcement, argument: texts.joined(separator: "\n"))
      #else
        // The systems before it have no such call for SwiftUI.
        let text = texts.joined(separator: "\n")
        if #available(iOS 17.0, macOS 14.0, *) { AccessibilityNotification.Announcement(text).post() }
      #endif
    }

    /// A page that came up with something to tell: its title and that as one, since reading a title that gets the focus
    /// would cut an announcement off.
    @MainActor static func page(_ title: String, _ texts: [String]) {
      guard !texts.isEmpty else { return }
      #if os(iOS)
        UIAccessibility.post(notification: .screenChanged, argument: ([title] + texts).joined(separator: "\n"))
      #else
        post([title] + texts)
      #endif
    }
  }

  /// The title of a page.
  struct ScreenTitleView: View {
    let title: String
    let font: Font
    /// Whether assistive technologies are led to it when the page comes up.
    let isLedTo: Bool
    @AccessibilityFocusState private var isFocused: Bool

    var body: some View {
      Text(title)
        .font(font)
        .accessibilityAddTraits(.isHeader)
        .accessibilityFocused($isFocused)
        // Not while it appears: what is not on the screen yet cannot be focused.
        .task { isFocused = isLedTo }
    }
  }
#endif
