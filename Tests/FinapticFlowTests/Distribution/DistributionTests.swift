// SPDX-License-Identifier: Apache-2.0

import Delivery
import Ledger
import Foundation
import FinapticWire
import Kit
import Storage
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic distribution: devices and what they are told")
struct DistributionTests {
  typealias Wire = FinapticAPI

  private static let apple = String(repeating: "0A1b", count: 16)
  private static let google = "cAbc123:APA91b-" + String(repeating: "xY_9", count: 30)

  private struct NotBooked: Error {}

  /// A customer with an account that has money, on whose phone the app is.
  private struct Customer {
    let id: String
    let token: String
    let account: BankAccount.ID

    init(_ app: OnboardingTestApp, _ number: Int) async throws {
      id = "00000000-0000-4000-8000-00000000000\(number)"
      token = try await app.token(.init(app.dependencies.core.world), customer: id)
      account = .init(rawValue: "10000000-0000-4000-8000-00000000000\(number)")
      let opening = LedgerOpening(
        id: account, tenant: BankAccount.ledgerTenant(OnboardingTestApp.sandbox), product: AccountProduct.current.code,
        name: "Current", owners: [id])
      try await app.database.write { [ledger = app.dependencies.ledger, account] tx in
        try InternalAccounts(ledger).prepare(OnboardingTestApp.sandbox, in: tx)
        _ = try ledger.open(opening, in: tx)
        _ = try ledger.activate(account, tenant: opening.tenant, in: tx)
      }
    }

    func register(_ app: OnboardingTestApp, _ device: String?, _ registration: String?) async throws -> String {
      try await app.call(
        .registerChannel, Wire.RegisterChannelRequest(deviceId: device, registrationId: registration), token: token
      ).code
    }

    /// Pays in, and lets everything happen that follows.
    @discardableResult
    func deposit(_ app: OnboardingTestApp, _ key: String, _ cents: Int64 = 1230) async throws -> String {
      let answer = try await app.dependencies.ledger.transfer(
        TransferOrder(
          .deposit, tenant: OnboardingTestApp.sandbox, key: key,
          debit: InternalAccounts.account(.cash, tenant: OnboardingTestApp.sandbox), credit: account,
          amount: Money(cents, "CAD")))
      try await app.settle()
      guard case .done(let transfer) = answer else { throw NotBooked() }
      return transfer.id.rawValue
    }

    /// When the ledger booked it.
    func time(_ app: OnboardingTestApp, of transaction: String) async throws -> LedgerTime {
      let legs = try await app.database.read { [vault = app.vault] in
        try BankTransactionStore($0, vault: vault).legs(
          of: .init(rawValue: transaction), tenant: OnboardingTestApp.sandbox)
      }
      return try #require(legs.first { $0.account == account }).at
    }
  }

  @Test("each device of a customer hears of a transaction, as the documentation shows it")
  func transaction() async throws {
    let recorder = ScriptedRecorder<PushMessage, PushGateway.Outcome>(usual: .accepted)
    try await OnboardingTestApp.run(push: PushGateway(send: recorder.answer)) { app in
      let customer = try await Customer(app, 1)
      #expect(try await customer.register(app, "phone", Self.apple) == "OK")
      #expect(try await customer.register(app, "tablet", Self.google) == "OK")
      let id = try await customer.deposit(app, "d-1")
      let sent = recorder.sent
      #expect(sent.map(\.platform.rawValue).sorted() == ["android", "ios"])
      let push = try #require(sent.first { $0.platform == .apple })
      #expect(push.token == Self.apple.lowercased() && push.place == .top && push.about == customer.id)
      let body = "There is a new transaction on your account. Open the app to see it."
      #expect(push.title == "Bank 7" && push.body == body)
      // The ledger counts in microseconds, and no two of an account's are the same.
      let at = try await customer.time(app, of: id)
      #expect(at.instant == app.clock.now && at.microseconds % 1_000_000 < 10)
      #expect(
        push.data == [
          "eventType": .text("TransactionCreatedEvent"), "transactionId": .text(id), "amount": .text("12.30"),
          "availableBalance": .text("12.30"), "actualBalance": .text("12.30"),
          "transactionTime": .text("2026-11-21 06:00:00.00000\(at.microseconds % 10) +0000 UTC"),
        ])
      #expect(push.name.utf8.count <= 64 && Set(sent.map(\.name)).count == 1)
    }
  }

  @Test("a device that registers again has the newer token, and a token goes with the phone to its next customer")
  func moved() async throws {
    let recorder = ScriptedRecorder<PushMessage, PushGateway.Outcome>(usual: .accepted)
    try await OnboardingTestApp.run(push: PushGateway(send: recorder.answer)) { app in
      let (one, two) = (try await Customer(app, 1), try await Customer(app, 2))
      _ = try await one.register(app, "phone", "old")
      #expect(try await one.register(app, "phone", "token") == "OK")
      try await one.deposit(app, "d-1")
      #expect(recorder.sent.map(\.token) == ["token"])
      #expect(try await two.register(app, "phone of two", "token") == "OK")
      try await one.deposit(app, "d-2")
      #expect(recorder.sent.count == 1, "its former customer's transactions are not pushed to that phone")
      try await two.deposit(app, "d-3")
      #expect(recorder.sent.map(\.about) == [one.id, two.id])
    }
  }

  @Test("a token that is gone is forgotten, one that is refused stays, and a service that is away is asked again")
  func gone() async throws {
    let recorder = ScriptedRecorder<PushMessage, PushGateway.Outcome>(usual: .accepted)
    try await OnboardingTestApp.run(push: PushGateway(send: recorder.answer)) { app in
      let customer = try await Customer(app, 1)
      _ = try await customer.register(app, "phone", "token")
      recorder.next(.success(.tokenRefused))
      try await customer.deposit(app, "d-1")
      recorder.next(.failure(MessageUndelivered(.timedOut)), .failure(MessageUndelivered(.byGateway(status: 503))))
      try await customer.deposit(app, "d-2")
      #expect(recorder.sent.count == 2)
      app.clock.advance(by: .seconds(10))
      try await app.settle()
      app.clock.advance(by: .minutes(1))
      try await app.settle()
      #expect(recorder.sent.count == 4 && Set(recorder.sent.dropFirst().map(\.name)).count == 1)
      recorder.next(.success(.tokenGone))
      try await customer.deposit(app, "d-3")
      try await customer.deposit(app, "d-4")
      #expect(recorder.sent.count == 5)
      let story = try await app.story(customer.id)
      #expect(story.last == "finaptic.channel.gone" && story.contains("finaptic.channel.notPushed"))
    }
  }

  @Test("what is on its way to a device arrives when the app registers the same token again, not when it has another")
  func again() async throws {
    let recorder = ScriptedRecorder<PushMessage, PushGateway.Outcome>(usual: .accepted)
    try await OnboardingTestApp.run(push: PushGateway(send: recorder.answer)) { app in
      let customer = try await Customer(app, 1)
      for (token, count) in [("token", 2), ("another", 3)] {
        _ = try await customer.register(app, "phone", "token")
        recorder.next(.failure(MessageUndelivered(.timedOut)))
        try await customer.deposit(app, "d-\(count)")
        _ = try await customer.register(app, "phone", token)
        app.clock.advance(by: .seconds(10))
        try await app.settle()
        #expect(recorder.sent.count == count)
      }
    }
  }

  @Test("what an agent wrote is told without its words, one of a thread in the place of the one before")
  func message() async throws {
    let recorder = ScriptedRecorder<PushMessage, PushGateway.Outcome>(usual: .accepted)
    try await OnboardingTestApp.run(push: PushGateway(send: recorder.answer)) { app in
      let customer = try await Customer(app, 1)
      _ = try await customer.register(app, "phone", "token")
      for number in 1...2 {
        try await app.database.write { [parts = app.dependencies, vault = app.vault] in
          try PushNotices.owe(
            .message("m-\(number)", thread: "t-1"), to: customer.id, tenant: OnboardingTestApp.sandbox, vault: vault,
            outbox: parts.core.outbox, in: $0)
        }
      }
      try await app.settle()
      #expect(recorder.sent.map(\.name) == ["t-1", "t-1"])
      #expect(recorder.sent.first?.data["contactId"] == .text("t-1"))
      #expect(recorder.sent.first?.body == "You have a new message from us. Open the app to read it.")
    }
  }

  @Test("both ids are asked for, bounds hold, and only customers register")
  func refusals() async throws {
    try await OnboardingTestApp.run { app in
      let customer = try await Customer(app, 1)
      for (device, registration) in [
        (nil, "r"), ("d", nil), ("", "r"), ("d", ""), ("d", "a\u{7}b"), ("d", String(repeating: "x", count: 4097)),
        (String(repeating: "d", count: 4097), "r"),
      ] as [(String?, String?)] {
        #expect(try await customer.register(app, device, registration) == "INVALID_ARGUMENT")
      }
      let long = String(repeating: "é", count: 4096)
      #expect(try await customer.register(app, long, long) == "OK")
      let body = Wire.RegisterChannelRequest(deviceId: "d", registrationId: "r")
      #expect(try await app.call(.registerChannel, body).code == "UNAUTHENTICATED")
      let user = try await app.token(.init(app.dependencies.core.world))
      #expect(try await app.call(.registerChannel, body, token: user).code == "PERMISSION_DENIED")
    }
  }

  @Test("a customer has only so many devices, the last ones, and an erasure leaves none and no token on disk")
  func bounds() async throws {
    try await OnboardingTestApp.run { app in
      let customer = try await Customer(app, 1)
      for number in 0..<(ChannelCommands.devicesMax + 2) {
        #expect(try await customer.register(app, "phone \(number)", "token-of-\(number)-device") == "OK")
        app.clock.advance(by: .milliseconds(1))
      }
      func count() async throws -> Int {
        try await app.database.read { [vault = app.vault] in
          try PushChannelStore($0, vault: vault).ids(of: customer.id, tenant: OnboardingTestApp.sandbox, limit: 100)
            .count
        }
      }
      #expect(try await count() == ChannelCommands.devicesMax)
      #expect(try await app.made.bytesOnDisk().range(of: Data("token-of-21-device".utf8)) == nil)
      try await app.database.write { [vault = app.vault] in
        try PushChannelStore($0, vault: vault).forget(customer.id, tenant: OnboardingTestApp.sandbox)
      }
      #expect(try await count() == 0)
    }
  }

  @Test("a call whose session ends before its body is read registers no device")
  func endedMeanwhile() async throws {
    try await OnboardingTestApp.run { app in
      let (customer, parts, tenant) = (try await Customer(app, 1), app.dependencies, OnboardingTestApp.sandbox)
      let identity = try await parts.sessions.verify(customer.token, tenant: FinapticTenant.session(tenant))
      let user = try #require(FinapticSignedIn(identity))
      let channels = ChannelCommands(core: parts.core, sessions: parts.sessions)
      let id = PushChannel.ID(parts.core.world)
      func register() async throws {
        try await app.database.write { tx in
          try channels.register(
            Wire.RegisterChannelRequest(deviceId: "d", registrationId: "r"), id: id, tenant: tenant,
            customer: customer.id, by: user, in: tx)
        }
      }
      try await register()
      try await app.database.write { tx in
        try parts.sessions.revokeAll(of: user.user.rawValue, in: tx)
        try PushChannelStore(tx, vault: parts.core.vault).forget(customer.id, tenant: tenant)
      }
      await #expect { try await register() } throws: { ($0 as? Problem)?.code == "token-revoked" }
      let left = try await app.database.read {
        try PushChannelStore($0, vault: parts.core.vault).ids(of: customer.id, tenant: tenant, limit: 1)
      }
      #expect(left.isEmpty)
    }
  }

  @Test("devices go behind sessions that an operator ends: those of one user, or of all of the tenant, and no others")
  func endedByOperator() async throws {
    try await OnboardingTestApp.run { app in
      let (one, two) = (try await Customer(app, 1), try await Customer(app, 2))
      let (parts, tenant) = (app.dependencies, OnboardingTestApp.sandbox)
      let identity = try await parts.sessions.verify(one.token, tenant: FinapticTenant.session(tenant))
      let user = try #require(FinapticSignedIn(identity)).user.rawValue
      func counts() async throws -> [Int] {
        try await app.database.read { tx in
          let store = PushChannelStore(tx, vault: parts.core.vault)
          return try [one.id, two.id].map { try store.ids(of: $0, tenant: tenant, limit: 9).count }
        }
      }
      _ = try await app.database.write { tx in
        try tx.execute("UPDATE finaptic_user SET customer_id = \(one.id) WHERE id = \(user)")
      }
      for (customer, device) in [(one, "one"), (two, "two")] {
        #expect(try await customer.register(app, "phone", device) == "OK")
      }
      let orders: [(String?, Int, [Int])] = [
        (user, tenant + 1, [1, 1]), (user, tenant, [0, 1]), (nil, tenant + 1, [0, 1]), (nil, tenant, [0, 0]),
      ]
      for (user, tenant, left) in orders {
        try await FinapticUsers.forgetDevices(of: user, tenant: tenant, in: app.database)
        #expect(try await counts() == left)
      }
    }
  }
}
