// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite(
  "Journey: the Authenticator's sample application and the demonstration bank", .onOneEngine, .serialized,
  .enabled(if: SampleAuthenticator.file != nil, SampleAuthenticator.missing))
struct SampleAuthenticatorTests {
  @Test(
    "a bank is connected by its code's picture, a payment of the page is confirmed by another one, and one is denied",
    .timeLimit(.minutes(3)), arguments: [1, 2])
  func whole(version: Int) async throws {
    try await DemoBankTestApp.run { home in
      let customer = try home.customer(version: version)
      let phone = home.folder.file("sample-\(version)")
      let sample = try SampleAuthenticator(folder: phone)
      #expect(try await sample.screen().hasPrefix("=== welcome\n"))
      try await sample.tell("press begin")
      for _ in 0..<2 { try await sample.tell("type passcode 2603") }
      #expect(try await sample.tell("wait authorizations.no-connections").contains("No connections"))

      let code = try await customer.browser.open("/demo-bank/connect?api=\(version)")
      try await sample.tell("press scan-code")
      try await sample.tell("scan \(try Self.picture(code, home, "connect-\(version)"))")
      let page = try await sample.tell("wait page")
      try await sample.tell("end \(try await Self.signIn(at: page, customer, home))")
      #expect(try await sample.tell("wait done").contains("Demo Bank"))
      try await sample.tell("press done")
      #expect(try await customer.signIn().phones == 1)

      let ordered = try await customer.order(DemoPayment(), by: "code")
      let shown = try await customer.withCode(ordered, in: customer.browser)
      try await sample.tell("press scan-code")
      try await sample.tell("scan \(try Self.picture(shown, home, "pay-\(version)"))")
      let asked = try await sample.tell("wait confirm")
      #expect(asked.contains("Pay 12.50 EUR") && asked.contains("Utopia Water Works"), "\(asked)")
      try await sample.tell("press confirm")
      #expect(try await sample.tell("type passcode 1111").contains("Wrong passcode"))
      #expect(try await sample.tell("type passcode 2603").contains("authorization.over-confirmed"))
      #expect(try await customer.settled(shown).state == "Paid")
      #expect(try await sample.end() == 0)

      // The program starts anew, and is opened by the passcode.
      let again = try SampleAuthenticator(folder: phone)
      #expect(try await again.screen().hasPrefix("=== unlock.asking\n"))
      try await again.tell("type passcode 2603")
      let second = try await customer.order(DemoPayment(payee: "Unknown Shop", amount: "9999.00"))
      try await again.tell("wait authorization-1")
      #expect(try await again.tell("press authorization-1").contains("Pay 9999.00 EUR"))
      #expect(try await again.tell("press deny").contains("authorization.over-denied"))
      #expect(try await customer.settled(second).state == "Denied")
      #expect(try await again.tell("press no-such").hasPrefix("? "))
      #expect(try await again.end() == 0)
    }
  }

  /// The picture of a page's code, in a file.
  private static func picture(_ page: DemoPage, _ home: DemoBankTestApp, _ name: String) throws -> String {
    let file = home.folder.file("\(name).png")
    try #require(page.picture).write(to: URL(fileURLWithPath: file))
    return file
  }

  /// What the user does on the page that the sample shows.
  /// - Returns: where the page ends.
  private static func signIn(
    at screen: String, _ customer: SaltEdgePlay, _ home: DemoBankTestApp
  ) async throws -> String {
    let address = try #require(screen.firstMatch(of: #/page: (\S+)/#), "\(screen)").1
    let view = home.browser()
    try await view.open(String(address))
    let end = try await view.submit(
      "/demo-bank/enrol",
      ["username": customer.username, "password": customer.password, "action": "sign-in"])
    return try #require(end.location)
  }
}
