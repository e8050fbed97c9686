// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import GatehouseUI

/// Every state of every screen of a machine, found by pressing everything that can be pressed and by trying every answer
/// of a server in every state that was found before. The order is fixed, so that a printed list can be compared with the
/// last one.
package struct MachineWalk<Machine: ScreenFlow> {
  /// A state, by what its screen is called.
  package struct Found {
    /// Of the screen.
    package let id: String
    /// The first state that showed it.
    package let machine: Machine
  }

  /// One attempt: an event in a state.
  package struct Attempt {
    /// Before and after.
    package let before, after: Machine
    /// What happened.
    package let event: Machine.Event
    /// What follows.
    package let effects: [Machine.Effect]
  }

  /// States that are tried. A walk ends by itself far below.
  package static var statesMax: Int { 4000 }

  /// By id.
  package private(set) var found: [Found] = []
  /// How many states were tried, with every event each.
  package private(set) var states = 0

  /// - Parameters:
  ///   - answers: of the server, to be tried in every state.
  ///   - typed: what is typed into a field, by its id.
  ///   - key: tells states apart whose screens are the same; empty where screens tell enough.
  ///   - look: is shown every attempt.
  package init(
    from start: Machine, answers: [Machine.Event], typed: (_ field: String) -> [String],
    key: (Machine) -> String = { _ in "" }, _ look: (Attempt) -> Void = { _ in }
  ) {
    func name(_ machine: Machine) -> (id: String, key: String) {
      let screen = machine.screen(in: ScreenSpecimen.context)
      return (screen.id, "\(screen.id)|\(screen.usable)|\(key(machine))")
    }
    var (queue, place, keys, ids) = ([start], 0, Set([name(start).key]), Set<String>())
    while place < queue.count, states < Self.statesMax {
      let before = queue[place]
      place += 1
      states += 1
      let screen = before.screen(in: ScreenSpecimen.context)
      if ids.insert(screen.id).inserted { found.append(Found(id: screen.id, machine: before)) }
      for event in answers + Self.acts(on: screen, typed) {
        var after = before
        let effects = after.handle(event)
        look(Attempt(before: before, after: after, event: event, effects: effects))
        if keys.insert(name(after).key).inserted { queue.append(after) }
      }
    }
    found.sort { $0.id < $1.id }
  }

  /// Every state of every screen as text.
  /// - Parameter prefix: only those whose name begins so.
  package func text(_ language: ScreenLanguage, only prefix: String = "") -> String {
    found.filter { prefix.isEmpty || $0.id.hasPrefix(prefix) }.map { one in
      "=== \(one.id)\n\(one.machine.inLanguage(language).screen(in: ScreenSpecimen.context(language)).text())"
    }.joined(separator: "\n")
  }

  /// What is wrong with the screens: a label that is empty, or an id that two elements have.
  package var faults: [String] {
    found.flatMap { one in
      ScreenLanguage.allCases.compactMap { language in
        let screen = one.machine.inLanguage(language).screen(in: ScreenSpecimen.context(language))
        let isRight = screen.spoken.allSatisfy { !$0.isEmpty } && Set(screen.usable).count == screen.usable.count
        return isRight ? nil : "\(one.id) \(language): \(screen.usable)"
      }
    }
  }

  private static func acts(on screen: Screen<Machine.Event>, _ typed: (String) -> [String]) -> [Machine.Event] {
    var events = screen.usable.compactMap { screen.press($0) }
    for case .input(let input) in screen.elements {
      events += typed(input.id).compactMap { screen.type($0, into: input.id) }
    }
    events += ScreenSpecimen.readings.compactMap { screen.see($0) }
    return events + [screen.photograph(ScreenSpecimen.picture)].compactMap { $0 }
  }
}

extension ScreenSpecimen {
  /// The first bytes of a JPEG file (ITU-T T.81 §B.1.1.3), which nothing looks at here.
  package static let picture = Data([0xff, 0xd8, 0xff])

  /// One for each hint, in their order.
  package static let readings = [
    CameraReading(subject: .missing), CameraReading(subject: .cut, extent: 0.8, sharpness: 1),
    CameraReading(subject: .whole, extent: 0.1, sharpness: 1),
    CameraReading(subject: .whole, extent: 1.5, sharpness: 1),
    CameraReading(subject: .whole, extent: 0.8, sharpness: 0.1),
    CameraReading(subject: .whole, extent: 0.8, sharpness: 1, glare: 0.5),
    CameraReading(subject: .whole, extent: 0.8, sharpness: 1),
  ]
}
