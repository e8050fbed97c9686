// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Identity
import Kit
import RubixFlow
import RubixOnboarding
import RubixWire
import Screening
import Testing

@testable import Demonstration
@testable import gatehouse
@testable import GatehouseApp

@Suite("Journey: a list changes after a customer was found clean", .onOneEngine)
struct RescreeningJourneyTests {
  @Test("a case the same day, decided at the desk, which the customer never sees, and the answer again years later")
  func life() async throws {
    try await JourneyTestApp.run { journey in
      let (phone, app) = (JourneyPhone(journey), journey.app)
      try await phone.matchedByPassport()
      try await phone.contacts()
      #expect(try await phone.app.screenAML().status == .clean)
      let officer = try await journey.agent(DemoApp.officerEmail)
      let id = try await phone.app.me().id
      let subject = try #require(try await officer.customer(id).screening).subject
      try await app.screeningModule.jobs.runOnce()
      let before = try await seen(phone)

      try await update("ref,name\n1,\(subject.name)\n", version: "v1", in: app)
      try await app.screeningModule.jobs.runOnce()
      #expect(try await seen(phone) == before)
      let items = try await app.screeningCases.waiting(by: "operator:test")
      let item = try #require(items.first)
      #expect(items.count == 1 && item.item.subjectID == id && item.item.hit.entityID == "1")
      #expect(try await officer.customer(id).screening?.hits.map(\.entityID) == ["1"])
      // Those who watch are written to, and told no person.
      try await journey.settle()
      let mails = try await app.devOutbox.list().map(\.message).filter { $0.recipient == "compliance@bank.example" }
      #expect(mails.count == 1 && mails.allSatisfy { $0.channel == .email && $0.body.contains(item.item.id.rawValue) })
      #expect(mails.allSatisfy { !$0.body.contains(subject.name) && !$0.body.contains(id) })
      // That mail is about the customer, and kept here in place of being sent: their own export tells nothing of it.
      let exporter = app.rubix.exporter(devOutbox: app.devOutbox)
      let exported = try await exporter.export(.init(rawValue: id), of: .default, by: "operator").customer
      let text = String(decoding: try CustomerExporter.json(exported), as: UTF8.self)
      #expect(!text.contains("compliance@bank.example") && !text.contains(item.item.id.rawValue))
      #expect(try await app.devOutbox.list().contains { $0.message.recipient == "compliance@bank.example" })

      let member = try await app.staff.acting(DemoApp.officerEmail, of: ["default"], may: .decideAML)
      let other = Screening.Judgement(.falsePositive, reason: .nameOnly, text: "Another person of the same name.")
      let decided = try await app.screeningCases.judge(
        item.item.id, other, by: member.actor, under: app.rubix.screened.analyst(member))
      #expect(decided.item.state == .falsePositive)
      #expect(decided.lines(nil).contains { $0.contains("  false_positive  name-only  Another person") })
      #expect(ScreenReport.Hit(decided, nil).notes.map(\.reason) == ["name-only"])
      #expect(try await seen(phone) == before)

      // The same entry in later versions is no question any more, and the answer of then can be had again.
      for number in 2...4 {
        try await update("ref,name\n1,\(subject.name)\n\(number + 7),Nemo Nullmann\n", version: "v\(number)", in: app)
        try await app.screeningModule.jobs.runOnce()
      }
      #expect(try await app.screeningCases.waiting(by: "operator:test").isEmpty)
      #expect(try await seen(phone) == before)
      let record = try #require(item.record)
      #expect(record.lists == [.init(code: "OWN", version: "v1")] && record.threshold == 0.85)
      let replay = try await ScreeningReplay(
        of: record, lists: app.screeningLists, countries: .iso, policy: app.screeningSource.policy)
      #expect(replay.isEqual && replay.isMatcherSame)
    }
  }

  @Test("the desk's commands are read, and a judgement without a person or an approval without a version is not")
  func commands() throws {
    for words in [
      ["hits", "--json"], ["hits", "--agent", "a@bank.example", "--tenant", "rubix/default"],
      ["decide", "c", "--agent", "a", "--verdict", "false_positive", "--reason", "name-only", "--text", "Another."],
      ["decide", "c", "--agent", "a", "--verdict", "true_match", "--text", "The same."],
      ["decide", "c", "--agent", "a", "--verdict", "true_match", "--text", "The same.", "--case-version", "3"],
      ["approve", "c", "--agent", "b", "--verdict", "true_match", "--case-version", "2"],
      ["approve", "c", "--agent", "b", "--give-back", "--case-version", "2", "--text", "Look again."],
      ["self-test", "--seed", "7", "--sample", "10", "--recall", "0.9", "--json"],
    ] { _ = try ScreenCommand.parseAsRoot(words) }
    for words in [
      ["hits", "--limit", "0"], ["decide", "c", "--verdict", "true_match", "--text", "The same."],
      ["decide", "c", "--agent", "a", "--verdict", "clean", "--text", "?"],
      ["decide", "c", "--agent", "a", "--verdict", "false_positive", "--reason", "whim", "--text", "?"],
      ["approve", "c", "--agent", "b", "--verdict", "true_match"],
      ["approve", "c", "--agent", "b", "--case-version", "2"],
      ["approve", "c", "--agent", "b", "--verdict", "true_match", "--give-back", "--case-version", "2"],
      ["self-test", "--sample", "0"],
    ] { #expect(throws: (any Error).self, "\(words)") { _ = try ScreenCommand.parseAsRoot(words) } }
  }

  private func update(_ text: String, version: String, in app: App) async throws {
    let file = ListReader.File(name: "own.csv", bytes: Data(text.utf8))
    let readings = try ListReader.read(
      [file], code: "OWN", version: version, fallback: "2026-11-26", countries: .iso)
    _ = try await app.screeningLists.update(readings, takesShrunk: true, by: "operator:test")
  }

  /// Everything that the customer's app may ask.
  private func seen(_ phone: JourneyPhone) async throws -> [String] {
    var answers: [String] = []
    for path in ["aml/screening", "auth/me", "steps"] {
      let answer = try await phone.journey.transport.send(
        TransportRequest(
          method: "GET", url: JourneyTestApp.address.appending(path: "api/v1/onboarding/\(path)"),
          headers: [OnboardingHeader.accessToken: try #require(try await phone.store.load()).accessToken]))
      #expect(answer.status == 200)
      answers.append(String(decoding: answer.body, as: UTF8.self))
    }
    return answers
  }
}
