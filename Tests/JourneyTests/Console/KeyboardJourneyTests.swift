// SPDX-License-Identifier: Apache-2.0

import Foundation
import HummingbirdTesting
import Identity
import Kit
import Scheduling
import TestSupport
import Testing

@testable import Console
@testable import GatehouseApp
@testable import RubixFlow
@testable import WultraFlow

@Suite(
  "Journey: a queue is worked off by keys", .serialized, .onOneEngine,
  .enabled(if: Chromium.isInstalled, "\(Chromium.missing)"))
struct KeyboardJourneyTests {
  private static let keysMax = 60

  @Test("ten cases of three kinds are decided from the queue by the keyboard alone, with at most sixty keys")
  func tenCases() async throws {
    let stage = try await QueueStage()
    try await stage.app.server().serve { @MainActor client in
      let address = "http://localhost:\(try #require(client.port))"
      let tab = try ChromiumTab(width: 1000, height: 900, in: stage.folders.browser)
      try tab.open("\(address)/console/sign-in")
      try tab.evaluate(
        """
        (() => {
          const form = document.querySelector("main form");
          form.elements.email.value = "\(QueueStage.email)";
          form.elements.password.value = "\(CallStage.password)";
          form.requestSubmit();
        })()
        """)
      try tab.wait(for: "location.pathname === '/console/queue' && document.readyState === 'complete'")
      try tab.open(address + QueueRoutes.base)
      #expect(try tab.evaluate("document.querySelectorAll('tbody tr').length") == "9")
      // One that begins to wait is told, and each row tells what time is left.
      try await stage.add()
      try tab.wait(for: "document.querySelectorAll('tbody [data-due]:not(:empty)').length === 10")
      #expect(try tab.evaluate("document.querySelector('[role=status]').textContent") == "New cases: 1")

      var (keys, cases) = (0, 0)
      func press(_ key: String, alt: Bool = false) throws {
        keys += 1
        try tab.press(key, alt: alt)
      }
      /// Presses a key that leads to another page.
      func go(_ key: String, alt: Bool = false) throws {
        try tab.evaluate("window.isLeft = true")
        try press(key, alt: alt)
        try tab.wait(for: "window.isLeft === undefined && document.readyState === 'complete'")
      }
      while keys < Self.keysMax {
        let path = try tab.evaluate("location.pathname")
        guard path != QueueRoutes.base else {
          if try tab.evaluate("document.querySelectorAll('tbody tr').length") == "0" { break }
          try go("n", alt: true)
          continue
        }
        let asked = "document.querySelectorAll('[data-decision] select[required]').length"
        let questions = Int(try tab.evaluate(asked)) ?? 0
        if questions == 0 {
          try go("1", alt: true)
        } else {
          // What is not answered keeps the decision back, and has the focus.
          try press("1", alt: true)
          for _ in 0..<questions { try press("1") }
          #expect(try tab.evaluate("document.activeElement.value") == "accepted")
          try go("Enter")
        }
        #expect(try tab.evaluate("location.pathname") != path, "\(path)")
        cases += 1
      }
      #expect(cases == 10 && keys <= Self.keysMax, "\(cases) cases by \(keys) keys")
    }
    #expect(try await stage.app.wultra.reviews.queue(tenant: "default").isEmpty)
    for id in stage.customers {
      let application = try await stage.app.database.read {
        try ApplicationStore($0, vault: stage.app.vault).find(id, tenant: "default")
      }
      #expect(application.phase == .completed)
    }
  }
}

/// The product with ten cases in its queue: four faces, three times documents, three calls that are now.
private struct QueueStage: Sendable {
  static let email = "agent0@bank.example"

  /// Its file goes when it does.
  private let store: TestDatabase
  let app: App
  let folders: (browser: TestFolder, server: TestFolder)
  let customers: [RubixFlow.Application.ID]

  init() async throws {
    let (clock, folder, log) = (TestWorld(), try TestFolder(), LogRecorder())
    var settings = Settings()
    settings.dataFolder = folder.file("data")
    store = try await TestDatabase.make(.current, Schema.migrations)
    app = try await App.open(
      settings, database: store.database, world: clock.world, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    var agents: [AgentRoster.Agent] = []
    for number in 0..<3 {
      let member = try await app.staff.add(
        NewStaffMember(
          tenant: "default", email: "agent\(number)@bank.example", name: "Ada Agent", gender: .female,
          languages: ["en"], permissions: [.attendVideo, .readCustomers], password: CallStage.password),
        by: "operator")
      agents.append(.init(id: member.id.rawValue, gender: "F", languages: ["en"]))
    }
    let start = Instant(milliseconds: (clock.now.milliseconds / 3_600_000 + 24) * 3_600_000)
    var customers: [RubixFlow.Application.ID] = []
    for number in 0..<3 {
      customers.append(try await CallStage.book(number, at: start, roster: AgentRoster(agents: agents), app).0)
    }
    (self.customers, folders) = (customers, (try TestFolder(), folder))
    clock.set(start)
    try await wait(for: customers)
    for number in 0..<6 { try await review(number) }
    try await app.wultra.reviews.openCases()
  }

  /// The tenth.
  func add() async throws {
    try await review(6)
    try await app.wultra.reviews.openCases()
  }

  private func wait(for customers: [RubixFlow.Application.ID]) async throws {
    let cases = app.core.cases
    try await app.database.write { tx in
      for id in customers {
        let work = AwaitedWork("rubix-call", tenant: "default", subject: id.rawValue, person: id.rawValue)
        try cases.open(work, formerly: nil, by: "customer", in: tx)
      }
    }
  }

  /// An onboarding of Wultra's that a person has to decide on.
  private func review(_ number: Int) async throws {
    let (core, now, isFace) = (app.core, app.world.now(), number < 4)
    let process = OnboardingProcess(
      id: .init(core.world), tenant: "default", status: .verifying, identificationDigest: "person-\(number)",
      person: .init(user: "user-\(number)", language: "en", consentRequired: false),
      activation: "activation-\(number)", createdAt: now, deadline: now + .days(1))
    let verification = IdentityVerification(
      id: .init(core.world), process: process.id, state: isFace ? .judgingPresence : .crossChecking, createdAt: now)
    let review = ReviewCase(
      id: .init(core.world), tenant: "default", verification: verification.id,
      subject: isFace ? .presence : .documents, codes: ["inconclusive"], openedAt: now)
    try await core.database.write { tx in
      try ProcessStore(tx, vault: core.vault).insert(process)
      try IdentityVerificationStore(tx).insert(verification)
      try ReviewStore(tx).insert(review)
    }
  }
}
