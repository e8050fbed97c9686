// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseWire

/// A view model in plain Swift: its state, what an event makes of it, and what is shown. It calls nothing and knows no
/// clock, so that every state and every event can be tried in a test.
public protocol ScreenMachine: Sendable {
  /// What the user does, and what calls answer.
  associatedtype Event: Sendable
  /// What is to be done outside.
  associatedtype Effect: ScreenEffect

  /// Takes an event in. An event that makes no sense in the present state changes nothing: answers may come late.
  mutating func handle(_ event: Event) -> [Effect]

  /// What is to be shown now.
  func screen(in context: ScreenContext) -> Screen<Event>
}

/// The machine of a whole app, or of a flow within one: it speaks one language at a time.
public protocol ScreenFlow: ScreenMachine {
  /// Of texts, whatever the context's is.
  var language: ScreenLanguage { get }

  /// The same state in another language.
  func inLanguage(_ language: ScreenLanguage) -> Self
}

/// Something that has to be done outside of a screen.
public protocol ScreenEffect: Sendable, Equatable {
  /// Effects of one lane follow each other: a new one ends the one that runs. Nil lets it run beside all others.
  var lane: String? { get }
  /// Whether it only ends what runs in its lane.
  var endsLane: Bool { get }
  /// Whether it goes on by itself, such as polling: what waits for calls to end does not wait for it.
  var isWatch: Bool { get }
}

/// What the same state is shown by.
public struct ScreenContext: Sendable {
  /// Of texts.
  public var language: ScreenLanguage
  /// By the device's calendar.
  public var now: WireInstant
  /// An instant for people, in the language and in the time zone of the device.
  public var dateText: @Sendable (WireInstant) -> String
  /// The time of the day of an instant, in the same zone.
  public var timeText: @Sendable (WireInstant) -> String
  /// An amount of money for people, in the language.
  /// - Parameter currency: ISO 4217.
  public var amountText: @Sendable (_ amount: Decimal, _ currency: String) -> String

  /// Creates the value from its members.
  /// - Parameters:
  ///   - timeText: by default the time in UTC, with that word.
  ///   - amountText: by default with a dot, without groups, and with the currency's code at the end.
  public init(
    language: ScreenLanguage, now: WireInstant,
    timeText: @escaping @Sendable (WireInstant) -> String = { "\($0.description.dropFirst(11).prefix(5)) UTC" },
    amountText: @escaping @Sendable (Decimal, String) -> String = { Self.plain($0, $1) },
    dateText: @escaping @Sendable (WireInstant) -> String
  ) {
    (self.language, self.now, self.timeText, self.dateText) = (language, now, timeText, dateText)
    self.amountText = amountText
  }

  /// As the device shows dates, times and amounts in a language, whichever one it is set to itself.
  public static func device(_ language: ScreenLanguage, now: WireInstant) -> ScreenContext {
    let locale = Locale(identifier: language.rawValue)
    return ScreenContext(
      language: language, now: now,
      timeText: { $0.date.formatted(Date.FormatStyle(date: .omitted, time: .shortened, locale: locale)) },
      amountText: { amount, currency in
        // Some currencies are all called dollar: the code tells them apart. More decimals than two are kept, so that
        // what is agreed to is what is sent.
        Decimal.FormatStyle.Currency(code: currency, locale: locale).presentation(.isoCode)
          .precision(.fractionLength(2...max(2, -amount.exponent))).format(amount)
      },
      dateText: { $0.date.formatted(Date.FormatStyle(date: .abbreviated, time: .omitted, locale: locale)) })
  }

  @usableFromInline static func plain(_ amount: Decimal, _ currency: String) -> String {
    let parts = amount.description.split(separator: ".").map(String.init)
    let cents = parts.count > 1 ? parts[1] : ""
    return "\(parts[0]).\(cents)\(String(repeating: "0", count: max(0, 2 - cents.count))) \(currency)"
  }
}
