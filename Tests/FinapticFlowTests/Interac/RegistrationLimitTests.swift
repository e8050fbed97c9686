// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: how often aliases may be looked up")
struct RegistrationLimitTests {
  private static let exhausted = "429 RESOURCE_EXHAUSTED RESOURCE_EXHAUSTED"

  private func create(
    _ app: AccountTestApp, _ email: String, as customer: MoneyCustomer
  ) async throws -> AccountTestApp.Answer {
    try await app.call(
      .createRegistration,
      FinapticAPI.CreateRegistrationRequest(
        registration: .init(accountId: customer.account, aliasEmail: email)), as: customer)
  }

  /// Makes a registration and ends it, which leaves its message.
  private func ask(_ app: AccountTestApp, _ email: String, as customer: MoneyCustomer) async throws {
    let made: FinapticAPI.RegistrationResponse = try await create(app, email, as: customer).view()
    let deleted = try await app.call(
      .deleteRegistration,
      FinapticAPI.DeleteRegistrationRequest(registrationId: made.registration.registrationId), as: customer)
    #expect(deleted.status == 200)
  }

  private func again(_ app: AccountTestApp, _ customer: MoneyCustomer) async throws -> MoneyCustomer {
    let session: FinapticAPI.AuthState = try await app.signIn(customer.email).view()
    return MoneyCustomer(
      id: customer.id, email: customer.email, token: session.accessToken, accounts: customer.accounts)
  }

  @Test("an alias gets ten messages a day, of which one customer has three sent, and the store counts without its name")
  func perAlias() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      let others = [try await app.customer("cy@finaptic.com", name: "Cy"), try await app.customer("di@finaptic.com")]
      for customer in [ada, bob, others[0]] {
        for _ in 0..<3 { try await ask(app, "pay@example.ca", as: customer) }
        // Others may have it sent still.
        #expect(try await create(app, "PAY@example.ca", as: customer).refusal == Self.exhausted)
      }
      try await ask(app, "pay@example.ca", as: others[1])
      #expect(try await create(app, "PAY@example.ca", as: others[1]).refusal == Self.exhausted)
      #expect(try await create(app, "other@example.ca", as: ada).status == 200)
      // What counts lies in the store, so it outlives the process and is one for all nodes.
      let counts = try await app.database.read {
        try $0.query("SELECT subject, used FROM rate_counter WHERE subject LIKE 'finaptic-autodeposit-alias %'").map {
          (try $0.get("subject", as: String.self), try $0.get("used", as: Int.self))
        }
      }
      #expect(counts.map(\.1).sorted() == [1, 10])
      #expect(counts.allSatisfy { !$0.0.contains("example") && !$0.0.contains("pay") })
      app.clock.advance(by: .days(1))
      #expect(try await create(app, "pay@example.ca", as: try await again(app, bob)).status == 200)
    }
  }

  @Test("a customer has twenty messages a day sent, to whomever")
  func perCustomer() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      for number in 0..<20 { try await ask(app, "n\(number)@example.ca", as: ada) }
      #expect(try await create(app, "last@example.ca", as: ada).refusal == Self.exhausted)
      #expect(try await create(app, "last@example.ca", as: bob).status == 200)
      app.clock.advance(by: .days(1))
      #expect(try await create(app, "first@example.ca", as: try await again(app, ada)).status == 200)
    }
  }

  @Test("an unconfirmed registration lapses, also before the worker runs: its alias and its place are free")
  func lapsed() async throws {
    try await AccountTestApp.run { app in
      var ada = try await app.customer("ada@finaptic.com")
      var bob = try await app.customer("bob@finaptic.com", name: "Bob")
      let made: FinapticAPI.RegistrationResponse = try await create(app, "pay@example.ca", as: ada).view()
      for number in 2...5 { #expect(try await create(app, "n\(number)@example.ca", as: ada).status == 200) }
      let page = try await app.link("confirm-autodeposit", to: "pay@example.ca")
      app.clock.advance(by: .days(7))
      (ada, bob) = (try await again(app, ada), try await again(app, bob))
      let listed: FinapticAPI.RegistrationsResponse = try await app.call(
        .listAutodepositRegistrations, FinapticAPI.AccountRequest(accountId: ada.account), as: ada
      ).view()
      #expect(listed.registrations.isEmpty)
      let id = FinapticAPI.DeleteRegistrationRequest(registrationId: made.registration.registrationId)
      #expect(try await app.call(.deleteRegistration, id, as: ada).code == "UNAUTHORIZED")
      #expect(try await app.call(.post, page).status != 303)
      #expect(try await create(app, "pay@example.ca", as: bob).status == 200)
      for number in 1...5 { #expect(try await create(app, "own\(number)@example.ca", as: ada).status == 200) }
      try await app.service.sweep()
      #expect(try await app.story(ada).filter { $0 == "finaptic.autodeposit.expired" }.count == 5)
    }
  }
}
