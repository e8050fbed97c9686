// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import Foundation
import Kit
import Testing

@testable import GatehouseApp

/// A profile of transfers or of autodeposit, from any `finaptic-test-profiles*.json` of the specification.
struct FinapticMoneyProfile: Decodable, Sendable, CustomTestStringConvertible {
  struct Input: Decodable, Sendable {
    var available: String?
    var amount: String?
    var currency: String?
    var source: String?
    var aliasEmail: String?
    var aliasPhoneNumber: String?
    var account: String?
    var `repeat`: Int?
    var createDistinctEmails: Int?
    var thenDelete: Int?
    var thenCreateSameAlias: Bool?
  }

  struct Outcome: Decodable, Sendable {
    var success: Bool?
    var error: String?
    var genericCode: String?
    var status: String?
    var reason: String?
    var reasonNonEmpty: Bool?
  }

  struct Expectation: Decodable, Sendable {
    var last: Outcome?
    var sixth: Outcome?
    let own: Outcome

    enum CodingKeys: String, CodingKey { case last, sixth }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      last = try container.decodeIfPresent(Outcome.self, forKey: .last)
      sixth = try container.decodeIfPresent(Outcome.self, forKey: .sixth)
      own = try Outcome(from: decoder)
    }

    /// Of the call that the profile is about: the last one.
    var outcome: Outcome { last ?? sixth ?? own }
  }

  let id: String
  let category: String
  let input: Input
  let expect: Expectation

  var testDescription: String { id }

  private struct File: Decodable {
    struct Entry: Decodable {
      let profile: FinapticMoneyProfile?

      init(from decoder: any Decoder) throws { profile = try? FinapticMoneyProfile(from: decoder) }
    }

    let profiles: [Entry]
  }

  static func of(_ category: String) -> [FinapticMoneyProfile] {
    FinapticProfile.files.flatMap { file -> [FinapticMoneyProfile] in
      guard let data = try? Data(contentsOf: file), let read = try? JSONDecoder().decode(File.self, from: data) else {
        return []
      }
      return read.profiles.compactMap(\.profile).filter { $0.category == category }
    }
  }
}

@Suite(
  "Finaptic money: published profiles", .onOneEngine,
  .enabled(if: !FinapticProfile.files.isEmpty, "no folder of profiles"))
struct FinapticMoneyProfileTests {
  private static let unknown = "00000000-0000-4000-8000-000000000000"

  @Test("every profile of the files is played", arguments: ["autodeposit", "internalTransfer"])
  func counted(category: String) throws {
    #expect(try FinapticMoneyProfile.of(category).count == FinapticProfile.count(category))
  }

  @Test("transfers between accounts", arguments: FinapticMoneyProfile.of("internalTransfer"))
  func transfer(profile: FinapticMoneyProfile) async throws {
    try await FinapticTestApp.run { app in
      let (sdk, customer, own) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let second = try await app.account(of: customer)
      var source = own
      if profile.input.source != nil {
        (_, _, source) = try await FinapticApplicant.customer(in: app, email: "bob@example.ca")
      } else if let funds = profile.input.available, Decimal(string: funds) != 0 {
        _ = try await app.simulation().deposit(
          .init(accountId: own, amount: .init(amount: funds, currency: "CAD")), key: UUID().uuidString)
      }
      let amount = Amount(
        amount: try #require(Decimal(string: profile.input.amount ?? "")), currency: profile.input.currency ?? "CAD")
      let (from, wanted) = (source, profile.expect.outcome)
      do {
        let answer = try await sdk.coreTransferClient.initiateTransfer(
          request: InitiateTransferRequest(
            sourceAccountId: from, destinationAccountId: second, fundTransfer: amount))
        #expect(answer.details.status.rawValue == wanted.status)
        if let reason = wanted.reason { #expect(answer.reason == reason) }
        if let isNamed = wanted.reasonNonEmpty { #expect(answer.reason.isEmpty != isNamed) }
      } catch let error as FinapticError { #expect("\(error.code)" == wanted.error, "\(error)") }
    }
  }

  @Test("autodeposit registrations", arguments: FinapticMoneyProfile.of("autodeposit"))
  func registration(profile: FinapticMoneyProfile) async throws {
    try await FinapticTestApp.run { app in
      let (sdk, _, own) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let (input, wanted) = (profile.input, profile.expect.outcome)
      func create(_ email: String?) async throws -> String {
        let phone = input.aliasPhoneNumber.map { PhoneNumber(phoneNumber: $0) }
        let made = try await sdk.interacClient.createRegistration(
          request: CreateRegistrationRequest(
            registration: Registration(
              accountId: input.account == nil ? own : Self.unknown, aliasEmail: email, aliasPhoneNumber: phone)))
        return try #require(made.registration.registrationId)
      }
      do {
        for number in 1..<max(input.createDistinctEmails ?? 1, 1) { _ = try await create("n\(number)@example.ca") }
        for _ in 1..<max(input.repeat ?? 1, 1) { _ = try await create(input.aliasEmail) }
        let last = try await create(input.createDistinctEmails == nil ? input.aliasEmail : "last@example.ca")
        if input.thenDelete != nil {
          _ = try await sdk.interacClient.deleteRegistration(request: DeleteRegistrationRequest(registrationId: last))
        }
        if input.thenCreateSameAlias == true { _ = try await create(input.aliasEmail) }
        #expect(wanted.success == true)
      } catch let error as FinapticError {
        #expect("\(error.code)" == wanted.error, "\(error)")
        if let family = wanted.genericCode { #expect("\(error.genericCode)" == family) }
      }
    }
  }
}
