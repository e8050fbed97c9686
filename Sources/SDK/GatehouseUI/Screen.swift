// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What one screen of an app shows, as a value: the same for SwiftUI, for a terminal and for a test. A screen says what
/// can be done on it by the events that its elements send.
public struct Screen<Event: Sendable>: Sendable {
  /// Names the screen and its state, such as `authorization.asking`; stable, never shown.
  public var id: String
  /// What is shown, and read aloud first.
  public var title: String
  /// From top to bottom.
  public var elements: [ScreenElement<Event>]
  /// Leads to the screen before; nil on the first screen.
  public var back: ScreenButton<Event>?
  /// The sections of the app; empty where they are not offered.
  public var tabs: [ScreenTab<Event>]

  /// Creates the value from its members.
  public init(
    id: String, title: String, elements: [ScreenElement<Event>], back: ScreenButton<Event>? = nil,
    tabs: [ScreenTab<Event>] = []
  ) {
    (self.id, self.title, self.elements, self.back, self.tabs) = (id, title, elements, back, tabs)
  }
}

/// A part of a screen.
public enum ScreenElement<Event: Sendable>: Sendable {
  case text(String, ScreenTextRole)
  /// A value with what it is, such as the amount of a payment.
  case fact(label: String, value: String)
  /// A value that is needed in other places, such as the number of an account.
  case copyable(ScreenCopyable)
  /// Checked HTML: no scripts, links, pictures or attributes. To be shown with JavaScript off.
  case html(String)
  case input(ScreenInput<Event>)
  case toggle(ScreenToggle<Event>)
  case button(ScreenButton<Event>)
  /// A line of a list that leads on.
  case row(ScreenRow<Event>)
  /// Something is under way; the text says what.
  case progress(String)
  case countdown(ScreenCountdown)
  /// The camera's picture, in which codes are looked for.
  case scanner(ScreenScanner<Event>)
  /// The camera's picture, of which one is taken.
  case camera(ScreenCamera<Event>)
  case picture(ScreenPicture)
  /// A page of another party, such as a bank's sign-in.
  case page(ScreenPage<Event>)
}

/// What a text is to the reader.
public enum ScreenTextRole: String, Sendable {
  case heading, body, note
  /// Something went wrong; read aloud at once.
  case problem
  /// Something went right; read aloud at once.
  case success
}

/// How much a button counts.
public enum ScreenButtonRole: String, Sendable {
  case primary, plain
  /// What it does cannot be undone.
  case destructive
}

/// Something to press.
public struct ScreenButton<Event: Sendable>: Sendable {
  /// Stable within the screen, never shown.
  public var id: String
  /// What is shown and read aloud.
  public var title: String
  /// What is read aloud after the title; empty where the title says it all.
  public var hint: String
  /// How much it counts.
  public var role: ScreenButtonRole
  /// A disabled button is shown, and does nothing.
  public var isEnabled: Bool
  /// What pressing means.
  public var event: Event

  /// Creates the value from its members.
  public init(
    _ id: String, _ title: String, hint: String = "", role: ScreenButtonRole = .plain, isEnabled: Bool = true,
    _ event: Event
  ) {
    (self.id, self.title, self.hint, self.role) = (id, title, hint, role)
    (self.isEnabled, self.event) = (isEnabled, event)
  }
}

/// A line of a list.
public struct ScreenRow<Event: Sendable>: Sendable {
  /// Stable within the screen, never shown.
  public var id: String
  /// What is shown first.
  public var title: String
  /// What is shown below it; empty where there is no more.
  public var detail: String
  /// Where it stands, at its end; empty where that goes without a word.
  public var badge: String
  /// Where a picture that goes with the title is, such as a bank's logo; not read aloud. Nil where there is no picture,
  /// and for addresses that are not HTTPS.
  public var logo: URL?
  /// What pressing means; nil where there is nothing more to see.
  public var event: Event?

  /// Creates the value from its members.
  public init(
    _ id: String, _ title: String, detail: String = "", badge: String = "", logo: URL? = nil, _ event: Event?
  ) {
    (self.id, self.title, self.detail, self.badge, self.event) = (id, title, detail, badge, event)
    self.logo = logo?.scheme?.lowercased() == "https" ? logo : nil
  }

  /// What is read aloud: the parts with pauses between them.
  public var spoken: String { [title, detail, badge].filter { !$0.isEmpty }.joined(separator: ", ") }
}

/// What is typed into a field: which keyboard, and what is hidden.
public enum ScreenInputKind: Sendable, Equatable {
  case text, email, phone, link
  /// Shown as dots; so many digits.
  case passcode(digits: Int)
  /// Shown as dots, whatever its length is.
  case password
  /// Like `password`, for one that is being chosen: the system may propose it.
  case newPassword
  /// A code that came by SMS or mail, which the system may fill in; so many digits.
  case oneTimeCode(digits: Int)
  /// `YYYY-MM-DD`. A view may offer a calendar beside the field.
  case date
  /// An amount of money: digits and a decimal separator.
  case amount
  /// Digits only, such as those of an Indian pincode.
  case digits
  /// Capitals and digits as they are printed somewhere: never corrected.
  case code
}

/// A field to type into.
public struct ScreenInput<Event: Sendable>: Sendable {
  /// Stable within the screen, never shown.
  public var id: String
  /// What it asks for; shown, and read aloud.
  public var label: String
  /// Which keyboard, and what is hidden.
  public var kind: ScreenInputKind
  /// What stands in it.
  public var value: String
  /// What is wrong with it; empty when nothing is.
  public var problem: String
  /// Whether it can be typed into now.
  public var isEnabled: Bool
  /// What typing means, with all that stands in the field then.
  public var typed: @Sendable (String) -> Event

  /// Creates the value from its members.
  public init(
    _ id: String, _ label: String, kind: ScreenInputKind = .text, value: String, problem: String = "",
    isEnabled: Bool = true, typed: @escaping @Sendable (String) -> Event
  ) {
    (self.id, self.label, self.kind, self.value) = (id, label, kind, value)
    (self.problem, self.isEnabled, self.typed) = (problem, isEnabled, typed)
  }
}

/// Something that is on or off.
public struct ScreenToggle<Event: Sendable>: Sendable {
  /// Stable within the screen, never shown.
  public var id: String
  /// What is shown and read aloud.
  public var title: String
  /// Whether the switch is on.
  public var isOn: Bool
  /// Whether it can be turned now.
  public var isEnabled: Bool
  /// What turning means.
  public var turned: @Sendable (Bool) -> Event

  /// Creates the value from its members.
  public init(
    _ id: String, _ title: String, isOn: Bool, isEnabled: Bool = true, turned: @escaping @Sendable (Bool) -> Event
  ) {
    (self.id, self.title, self.isOn) = (id, title, isOn)
    (self.isEnabled, self.turned) = (isEnabled, turned)
  }
}

/// A value with what it is, which a view offers to copy: nothing is sent.
public struct ScreenCopyable: Sendable, Equatable {
  /// Stable within the screen, never shown.
  public var id: String
  /// What the value is; shown, and read aloud.
  public var label: String
  /// As people read it, such as an IBAN in groups of four.
  public var value: String
  /// What is put on the clipboard.
  public var copied: String
  /// What the button says, and what it says once the value is copied.
  public var action, done: String

  /// Creates the value from its members.
  public init(_ id: String, label: String, value: String, copied: String, action: String, done: String) {
    (self.id, self.label, self.value, self.copied) = (id, label, value, copied)
    (self.action, self.done) = (action, done)
  }
}

/// Time that runs out. A view counts down by itself; nothing is sent at the end.
public struct ScreenCountdown: Sendable, Equatable {
  /// What is read aloud before the seconds.
  public var label: String
  /// Seconds that are left, and from the beginning on.
  public var secondsLeft, seconds: Int

  /// Creates the value from its members.
  public init(label: String, secondsLeft: Int, seconds: Int) {
    (self.label, self.secondsLeft, self.seconds) = (label, secondsLeft, seconds)
  }
}

/// A camera that looks for codes.
public struct ScreenScanner<Event: Sendable>: Sendable {
  /// What it is pointed at; shown, and read aloud.
  public var label: String
  /// What a code's text means.
  public var scanned: @Sendable (String) -> Event

  /// Creates the value from its members.
  public init(label: String, scanned: @escaping @Sendable (String) -> Event) {
    (self.label, self.scanned) = (label, scanned)
  }
}

/// A page of another party in a web view.
public struct ScreenPage<Event: Sendable>: Sendable {
  /// To be loaded first, without cookies of earlier pages.
  public var address: String
  /// Whether a navigation is the end: it is cancelled then, and given back.
  public var isEnd: @Sendable (_ address: String) -> Bool
  /// What the end means; nil when the user left the page.
  public var ended: @Sendable (_ address: String?) -> Event

  /// Creates the value from its members.
  public init(
    address: String, isEnd: @escaping @Sendable (String) -> Bool, ended: @escaping @Sendable (String?) -> Event
  ) {
    (self.address, self.isEnd, self.ended) = (address, isEnd, ended)
  }
}

/// A section of the app.
public struct ScreenTab<Event: Sendable>: Sendable {
  /// Stable, never shown.
  public var id: String
  /// What is shown and read aloud.
  public var title: String
  /// Whether this section is shown now.
  public var isSelected: Bool
  /// What pressing means.
  public var event: Event

  /// Creates the value from its members.
  public init(_ id: String, _ title: String, isSelected: Bool, _ event: Event) {
    (self.id, self.title, self.isSelected, self.event) = (id, title, isSelected, event)
  }
}
