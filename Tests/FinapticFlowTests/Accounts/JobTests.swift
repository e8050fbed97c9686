// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

extension FinapticService {
  /// Everything that time does, once.
  func sweep() async throws {
    try await jobs.runOnce()
  }
}

@Suite("Finaptic: what time does goes on, whatever stands in one row's way")
struct JobTests {
  @Test("a row that cannot be read holds up neither its neighbours nor any other scheduled job")
  func scheduler() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      var ids: [String] = []
      for alias in ["one@example.ca", "two@example.ca"] {
        let made: FinapticAPI.RegistrationResponse = try await app.call(
          .createRegistration,
          FinapticAPI.CreateRegistrationRequest(registration: .init(accountId: ada.account, aliasEmail: alias)),
          as: ada
        ).view()
        ids.append(try #require(made.registration.registrationId))
      }
      let invited: FinapticAPI.InvitationResponse = try await app.call(
        .inviteAuthorizedUser,
        FinapticAPI.InviteAuthorizedUserRequest(
          invitedCustomerIdentifier: "bob@example.ca", accountId: ada.account), as: ada
      ).view()
      let bad = ids[0]
      try await app.database.write {
        _ = try $0.execute("UPDATE finaptic_autodeposit SET sealed_alias = \(Data([7])) WHERE id = \(bad)")
      }
      app.clock.advance(by: .days(8))
      var failed: [String] = []
      for job in app.app.scheduler.jobs {
        do { try await job.run() } catch { failed.append(job.name) }
      }
      #expect(failed == ["unconfirmed-registrations"])
      let left: [String] = try await app.database.read {
        try $0.query("SELECT id FROM finaptic_autodeposit").map { try $0.get("id") }
      }
      #expect(left == [bad])
      #expect(try await app.story(chain: invited.invitation.invitationId).last == "finaptic.invitation.expired")
    }
  }

  @Test("of two authorizations that are over, the one that can be given back is")
  func cardPayments() async throws {
    try await CardTestApp.run { app in
      let product = try await app.open(for: app.customer("ada"))
      let bad = try await app.pay(30_00, by: product.card, "authorizePurchase")
      app.accounts.clock.advance(by: .seconds(1))
      _ = try await app.pay(20_00, by: product.card, "authorizePurchase")
      try await app.database.write {
        _ = try $0.execute("UPDATE finaptic_card_payment SET sealed_merchant = \(Data([7])) WHERE id = \(bad.id)")
      }
      app.accounts.clock.advance(by: .days(8))
      await #expect(throws: (any Error).self) { try await app.dependencies.cardPayments.expire() }
      #expect(try await app.balance(of: product.account) == [100_00, 70_00])
    }
  }

  @Test("a picture that cannot be deleted keeps its row, and the others go")
  func pictures() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      try await applicant.fill()
      let (bad, good) = (try await applicant.upload(), try await applicant.upload())
      try await app.database.write {
        _ = try $0.execute("UPDATE finaptic_file SET blob_key = '../none' WHERE id = \(bad)")
      }
      app.clock.advance(by: .hours(24))
      await #expect(throws: (any Error).self) { try await app.dependencies.files.sweep() }
      let left: [String] = try await app.database.read {
        try $0.query("SELECT id FROM finaptic_file").map { try $0.get("id") }
      }
      #expect(left.contains(bad) && !left.contains(good))
    }
  }
}
