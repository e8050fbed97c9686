// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  internal import SwiftUI
  #if canImport(UIKit)
    internal import UIKit
  #elseif canImport(AppKit)
    internal import AppKit
  #endif

  /// A value with a button that puts it on the clipboard.
  struct ScreenCopyableView: View {
    let copyable: ScreenCopyable
    let fonts: ScreenFonts

    /// What was copied: another value on the same screen was not.
    @State private var last = ""

    var body: some View {
      HStack(alignment: .center, spacing: 12) {
        VStack(alignment: .leading, spacing: 2) {
          Text(copyable.label).font(fonts.note).foregroundColor(.secondary)
          Text(copyable.value)
        }
        .accessibilityElement(children: .combine)
        Button(
          action: { copy() }, label: { Text(last == copyable.copied ? copyable.done : copyable.action) }
        )
        .accessibilityIdentifier(copyable.id)
      }
    }

    private func copy() {
      #if canImport(UIKit)
        UIPasteboard.general.string = copyable.copied
      #elseif canImport(AppKit)
        NSPasteboard.general.clearContents()
        NSPasteboard.general.setString(copyable.copied, forType: .string)
      #endif
      last = copyable.copied
    }
  }
#endif
