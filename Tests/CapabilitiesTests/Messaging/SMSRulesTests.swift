// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage
import Synchronization
import TestSupport
import Testing

@Suite("Messaging: what a tenant pays for (issue 24)")
struct SMSRulesTests {
  private let one = TenantID("rubix", "one")
  private let other = TenantID("finaptic", "7")
  private let sent = Recipients()
  private let mailed = Recipients()

  private final class Recipients: Sendable {
    private let kept = Mutex<[String]>([])
    var list: [String] { kept.withLock { $0 } }
    func add(_ recipient: String) { kept.withLock { $0.append(recipient) } }
  }

  private func messenger(_ rules: SMSRules, _ store: TestDatabase, _ clock: MovableClock) async throws -> Messenger {
    let vault = try await TestVault.open(store.database, clock.world)
    let core = CoreDependencies(
      database: store.database, world: clock.world, vault: vault, blobs: MemoryBlobs(clock.world).blobs)
    return Messenger(
      sms: SMSGateway { [sent] message in sent.add(message.recipient) },
      mail: MailGateway { [mailed] _ in mailed.add("") }
    ).within(rules, core)
  }

  private static func text(_ number: Int, to prefix: String = "9655000", of tenant: TenantID?) -> Message {
    var message = Message(.sms, to: "+\(prefix)\(1000 + number)", body: "hello", locale: "en")
    (message.id, message.tenant) = ("message-\(prefix)-\(number)-\(tenant?.description ?? "")", tenant)
    return message
  }

  @Test(
    "texts of a day are counted by tenant, once a message, and refused beyond the budget", arguments: Engine.available)
  func budget(engine: Engine) async throws {
    let clock = MovableClock()
    let rules = SMSRules(
      standard: .init(prefixes: ["all"], perDay: 2), byTenant: [one: .init(prefixes: ["965"], perDay: 3)])
    let store = try await TestDatabase.make(engine, [DataKeyStore.migration, RateCounterStore.migration])
    let messenger = try await messenger(rules, store, clock)
    for number in 1...3 {
      // A repetition is the same message.
      for _ in 1...3 { try await messenger.send(Self.text(number, of: one)) }
    }
    let refused = MessageRefused(.overBudget)
    await #expect(throws: refused) { try await messenger.send(Self.text(4, of: one)) }
    await #expect(throws: refused) { try await messenger.send(Self.text(4, of: one)) }
    // One that was counted before goes on.
    try await messenger.send(Self.text(3, of: one))
    for number in 1...2 { try await messenger.send(Self.text(number, of: other)) }
    await #expect(throws: refused) { try await messenger.send(Self.text(3, of: other)) }
    #expect(sent.list.count == 12)
    try await messenger.send(Message(.email, to: "aya@bank.example", subject: "s", body: "b", locale: "en"))
    #expect(mailed.list.count == 1)
    clock.advance(.days(1))
    try await messenger.send(Self.text(4, of: one))
    #expect(sent.list.last == "+96550001004")
    withExtendedLifetime(store) {}
  }

  @Test("a text goes to the prefixes of its tenant only; of a tenant without any, nowhere", arguments: Engine.available)
  func prefixes(engine: Engine) async throws {
    let clock = MovableClock()
    let rules = SMSRules(
      standard: .init(prefixes: [], perDay: nil),
      byTenant: [one: .init(prefixes: ["965"], perDay: nil), other: .init(prefixes: ["all"], perDay: nil)])
    let store = try await TestDatabase.make(engine, [DataKeyStore.migration, RateCounterStore.migration])
    let messenger = try await messenger(rules, store, clock)
    try await messenger.send(Self.text(1, of: one))
    for (prefix, tenant) in [("4915100", one), ("979000", one), ("9655000", nil), ("9655000", TenantID("rubix", "x"))] {
      await #expect(throws: MessageRefused(.notServed)) {
        try await messenger.send(Self.text(1, to: prefix, of: tenant))
      }
    }
    try await messenger.send(Self.text(2, to: "4915100", of: other))
    // To serve every country is not to pay for premium ranges, or for what is no number.
    for prefix in ["979000", "4490", "1900555", "881612", "0044"] {
      await #expect(throws: MessageRefused(.notServed)) {
        try await messenger.send(Self.text(3, to: prefix, of: other))
      }
    }
    #expect(sent.list == ["+96550001001", "+49151001002"])
    withExtendedLifetime(store) {}
    #expect(rules.phones(of: one).check("+4915112345678") == .countryNotServed)
    #expect(rules.phones(of: TenantID("rubix", "x")).check("+96550001234") == .countryNotServed)
    #expect(rules.phones(of: other).check("+4915112345678") == PhonePolicy().check("+4915112345678"))
  }
}
