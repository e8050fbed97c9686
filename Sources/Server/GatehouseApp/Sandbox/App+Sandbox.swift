// SPDX-License-Identifier: Apache-2.0

import Console
import Kit
import Storage

extension Settings {
  /// The world that the rows of a store go by, for what opens nothing but the store.
  package func world(of database: any SQLDatabase) async throws -> World {
    guard isSandbox, try await database.read({ try SchemaStore($0).holds([SandboxClockStore.migration]) }) else {
      return world
    }
    let clock = SandboxClock()
    try await clock.refresh(from: database)
    return clock.world(over: world)
  }

  /// Marks the store of an installation with customers as such, so that no command without these settings moves its
  /// clock. It costs a write once.
  /// - Throws: `SettingsError` for a store that was a sandbox and was moved: its rows are of the future.
  package func keepForCustomers(_ database: any SQLDatabase) async throws {
    guard !isSandbox, try await !database.read({ try SandboxClockStore($0).hasCustomers() }) else { return }
    let isKept = try await database.write(retrying: .outdatedOrDuplicate) {
      try SandboxClockStore($0).keepForCustomers()
    }
    guard isKept else {
      throw SettingsError("the clock of this store was moved forward in a sandbox: it cannot serve customers")
    }
  }
}

extension App {
  /// The clock of a sandbox, as far ahead as its store says.
  /// - Returns: nil for an installation with customers, and for a store that was ever opened as one: their time is the
  ///   machine's.
  /// - Throws: `SettingsError` for an installation with customers whose store was a sandbox and was moved.
  static func sandboxClock(_ database: any SQLDatabase, _ settings: Settings) async throws -> SandboxClock? {
    try await settings.keepForCustomers(database)
    guard settings.isSandbox, try await !database.read({ try SandboxClockStore($0).hasCustomers() }) else { return nil }
    let clock = SandboxClock()
    try await clock.refresh(from: database)
    return clock
  }

  /// What moves the time of this sandbox; nil for an installation with customers.
  package var sandboxTravel: SandboxTravel? { sandboxClock.map { SandboxTravel(app: self, clock: $0) } }

  /// The pages of a sandbox that this machine serves, with what each is for; nil for an installation with customers,
  /// and behind a proxy, where the addresses are others.
  package func sandboxPages(port: Int) -> [(address: String, what: String)]? {
    guard sandboxClock != nil, settings.proxyHeader == nil else { return nil }
    let base = "http://localhost:\(port)"
    var pages = [("\(base)/", "leads to all of them"), ("\(base)/console", "the desk of staff")]
    if settings.keepsMessages { pages.append(("\(base)/dev/outbox", "codes and messages that would have been sent")) }
    if demoBank != nil { pages.append(("\(base)/demo-bank", "a bank to try the Authenticator with")) }
    return pages + [
      ("\(base)/api-description", "every call, to be read"),
      ("\(base)/dev/clock", "the time here, which `gatehouse sandbox advance 91d` moves"),
    ]
  }

  /// The time travel for developers on this machine; nil behind a proxy, where every client seems to be this machine.
  var devClock: DevClock? {
    guard settings.proxyHeader == nil, let travel = sandboxTravel else { return nil }
    return DevClock { [world] in
      .init(world)
    } advance: { [world] span in
      let report = try await travel.advance(by: span, for: "sandbox")
      return .init(
        clock: .init(world), steps: report.steps, effects: report.effects, failed: report.failures.keys.sorted())
    }
  }
}
