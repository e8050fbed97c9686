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

/// Something that a screen wants done outside.
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

  /// Creates the value from its members.
  /// - Parameter timeText: by default the time in UTC, with that word.
  public init(
    language: ScreenLanguage, now: WireInstant,
    timeText: @escaping @Sendable (WireInstant) -> String = { "\($0.description.dropFirst(11).prefix(5)) UTC" },
    dateText: @escaping @Sendable (WireInstant) -> String
  ) {
    (self.language, self.now, self.timeText, self.dateText) = (language, now, timeText, dateText)
  }
}
