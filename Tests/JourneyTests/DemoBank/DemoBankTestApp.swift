// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Kit
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

/// An installation with a demonstration bank, on a socket, with its worker; and a customer of the bank.
struct DemoBankTestApp: Sendable {
  let app: App
  let address: URL
  let bank: DemoBankSetup.Made
  let clock: DemoClock
  let folder: TestFolder

  static func run(_ play: @escaping @Sendable (DemoBankTestApp) async throws -> Void) async throws {
    let (folder, clock) = (try TestFolder(), DemoClock())
    let store = try await TestDatabase.make(.current, Schema.migrations)
    try await DemoApp.runWithBank(
      in: folder.file("data"), clock: clock, database: store.database, makeKey: KeySequence().next
    ) { app, address, made in
      try await play(DemoBankTestApp(app: app, address: address, bank: made, clock: clock, folder: folder))
    }
  }

  func browser() -> DemoBrowser { DemoBrowser(address: address) }

  /// A customer with a browser and a phone.
  func customer(_ number: Int = 0, version: Int = 2) throws -> SaltEdgePlay {
    try SaltEdgePlay(
      address: address, version: version, username: bank.passwords[number].username,
      password: bank.passwords[number].password,
      folder: URL(fileURLWithPath: folder.file("phone-\(number)-\(version)")), time: { [clock] in clock.now })
  }

  /// Signed in at the page, with a connected phone.
  func connected(_ number: Int = 0, version: Int = 2) async throws -> SaltEdgePlay {
    let customer = try customer(number, version: version)
    try await customer.setUp()
    _ = try await customer.connect(by: try await customer.browser.open("/demo-bank/connect?api=\(version)"))
    _ = try await customer.signIn()
    return customer
  }

  func send(
    _ method: String, _ path: String, headers: TransportHeaders = [:], body: Data? = nil
  ) async throws -> TransportResponse {
    let url = try #require(URL(string: path, relativeTo: address)).absoluteURL
    return try await HTTPTransport.live().send(
      TransportRequest(method: method, url: url, headers: headers, body: body))
  }
}
