// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeWire
import Kit
import SaltEdgeCore
import Testing

@testable import SaltEdgeFlow

@Suite("Salt Edge: the service's key is turned over")
struct ServiceKeyTests {
  private struct View: Decodable {
    let service_public_key: String
    let next_service_public_key: String?
  }

  @Test("the next key is known to banks before it signs, and then signs at once, on every node")
  func turnedOver() async throws {
    try await SaltEdgeTestApp.run { app in
      let keys = app.service.keys
      let before = try await keys.publicKey()
      await #expect(throws: Problem.self) { try await keys.promote(by: "operator") }
      let next = try await keys.prepare(by: "operator")
      #expect(next != before)
      #expect(try await keys.prepare(by: "operator") == next)
      let view: View = try await app.api(.get, "").view()
      #expect(view.service_public_key == before && view.next_service_public_key == next)
      // The bank has the old one still, and it still signs.
      let device = try await DeviceV2.connected(app)
      // Another operator's process: this node has the old key in memory.
      let elsewhere = ServiceKeys(app.service.core)
      try await elsewhere.promote(by: "operator")
      #expect(try await keys.publicKey() == next)
      await app.bank.meet(serviceKey: try RSAPublicKey(pem: next), provider: app.remote.id)
      #expect(try await DeviceV2.ask(app, to: app.remote, key: device.key).status == 200)
      let after: View = try await app.api(.get, "").view()
      #expect(after.service_public_key == next && after.next_service_public_key == nil)
      #expect(
        try await app.audit("service-key") == ["saltedge.serviceKey.prepared", "saltedge.serviceKey.promoted"])
    }
  }
}
