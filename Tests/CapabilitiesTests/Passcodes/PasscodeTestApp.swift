// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage
import TestSupport

/// A store with passcodes in it, at an instant that the test moves.
struct PasscodeTestApp {
  let clock = MovableClock()
  let store: TestDatabase
  let passcodes: Passcodes

  var database: any SQLDatabase { store.database }

  init(policy: PasscodePolicy = .standard) async throws {
    store = try await TestDatabase.make(.current, [DataKeyStore.migration, Passcodes.migration])
    let database = store.database
    let vault = try await Vault.open(database, keyring: Keyring(world: clock.world), world: clock.world)
    passcodes = Passcodes(vault: vault, world: clock.world, policy: policy)
  }

  static func binding(
    _ channel: PasscodeChannel = .sms, to destination: String = "+96550001234", subject: String = "customer-1",
    purpose: String = "confirm-contact"
  ) -> PasscodeBinding {
    PasscodeBinding(channel, to: destination, subject: subject, purpose: purpose)
  }

  func request(_ binding: PasscodeBinding = Self.binding()) async throws -> PasscodeRequest {
    try await database.write { [passcodes] in try passcodes.request(binding, in: $0) }
  }

  func issue(_ request: PasscodeRequest, to destination: String = "+96550001234") async throws -> String? {
    try await database.write { [passcodes] in try passcodes.issue(request.id, to: destination, in: $0)?.code }
  }

  /// Asks and issues.
  func send(_ binding: PasscodeBinding = Self.binding()) async throws -> String {
    guard let code = try await issue(request(binding), to: binding.destination) else { throw Problem.notFound }
    return code
  }

  func check(_ code: String, _ binding: PasscodeBinding = Self.binding()) async throws -> PasscodeOutcome {
    try await database.write { [passcodes] in try passcodes.check(code, for: binding, in: $0) }
  }

  func attemptsLeft(_ binding: PasscodeBinding = Self.binding()) async throws -> Int {
    try await database.write { [passcodes] in try passcodes.attemptsLeft(for: binding, in: $0) }
  }

  func sweep() async throws -> Int { try await database.write { [passcodes] in try passcodes.sweep(in: $0) } }

  /// The problem with which asking for a code is refused; nil when it is granted.
  func refusal(_ binding: PasscodeBinding = Self.binding()) async throws -> Problem? {
    do {
      _ = try await request(binding)
      return nil
    } catch let problem as Problem { return problem }
  }

  /// A code that is certainly not the one given.
  static func other(than code: String) -> String { code == "000000" ? "000001" : "000000" }
}
