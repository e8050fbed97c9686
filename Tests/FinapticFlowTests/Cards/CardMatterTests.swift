// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Testing

@testable import FinapticFlow

@Suite("Finaptic: the money of cards beside their accounts")
struct CardMatterTests {
  @Test("an account does not end while a payment by card of it is not over, and what is not over is named")
  func ending() async throws {
    try await IssuerTests.run(cents: 10_00) { issuer in
      let (app, tenant) = (issuer.app, CardTestApp.tenant)
      /// What closing the account and erasing its owner are refused for.
      func refusals() async throws -> [String] {
        var found = [String]()
        let closing = try await #require(throws: Problem.self) {
          try await app.dependencies.bankStops.setStatus(
            BankAccount.Status.closed, of: issuer.product.account.rawValue, tenant: tenant, reason: "CUSTOMER_REQUEST",
            payout: nil, by: "test")
        }
        found.append(closing.detail)
        for way in [nil, ErasureMoney.payout, .writeOff] {
          let erasing = try await #require(throws: Problem.self) {
            guard let way else {
              _ = try await app.dependencies.erasure.erase(
                issuer.person.customer, tenant: tenant, reason: .ended, by: "test", despiteDuty: true)
              return
            }
            _ = try await app.dependencies.erasure.erase(
              issuer.person.customer, tenant: tenant, settling: way, approval: nil, reason: .ended, by: "test",
              despiteDuty: true)
          }
          #expect(erasing.code == "card-payments-open")
          found.append(erasing.detail)
        }
        return found
      }
      // The balance is 0 in all of it.
      _ = try await issuer.told("clearings", "m1", "a1", "10.00")
      _ = try await issuer.told("chargebacks", "m2", "a1", nil, ["dispute_id": "d1", "reason_code": "10.4"])
      let dispute = try #require(try await app.dependencies.cardDisputes.waiting(of: tenant).first)
      #expect(try await refusals().allSatisfy { $0.contains("dispute \(dispute.id).") })
      _ = try await issuer.told("chargebacks/steps", "m3", nil, nil, ["dispute_id": "d1", "event": "LOST"])
      #expect(try await issuer.told("clearings", "m4", nil, "3.00").suspended?.amount == "3.00")
      let item = try #require(try await app.dependencies.cardSuspense.waiting(of: tenant).first)
      #expect(try await refusals().allSatisfy { $0.contains("suspense \(item.id).") })
      try await app.deposit(3_00, on: issuer.product.account)
      #expect(try await app.dependencies.cardSuspense.resolve(item.id, of: tenant, by: "test") == nil)
      let outcome = try await app.dependencies.erasure.erase(
        issuer.person.customer, tenant: tenant, reason: .ended, by: "test", despiteDuty: true)
      #expect(outcome.accounts == 1)
    }
  }

  @Test("the day's limit counts what a payment grew on that day, whenever it began")
  func dayLimit() async throws {
    try await IssuerTests.run(cents: 500_00) { issuer in
      let policy = issuer.app.dependencies.cardPolicy
      try await policy.set(.init(paymentMax: 300_00, dayMax: 100_00), of: CardTestApp.tenant, by: "test")
      #expect(try await issuer.told("authorizations", "m1", "a1", "60.00").response_code == "00")
      issuer.app.accounts.clock.advance(by: .days(1))
      // (message, call, authorization, amount, code): the second day begins with nothing spent.
      let day: [(String, String, String, String, String)] = [
        ("m2", "increments", "a1", "70.00", "00"), ("m3", "authorizations", "a3", "30.01", "61"),
        ("m4", "authorizations", "a4", "30.00", "00"), ("m5", "increments", "a1", "0.01", "61"),
        ("m6", "reversals", "a1", "20.00", "00"), ("m7", "increments", "a4", "20.00", "00"),
        ("m8", "increments", "a4", "0.01", "61"),
      ]
      for (message, call, name, amount, code) in day {
        #expect(try await issuer.told(call, message, name, amount).response_code == code, "\(message)")
      }
      // What is cleared of yesterday's is not counted twice.
      _ = try await issuer.told("clearings", "m9", "a1", "110.00")
      #expect(try await issuer.told("authorizations", "m10", "a10", "0.01").response_code == "61")
      issuer.app.accounts.clock.advance(by: .days(1))
      #expect(try await issuer.told("authorizations", "m11", "a11", "100.00").response_code == "00")
      // What is not named stays, and a limit ends when it is named.
      try await policy.set(.init(overPercent: 5), of: CardTestApp.tenant, by: "test")
      #expect(
        try await policy.limits(of: CardTestApp.tenant)
          == .init(paymentMax: 300_00, dayMax: 100_00, overPercent: 5))
      try await policy.set(.init(dayMax: .some(nil)), of: CardTestApp.tenant, by: "test")
      #expect(try await policy.limits(of: CardTestApp.tenant) == .init(paymentMax: 300_00, overPercent: 5))
    }
  }

  @Test("what stays on suspense is written off by two, once, and what comes back of it is not the customer's")
  func writtenOff() async throws {
    try await IssuerTests.run(cents: 0) { issuer in
      let (app, tenant) = (issuer.app, CardTestApp.tenant)
      let (desk, suspense) = (try await FourEyesClients(app), app.dependencies.cardSuspense)
      let fees = InternalAccounts.account(.fees, tenant: tenant)
      let before = try await app.balance(of: fees)[0]
      #expect(try await issuer.told("clearings", "m1", "a1", "7.00").suspended?.amount == "7.00")
      let item = try #require(try await suspense.waiting(of: tenant).first)
      let listed = try await desk.call("/postings/card-suspense", nil, as: desk.maker)
      #expect(listed.status == 200 && listed.json.contains(item.id.rawValue))
      let key = FourEyesClients.key()
      func writeOff() async throws -> CardTestApp.Answer {
        try await desk.call(
          "/postings/card-suspense/\(item.id)/write-off", ["reason": "GOODWILL"], as: desk.maker, once: key)
      }
      let asked = try JSONDecoder().decode(FourEyesClients.Answer.self, from: try await writeOff().body)
      let approval = try #require(asked.approval_id)
      #expect(try await writeOff().status == 202)
      #expect(try await desk.decide(approval, as: desk.maker) == 403)
      #expect(try await issuer.suspense() == -7_00)
      #expect(try await desk.decide(approval) == 200)
      let (first, second) = (try await writeOff(), try await writeOff())
      #expect(first.status == 200 && first.body == second.body)
      #expect(try await app.balance(of: fees)[0] == before - 7_00)
      #expect(try await issuer.suspense() == 0)
      await #expect(throws: Problem.self) { try await suspense.resolve(item.id, of: tenant, by: "test") }

      // The merchant gives 3.00 of it back: the bank keeps them, by its own decision.
      #expect(try await issuer.told("refunds", "m2", "a1", "3.00").suspended?.amount == "3.00")
      #expect(try await issuer.balance() == [0, 0])
      let due = try #require(try await suspense.waiting(of: tenant).first)
      #expect(due.direction == .due && due.reason == .writtenOff)
      let command = try await suspense.writeOff(
        due.id, because: "RECONCILIATION", of: tenant, under: .desk, by: "agent:a")
      let word = try #require(command)
      #expect(word.act.content.contains("3.00 CAD; due"))
      #expect(try await desk.decide(word.id) == 200)
      #expect(try await !desk.isVoid(word.act))
      #expect(
        try await suspense.writeOff(
          due.id, because: "RECONCILIATION", of: tenant, under: .desk, by: "agent:a") == nil)
      #expect(try await desk.isVoid(word.act))
      #expect(try await app.balance(of: fees)[0] == before - 4_00)
      #expect(
        try await app.accounts.story(chain: "card-suspense-\(item.id)") == [
          "finaptic.cardSuspense.opened", "finaptic.act.asked", "finaptic.act.carriedOut",
          "finaptic.cardSuspense.writtenOff", "finaptic.cardSuspense.returnedLate",
        ])
    }
  }
}
