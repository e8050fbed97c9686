// SPDX-License-Identifier: Apache-2.0

package import AuthenticatorUI
package import GatehouseUI

/// Every state of every screen of the Authenticator, found by trying every event in every state that was found before,
/// from the start on. The order is fixed, so that a printed list can be compared with the last one.
package struct ScreenWalk {
  /// A state of the app, by what its screen is called.
  package struct Found {
    /// Of the screen.
    package let id: String
    /// The first state that showed it.
    package let app: AuthenticatorScreens
  }

  /// One attempt: an event in a state.
  package struct Attempt {
    /// Before and after.
    package let before, after: AuthenticatorScreens
    /// What happened.
    package let event: AuthenticatorEvent
    /// What follows.
    package let effects: [AuthenticatorEffect]
  }

  /// States that are tried. The walk ends by itself far below.
  private static let statesMax = 3000

  /// By the order in which they were found.
  package private(set) var found: [Found] = []
  /// How many states were tried, with every event each.
  package private(set) var states = 0

  /// - Parameter look: is shown every attempt.
  package init(_ look: (Attempt) -> Void = { _ in }) {
    let start = AuthenticatorScreens(language: .english, version: "1.0")
    var (queue, place, keys, ids) = ([start], 0, Set([Self.key(start)]), Set<String>())
    let events = ScreenSpecimen.events
    while place < queue.count, states < Self.statesMax {
      let before = queue[place]
      place += 1
      states += 1
      let id = Self.id(before)
      if ids.insert(id).inserted { found.append(Found(id: id, app: before)) }
      for event in events + Self.typing(in: before) {
        var after = before
        let effects = after.handle(event)
        look(Attempt(before: before, after: after, event: event, effects: effects))
        if keys.insert(Self.key(after)).inserted { queue.append(after) }
      }
    }
    found.sort { $0.id < $1.id }
  }

  /// Every state of every screen as text, in one language.
  /// - Parameter prefix: only those whose name begins so.
  package func text(_ language: ScreenLanguage, only prefix: String = "") -> String {
    found.filter { prefix.isEmpty || $0.id.hasPrefix(prefix) }.map { one in
      let screen = one.app.inLanguage(language).screen(in: ScreenSpecimen.context(language))
      return "=== \(one.id)\n\(screen.text())"
    }.joined(separator: "\n")
  }

  private static func id(_ app: AuthenticatorScreens) -> String { app.screen(in: ScreenSpecimen.context).id }

  /// What tells states apart: the screen, and what lies under it.
  private static func key(_ app: AuthenticatorScreens) -> String {
    var origin = ""
    if case .authorization(let page) = app.pages.last { origin = page.origin == .push ? "push" : "" }
    // Where a link is read, what it was, and how it came, tell what is next.
    var link = ""
    if case .connect(let page) = app.pages.last, case .reading = page.phase { link = "\(page.isTyped)" }
    let screen = app.screen(in: ScreenSpecimen.context)
    return "\(screen.id)|\(screen.usable)|\(app.pages.count)|\(origin)|\(link)|\(app.gate == .open)"
  }

  /// Passcodes, as a person types them where one is asked for.
  private static func typing(in app: AuthenticatorScreens) -> [AuthenticatorEvent] {
    let screen = app.screen(in: ScreenSpecimen.context)
    return ["12", "1234"].compactMap { screen.type($0, into: "passcode") }
  }
}
