// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import SaltEdgeWire
import Kit
import TestSupport
import Testing

@testable import SaltEdgeFlow

@Suite("Salt Edge: an operation is worded once")
struct WordingTests {
  private func operation(_ shown: SaltEdgeFlow.Operation.Shown?) -> SaltEdgeFlow.Operation {
    let now = Instant(milliseconds: 1_795_240_800_000)
    return SaltEdgeFlow.Operation(
      id: .init(rawValue: "7"), provider: .init(rawValue: "1"), reference: "r", userDigest: "u",
      needsConfirmation: true, state: .pending, expiresAt: now + .minutes(5), createdAt: now,
      content: .init(
        user: "u-1", title: "Payment", payment: .init(payee: "Shop", amount: "12.50", currency: "EUR"),
        salt: Data(repeating: 1, count: 16),
        shown: shown))
  }

  @Test("what another version of the program worded is what devices and evidence show", .storeless)
  func kept() throws {
    let worded = operation(.init(v2: #"{"title":"Zahlung"}"#, description: "Betrag: 12,50 EUR"))
    #expect(try worded.shownV2() == #"{"title":"Zahlung"}"#)
    let v1 = try WireJSON.decode(
      SaltEdgeV1.Authorization.self, from: Data(worded.shownV1(on: .init(rawValue: "5")).utf8))
    #expect(v1.description == "Betrag: 12,50 EUR")
  }

  @Test(
    "it is worded as it would be shown, and what is stored without a wording is worded when it is shown", .storeless)
  func settled() throws {
    var settled = operation(nil)
    let before = (try settled.shownV2(), try settled.shownV1(on: .init(rawValue: "5")))
    try settled.settleWording()
    #expect(settled.content.shown?.v2 == before.0)
    #expect(settled.content.shown?.description == "Payee: Shop\nAmount: 12.50 EUR")
    #expect(try settled.shownV1(on: .init(rawValue: "5")) == before.1)
  }

  @Test("an operation has its wording from the moment on at which it has a customer")
  func opened() async throws {
    try await SaltEdgeTestApp.run { app in
      let device = try await DeviceV2.hosted(app)
      func stored(_ reference: String) async throws -> SaltEdgeFlow.Operation {
        let (core, provider) = (app.service.core, app.hosted.id)
        return try #require(
          try await app.database.read {
            try OperationStore($0, vault: core.vault).find(reference, of: provider)
          })
      }
      _ = try await app.api(.post, "authorizations", ProviderAPITests.payment)
      #expect(try await stored("order-1").content.shown != nil)
      let offered: ProviderAPITests.Opened = try await app.api(
        .post, "authorizations", #"{"reference":"qr","title":"Pay here"}"#
      ).view()
      #expect(try await stored("qr").content.shown == nil)
      _ = try await device.send(
        .post, "authorizations",
        SaltEdgeV2.ActionSubmission(
          providerID: .init(device.provider), actionID: .init(offered.authorization.id),
          connectionID: .init(device.connection)))
      let picked = try await stored("qr")
      #expect(picked.content.shown?.v2.contains(picked.code.text) == true)
    }
  }
}
