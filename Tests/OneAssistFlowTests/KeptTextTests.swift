// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import OneAssistWire
import Testing

@testable import OneAssistFlow

@Suite("OneAssist: how much of a text of others is kept")
struct KeptTextTests {
  /// What a reader takes for one character.
  private static let joined = "a" + String(repeating: "\u{200D}", count: 1000)

  private func content(_ phone: InsuredPhone) async throws -> Membership.Content {
    let (id, vault) = (Membership.ID(rawValue: try await phone.membership()), phone.app.vault)
    return try #require(try await phone.app.database.read { try MembershipStore($0, vault: vault).find(id) }).content
  }

  @Test("64 Unicode scalars of the model that a phone names, however few characters they seem")
  func model() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app)
      let asked = OneAssist.LeadRequest(
        orderUUID: phone.order, address: nil,
        deviceDetail: .init(deviceModel: Self.joined, imei: OneAssistTestApp.imei, imei2: nil))
      #expect(try await phone.call(.post, "subscription-service/lead", WireJSON.encode(asked)).status == 200)
      #expect(try await content(phone).deviceModel?.unicodeScalars.count == 64)
    }
  }

  @Test("as many Unicode scalars of a partner's texts as the interface promises characters")
  func sale() async throws {
    try await OneAssistTestApp.run { app in
      let phone = try await InsuredPhone(app) {
        $0.replacing(#""F","relationship":"self""#, with: "\"\(Self.joined)\",\"relationship\":\"\(Self.joined)\"")
          .replacing("60000", with: "60000,\"serialNo1\":\"\(Self.joined)\"")
          .replacing("COD", with: Self.joined)
      }
      let content = try await content(phone)
      let kept = [content.gender, content.relationship, content.paymentMode, content.serial]
      #expect(kept.map { $0?.unicodeScalars.count } == [16, 16, 32, 64])
      #expect(content.relationship?.unicodeScalars.first == "A")
    }
  }
}
