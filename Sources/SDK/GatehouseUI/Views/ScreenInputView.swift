// SPDX-License-Identifier: Apache-2.0
#if canImport(SwiftUI)
  internal import Foundation
  internal import GatehouseWire
  internal import SwiftUI
  #if canImport(UIKit)
    internal import UIKit
  #endif

  /// A field of a screen.
  struct ScreenInputView<Event: Sendable>: View {
    let input: ScreenInput<Event>
    let theme: ScreenTheme
    let send: @MainActor (Event) -> Void

    var body: some View {
      VStack(alignment: .leading, spacing: 4) {
        Text(input.label).font(theme.fonts.heading).accessibilityHidden(true)
        if input.kind == .date {
          // A field as well, since a calendar always shows a day, also where none was chosen.
          HStack(alignment: .center, spacing: 8) {
            labelled
            calendar
          }
        } else {
          labelled
        }
        if !input.problem.isEmpty { Text(input.problem).foregroundColor(.red) }
      }
    }

    private var labelled: some View {
      field
        .textFieldStyle(.roundedBorder)
        .disabled(!input.isEnabled)
        .accessibilityLabel(input.label)
        .accessibilityHint(input.problem)
        .accessibilityIdentifier(input.id)
    }

    /// A button where no day stands, which puts one there to begin with: a calendar would show today as if it was
    /// chosen, and would not tell that it is chosen then.
    @ViewBuilder private var calendar: some View {
      if let shown = WireDate(input.value) {
        picker(shown)
      } else {
        Button(action: { send(input.typed("2000-01-01")) }, label: { Image(systemName: "calendar") })
          .disabled(!input.isEnabled)
          .accessibilityLabel(input.label)
      }
    }

    /// Days are counted without a time zone, by the calendar of the wire.
    private func picker(_ shown: WireDate) -> some View {
      var gregorian = Calendar(identifier: .gregorian)
      gregorian.timeZone = .gmt
      let day = Binding<Date>(
        get: { Date(timeIntervalSince1970: Double(shown.daysSince1970) * 86_400) },
        set: { @MainActor date in send(input.typed(Self.day(date).description)) })
      return DatePicker(input.label, selection: day, displayedComponents: .date)
        .labelsHidden()
        .disabled(!input.isEnabled)
        .environment(\.calendar, gregorian)
        .environment(\.timeZone, .gmt)
    }

    private static func day(_ date: Date) -> WireDate {
      WireDate(daysSince1970: Int((date.timeIntervalSince1970 / 86_400).rounded(.down)))
    }

    @ViewBuilder private var field: some View {
      let text = Binding<String>(get: { input.value }, set: { @MainActor typed in send(input.typed(typed)) })
      switch input.kind {
      case .passcode, .password, .newPassword: keyboard(SecureField("", text: text))
      default: keyboard(TextField("", text: text))
      }
    }

    @ViewBuilder private func keyboard(_ field: some View) -> some View {
      #if os(iOS)
        switch input.kind {
        // Not a password of the system's: it is this app's alone, and is not to be kept by a password manager.
        case .passcode, .digits: field.keyboardType(.numberPad)
        case .oneTimeCode: exact(field.keyboardType(.numberPad).textContentType(.oneTimeCode))
        case .email: exact(field.keyboardType(.emailAddress).textContentType(.emailAddress))
        case .password: exact(field.textContentType(.password))
        case .newPassword: exact(field.textContentType(.newPassword))
        case .phone: field.keyboardType(.phonePad).textContentType(.telephoneNumber)
        case .link: exact(field.keyboardType(.URL).textContentType(.URL))
        case .code:
          field.keyboardType(.asciiCapable).textInputAutocapitalization(.characters).autocorrectionDisabled()
        case .date: field.keyboardType(.numbersAndPunctuation)
        case .amount: field.keyboardType(.decimalPad)
        case .text: field
        }
      #else
        if input.kind == .text { field } else { field.autocorrectionDisabled() }
      #endif
    }

    #if os(iOS)
      /// What is typed stays as it is.
      private func exact(_ field: some View) -> some View {
        field.textInputAutocapitalization(.never).autocorrectionDisabled()
      }
    #endif
  }
#endif
