// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp
@testable import Identity

@Suite(
  "Journey: a passkey in a browser", .serialized, .onOneEngine,
  .enabled(if: Chromium.isInstalled, "\(Chromium.missing)"))
@MainActor
struct PasskeyBrowserTests {
  private static let (email, password) = ("agent@bank.example", "utopia lies westward 9")
  private static let home = "/console/webhooks"

  @Test("a key that is added on the account page is offered by the browser at the next sign-in, and is enough")
  func whole() async throws {
    try await served { address, member, app, folder in
      try await play(at: address, member, app, in: folder)
      let lines = try await app.database.read { try AuditStore($0).lines(of: member.id.rawValue) }
      #expect(
        lines.filter { $0.action == "agent.signed_in" }.map { $0.facts["factor"] } == ["none", "passkey"])
    }
  }

  @Test("while the page of the sign-in stands open, no challenge is offered for longer than the server takes it")
  func renewed() async throws {
    try await served { address, _, _, folder in
      let tab = try ChromiumTab(width: 1000, height: 900, in: folder)
      // The test moves the clock, and each fetch of a page moves it a little.
      try tab.prepare(
        """
        window.now = 0; window.offers = []; window.ticks = [];
        Date.now = () => window.now;
        window.setInterval = (tick, pause) => window.ticks.push({ tick, pause });
        window.offerer = () => window.ticks.findLast(({ pause }) => pause > 60000);
        const load = window.fetch;
        window.fetch = (...asked) => { window.now += 100; return load(...asked); };
        PublicKeyCredential.isConditionalMediationAvailable = async () => true;
        navigator.credentials.get = ({ publicKey }) => {
          window.offers.push(String(new Uint8Array(publicKey.challenge)));
          return new Promise(() => {});
        };
        """)
      try tab.open("\(address)/console/sign-in")
      try tab.wait(for: "window.offers.length === 1")
      for offers in 2...5 {
        try tab.evaluate(
          "(() => { const { tick, pause } = offerer(); window.now = pause * \(offers - 1); tick(); })()")
        try tab.wait(for: "window.offers.length === \(offers)")
      }
      #expect(try tab.evaluate("new Set(window.offers).size") == "5")
      let goodFor = StaffPasskeys.challengeLifetime.wholeSeconds * 1000
      #expect(try tab.evaluate("offerer().pause < \(goodFor)") == "true")
      // Who looks at it again after longer is not offered the old one.
      try tab.evaluate("(() => { window.now += 200000; document.dispatchEvent(new Event('visibilitychange')); })()")
      try tab.wait(for: "window.offers.length === 6")
      #expect(try tab.evaluate("new Set(window.offers).size") == "6")
    }
  }

  private func served(
    _ visit: @escaping @MainActor @Sendable (String, StaffMember, App, TestFolder) async throws -> Void
  ) async throws {
    let (clock, folder, log) = (TestWorld(), try TestFolder(), LogRecorder())
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    // Keys are bound to the origin, port and all, which has to be known before the server is made.
    settings.port = Int(try ListeningPort().number)
    let store = try await TestDatabase.make(.current, Schema.migrations)
    let app = try await App.open(
      settings, database: store.database, world: clock.world, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    let member = try await app.staff.add(
      NewStaffMember(
        tenant: "default", email: Self.email, name: "Ada Agent", gender: .female, languages: ["en"],
        permissions: [.readWebhooks], password: Self.password), by: "operator")
    try await LoopbackServer.run({ @Sendable bound in [app.server { bound.yield($0) }] }, logger: log.logger) { port in
      try await visit("http://localhost:\(port)", member, app, folder)
    }
  }

  private func play(at address: String, _ member: StaffMember, _ app: App, in folder: TestFolder) async throws {
    let tab = try ChromiumTab(width: 1000, height: 900, in: folder)
    try tab.addAuthenticator()
    try tab.open("\(address)/console/sign-in")
    try tab.evaluate(
      """
      (() => {
        const form = document.querySelector("main form");
        form.elements.email.value = "\(Self.email)";
        form.elements.password.value = "\(Self.password)";
        form.requestSubmit();
      })()
      """)
    try tab.wait(for: "location.pathname === '\(Self.home)' && document.readyState === 'complete'")
    // As set up long ago: a key needs an authenticator app beside it.
    try await app.database.write { tx in
      _ = try StaffFactorStore(tx).confirm(member.id, sealed: Data([1]), step: 1, at: Instant(milliseconds: 1))
    }
    try tab.open("\(address)/console/account")
    try tab.evaluate(
      """
      (() => {
        const form = document.querySelector("form[data-passkey=create]");
        form.elements.current.value = "\(Self.password)";
        form.requestSubmit();
      })()
      """)
    try tab.wait(for: #"document.body.innerText.includes("The security key was added")"#)
    // The authenticator answers what the browser offers at once, as a person who takes the offer.
    try tab.evaluate("window.isLeft = true")
    try tab.evaluate(#"document.querySelector('form[action="/console/sign-out"]').requestSubmit()"#)
    try tab.wait(for: "window.isLeft === undefined && location.pathname === '\(Self.home)'")
  }
}
