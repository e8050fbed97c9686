// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: autodeposit registrations")
struct RegistrationTests {
  private typealias View = FinapticAPI.Registration

  private func create(
    _ app: AccountTestApp, _ email: String?, as customer: MoneyCustomer, account: String? = nil
  ) async throws -> AccountTestApp.Answer {
    try await app.call(
      .createRegistration,
      FinapticAPI.CreateRegistrationRequest(
        registration: .init(accountId: account ?? customer.account, aliasEmail: email)), as: customer)
  }

  private func made(_ app: AccountTestApp, _ email: String, as customer: MoneyCustomer) async throws -> View {
    try await create(app, email, as: customer).view(FinapticAPI.RegistrationResponse.self).registration
  }

  private func list(_ app: AccountTestApp, _ account: String, as customer: MoneyCustomer) async throws -> [View] {
    try await app.call(
      .listAutodepositRegistrations, FinapticAPI.AccountRequest(accountId: account), as: customer
    ).view(FinapticAPI.RegistrationsResponse.self).registrations
  }

  @Test("an alias is one confirmed registration's, no matter who asks; deleting frees it and its place among five")
  func alias() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      let first = try await made(app, "pay@example.ca", as: ada)
      let page = try await app.link("confirm-autodeposit", to: "pay@example.ca")
      #expect(try await app.call(.post, page).status == 303)
      #expect(try await create(app, "PAY@example.ca", as: bob).code == "TRANS_INTERAC_ALIAS_IN_USE")
      #expect(try await create(app, "pay@example.ca", as: ada).code == "TRANS_INTERAC_ALIAS_IN_USE")
      for number in 2...5 { _ = try await made(app, "pay\(number)@example.ca", as: ada) }
      let sixth = try await create(app, "pay6@example.ca", as: ada)
      #expect(sixth.refusal == "400 FAILED_PRECONDITION TRANS_INTERAC_REG_COUNT_EXCEEDED")
      let id = FinapticAPI.DeleteRegistrationRequest(registrationId: first.registrationId)
      #expect(try await app.call(.deleteRegistration, id, as: bob).refusal == "403 PERMISSION_DENIED UNAUTHORIZED")
      let deleted: FinapticAPI.RegistrationResponse = try await app.call(.deleteRegistration, id, as: ada).view()
      #expect(deleted.registration == first)
      #expect(try await app.call(.deleteRegistration, id, as: ada).code == "UNAUTHORIZED")
      #expect(try await made(app, "pay@example.ca", as: bob).aliasEmail == "pay@example.ca")
      #expect(try await create(app, "pay6@example.ca", as: ada).status == 200)
    }
  }

  @Test("what a stranger asked for and cannot confirm keeps the holder of the mailbox from nothing")
  func unconfirmed() async throws {
    try await AccountTestApp.run { app in
      let stranger = try await app.customer("bob@finaptic.com", name: "Bob")
      let holder = try await app.customer("ada@finaptic.com")
      _ = try await made(app, "pay@example.ca", as: stranger)
      #expect(try await create(app, "pay@example.ca", as: stranger).code == "TRANS_INTERAC_ALIAS_IN_USE")
      let strangers = try await app.link("confirm-autodeposit", to: "pay@example.ca")
      app.clock.advance(by: .seconds(1))
      let own = try await made(app, "Pay@Example.ca", as: holder)
      let page = try await app.link("confirm-autodeposit", to: "Pay@Example.ca")
      #expect(page != strangers)
      // Neither has it before one of them is confirmed.
      #expect(try await app.send(to: "pay@example.ca").transferType == "INTERAC_REGULAR_PAYMENT")
      #expect(try await app.call(.post, page).status == 303)
      #expect(try await app.call(.post, page).status == 303)
      #expect(try await app.send(to: "pay@example.ca").accountId == holder.account)
      #expect(try await app.call(.post, strangers).status != 303)
      #expect(try await create(app, "pay@example.ca", as: stranger).code == "TRANS_INTERAC_ALIAS_IN_USE")
      #expect(try await app.send(to: "pay@example.ca").accountId == holder.account)
      // It is free when its holder ends it, and the mailbox decides again.
      let id = FinapticAPI.DeleteRegistrationRequest(registrationId: own.registrationId)
      #expect(try await app.call(.deleteRegistration, id, as: holder).status == 200)
      #expect(try await app.call(.post, strangers).status == 303)
      #expect(try await app.send(to: "pay@example.ca").accountId == stranger.account)
    }
  }

  @Test("of racing creators each asks for the alias once, and no customer has six")
  func races() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      let codes = try await withThrowingTaskGroup(of: String?.self) { group in
        for number in 0..<8 {
          group.addTask { try await create(app, "one@example.ca", as: number.isMultiple(of: 2) ? ada : bob).code }
          group.addTask { try await create(app, "own\(number)@example.ca", as: ada).code }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let known: Set<String?> = [
        nil, "TRANS_INTERAC_ALIAS_IN_USE", "TRANS_INTERAC_REG_COUNT_EXCEEDED", "UNAVAILABLE",
      ]
      #expect(codes.allSatisfy { known.contains($0) }, "\(codes)")
      #expect(try await list(app, ada.account, as: ada).count <= 5)
      for customer in [ada, bob] {
        let own = try await list(app, customer.account, as: customer)
        #expect(own.filter { $0.aliasEmail == "one@example.ca" }.count <= 1)
      }
    }
  }

  @Test("it leads to another account of the customer's, and to no other customer's")
  func update() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", accounts: 2)
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      let made = try await made(app, "pay@example.ca", as: ada)
      func lead(_ account: String?, as customer: MoneyCustomer) async throws -> AccountTestApp.Answer {
        try await app.call(
          .updateRegistration,
          FinapticAPI.UpdateRegistrationRequest(registrationId: made.registrationId, accountId: account), as: customer)
      }
      let moved: FinapticAPI.RegistrationResponse = try await lead(ada.accounts[1], as: ada).view()
      #expect(moved.registration.accountId == ada.accounts[1])
      #expect(try await lead(bob.account, as: bob).code == "UNAUTHORIZED")
      let wrong = "400 INVALID_ARGUMENT TRANS_INTERAC_INVALID_ACCOUNT"
      #expect(try await lead(bob.account, as: ada).refusal == wrong)
      #expect(try await lead(app.dependencies.core.world.randomUUID(), as: ada).refusal == wrong)
      #expect(try await create(app, "other@example.ca", as: ada, account: bob.account).refusal == wrong)
      let listed = try await app.call(
        .listAutodepositRegistrations, FinapticAPI.AccountRequest(accountId: bob.account), as: ada)
      #expect(listed.refusal == wrong)
      #expect(try await list(app, ada.accounts[0], as: ada).isEmpty)
      #expect(try await list(app, ada.accounts[1], as: ada).map(\.registrationId) == [made.registrationId])
    }
  }

  @Test("who has the alias is asked, and confirms on a page; looking at it confirms nothing")
  func confirmation() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      _ = try await made(app, "pay@example.ca", as: ada)
      let page = try await app.link("confirm-autodeposit", to: "pay@example.ca")
      let shown = try await app.call(.get, page)
      #expect(shown.status == 200 && shown.json.contains("p•••@example.ca") && !shown.json.contains("pay@example"))
      #expect(try await app.send(to: "pay@example.ca").transferType == "INTERAC_REGULAR_PAYMENT")
      #expect(try await app.call(.post, page).status == 303)
      #expect(try await app.call(.post, page).status == 303)
      #expect(try await app.call(.get, "/finaptic/pages/autodeposit-confirmed").status == 200)
      #expect(try await app.send(to: "Pay@Example.ca").accountId == ada.account)
      #expect(try await app.call(.post, page + "x").status == 404)
      #expect(try await app.story(ada) == ["finaptic.autodeposit.created", "finaptic.autodeposit.confirmed"])
    }
  }

  @Test("the worker ends what was not confirmed or used, and tells a week before; each use begins the time anew")
  func time() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      _ = try await made(app, "used@example.ca", as: ada)
      app.clock.advance(by: .seconds(1))
      _ = try await made(app, "unconfirmed@example.ca", as: ada)
      let confirm = try await app.link("confirm-autodeposit", to: "used@example.ca")
      #expect(try await app.call(.post, confirm).status == 303)
      func left() async throws -> [String] {
        try await app.service.sweep()
        return try await app.database.read { [vault = app.vault] in
          try RegistrationStore($0, vault: vault).all(account: ada.account, limit: 9).compactMap(\.view.aliasEmail)
        }
      }
      app.clock.advance(by: .days(6))
      #expect(try await left() == ["used@example.ca", "unconfirmed@example.ca"])
      app.clock.advance(by: .days(1))
      #expect(try await left() == ["used@example.ca"])
      app.clock.advance(by: .days(352))
      #expect(try await left().count == 1)
      let ends = try await app.messages(to: "used@example.ca").filter { $0.subject?.contains("ends soon") == true }
      #expect(ends.count == 1)
      // A year after the sweep that told of its end.
      #expect(try await app.send(to: "used@example.ca").transferStatus == "ACCEPTED")
      app.clock.advance(by: .days(364))
      #expect(try await left().count == 1)
      let told = try await app.messages(to: "used@example.ca").filter { $0.subject?.contains("ends soon") == true }
      #expect(told.count == 2)
      app.clock.advance(by: .days(2))
      #expect(try await left().isEmpty)
    }
  }

  @Test("money for a customer who lost the account waits instead, and the registration is gone")
  func lostAccess() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      try await app.share(ada.account, with: bob)
      #expect(try await create(app, "bob@example.ca", as: bob, account: ada.account).status == 200)
      let page = try await app.link("confirm-autodeposit", to: "bob@example.ca")
      #expect(try await app.call(.post, page).status == 303)
      #expect(try await app.send(to: "bob@example.ca").accountId == ada.account)
      try await app.database.write { [parts = app.dependencies] in
        _ = try parts.ledger.removeAuthorized(bob.id, from: .init(rawValue: ada.account), in: $0)
      }
      #expect(try await app.send(to: "bob@example.ca").transferStatus == "AVAILABLE")
      #expect(try await list(app, ada.account, as: ada).isEmpty)
    }
  }
}

extension AccountTestApp {
  /// Actions of what a customer did with their registrations, in order.
  func story(_ customer: MoneyCustomer) async throws -> [String] {
    try await database.auditActions(of: "finaptic-customer-\(customer.id)")
  }
}
