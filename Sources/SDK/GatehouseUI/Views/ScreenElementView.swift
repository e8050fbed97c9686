// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  internal import SwiftUI
  #if canImport(UIKit)
    internal import UIKit
  #endif

  /// A part of a screen.
  struct ScreenElementView<Event: Sendable>: View {
    let element: ScreenElement<Event>
    let parts: ScreenParts
    let theme: ScreenTheme
    let send: @MainActor (Event) -> Void

    @ViewBuilder var body: some View {
      switch element {
      case .text(let text, let role): ScreenTextView(text: text, role: role, fonts: theme.fonts)
      case .fact(let label, let value):
        VStack(alignment: .leading, spacing: 2) {
          Text(label).font(theme.fonts.note).foregroundColor(.secondary)
          Text(value)
        }
        .accessibilityElement(children: .combine)
      case .copyable(let copyable): ScreenCopyableView(copyable: copyable, fonts: theme.fonts)
      // Without a web view nothing of it can be loaded or run.
      case .html(let html): Text(HTMLText.words(html))
      case .input(let input): ScreenInputView(input: input, theme: theme, send: send)
      case .toggle(let toggle):
        Toggle(
          toggle.title,
          isOn: Binding<Bool>(get: { toggle.isOn }, set: { @MainActor isOn in send(toggle.turned(isOn)) })
        )
        .disabled(!toggle.isEnabled)
        .accessibilityIdentifier(toggle.id)
      case .button(let button): ScreenButtonView(button: button, theme: theme, send: send)
      case .row(let row): ScreenRowView(row: row, fonts: theme.fonts, send: send)
      case .progress(let text): ProgressView(text)
      case .countdown(let countdown):
        ProgressView(
          value: Double(min(countdown.secondsLeft, countdown.seconds)), total: Double(max(countdown.seconds, 1))
        )
        .accessibilityLabel(countdown.label)
        .accessibilityValue(String(countdown.secondsLeft))
      case .scanner(let scanner):
        VStack(alignment: .leading, spacing: 8) {
          Text(scanner.label)
          parts.scanner { text in send(scanner.scanned(text)) }
            .frame(maxWidth: .infinity, minHeight: 320, alignment: .center)
            .accessibilityLabel(scanner.label)
        }
      case .camera(let camera):
        VStack(alignment: .leading, spacing: 8) {
          Text(camera.label)
          parts.camera(camera.frame, { send(camera.seen($0)) }, { send(camera.taken($0)) })
            .frame(maxWidth: .infinity, minHeight: 320, alignment: .center)
            .accessibilityLabel(camera.label)
          ScreenTextView(text: camera.hint, role: camera.isReady ? .success : .note, fonts: theme.fonts)
            .accessibilityAddTraits(.updatesFrequently)
        }
      case .picture(let picture): ScreenPictureView(picture: picture)
      case .page(let page):
        parts.page(page.address, page.isEnd) { address in send(page.ended(address)) }
          .frame(maxWidth: .infinity, minHeight: 480, alignment: .center)
      }
    }
  }

  /// A text of a screen.
  struct ScreenTextView: View {
    let text: String
    let role: ScreenTextRole
    let fonts: ScreenFonts

    @ViewBuilder var body: some View {
      switch role {
      case .heading: Text(text).font(fonts.heading).accessibilityAddTraits(.isHeader)
      case .body: Text(text)
      case .note: Text(text).font(fonts.note).foregroundColor(.secondary)
      case .problem: Label(text, systemImage: "exclamationmark.triangle").foregroundColor(.red)
      case .success: Label(text, systemImage: "checkmark.circle").foregroundColor(.green)
      }
    }
  }

  /// A picture, as wide as the screen.
  struct ScreenPictureView: View {
    let picture: ScreenPicture

    @ViewBuilder var body: some View {
      #if canImport(UIKit)
        if let image = UIImage(data: picture.data) {
          Image(uiImage: image).resizable().scaledToFit().accessibilityLabel(picture.label)
        } else {
          Text(picture.label)
        }
      #else
        Text(picture.label)
      #endif
    }
  }

  /// A line of a list.
  struct ScreenRowView<Event: Sendable>: View {
    let row: ScreenRow<Event>
    let fonts: ScreenFonts
    let send: @MainActor (Event) -> Void

    @ViewBuilder var body: some View {
      if let event = row.event {
        Button(action: { send(event) }, label: { content })
          .accessibilityLabel(row.spoken)
          .accessibilityIdentifier(row.id)
      } else {
        content.accessibilityElement(children: .combine)
      }
    }

    private var content: some View {
      HStack(alignment: .center, spacing: 12) {
        if let logo = row.logo {
          // Loaded by the system's shared session, whose cache may keep it. Room is kept for it.
          AsyncImage(url: logo) { phase in
            if let image = phase.image {
              image.resizable().scaledToFit()
            } else if phase.error == nil {
              Color.secondary.opacity(0.2)
            } else {
              Color.clear
            }
          }
          .frame(width: 40, height: 40)
          .accessibilityHidden(true)
        }
        VStack(alignment: .leading, spacing: 2) {
          Text(row.title).font(fonts.heading)
          if !row.detail.isEmpty { Text(row.detail) }
          if !row.badge.isEmpty { Text(row.badge).font(fonts.note).foregroundColor(.secondary) }
        }
      }
    }
  }
#endif
