// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  internal import Foundation
  internal import SwiftUI
  #if canImport(UIKit)
    internal import UIKit
  #endif

  /// What assistive technologies read aloud without being led to it.
  enum ScreenAnnouncement {
    /// - Parameter isQueued: whether what is being read is read to its end before, such as the title of a new screen.
    @MainActor static func post(_ texts: [String], isQueued: Bool) {
      guard !texts.isEmpty else { return }
      #if os(iOS)
        let text = NSAttributedString(
          string: texts.joined(separator: "\n"), attributes: [.accessibilitySpeechQueueAnnouncement: isQueued])
        UIAccessibility.post(notification: .announcement, argument: text)
      #else
        // The systems before it have no such call for SwiftUI.
        if #available(macOS 14.0, *) { AccessibilityNotification.Announcement(texts.joined(separator: "\n")).post() }
      #endif
    }
  }

  /// The title of a page, to which assistive technologies are led when the page comes up.
  struct ScreenTitleView: View {
    let title: String
    let font: Font
    @AccessibilityFocusState private var isFocused: Bool

    var body: some View {
      Text(title)
        .font(font)
        .accessibilityAddTraits(.isHeader)
        .accessibilityFocused($isFocused)
        // Not while it appears: what is not on the screen yet cannot be focused.
        .task { isFocused = true }
    }
  }
#endif
