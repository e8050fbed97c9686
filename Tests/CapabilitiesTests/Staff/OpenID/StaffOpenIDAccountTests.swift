// SPDX-License-Identifier: Apache-2.0

import Kit
import Testing
import TestSupport

@testable import Identity

@Suite("Staff: whose account of an identity provider it is")
struct StaffOpenIDAccountTests {
  @Test("the same subject is another account at another issuer, and another one at another institution")
  func namespaces() async throws {
    let bank = try await OpenIDTestApp()
    func account(_ subject: String, at issuer: String = PlayedProvider.issuer, of tenant: String = "bank") -> String {
      let provider = OpenIDProvider(
        tenant: tenant, name: "Bank", issuer: issuer, clientID: "gatehouse", clientSecret: nil, roles: [:])
      return bank.openID.account(subject, of: provider)
    }
    let accounts = [account("1"), account("2"), account("1", at: "https://other.example"), account("1", of: "other")]
    #expect(Set(accounts).count == accounts.count && account("1") == accounts[0])
  }
}
