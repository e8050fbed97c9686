// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import GatehouseWire
import Identity
import Kit
import OneAssistFlow
import PowerAuthHTTP
import RubixOnboarding
import Specimens
import WultraDigitalOnboarding
import WultraFlow
import WultraStories

/// People who have come so far that a member of staff has to do something.
package struct SampleCases: Sendable {
  package static let actor = "sandbox"
  /// The audit chain that says which of them were played.
  private static let chain = "sandbox-samples"
  /// Of the sandbox's own institution.
  private static let wultraPhone = "+12025550143"

  let app: App
  let stage: DemoStage

  package init(app: App, stage: DemoStage) { (self.app, self.stage) = (app, stage) }

  private typealias Sample = (name: String, what: String, play: @Sendable (Self) async throws -> Void)

  /// The names of all samples, in the order in which they are played.
  package static var names: [String] { samples.map(\.name) }

  /// Plays those that were not played before.
  /// - Parameter wanted: names of `names`; those samples alone are played. An empty list stands for every sample.
  /// - Returns: a line for each, and whether all are there.
  package func make(only wanted: [String] = []) async throws -> (lines: [String], isWhole: Bool) {
    let wanted = Set(wanted)
    let played = try await app.database.read { tx in
      Set(try AuditStore(tx).lines(of: Self.chain).compactMap { $0.facts["sample"] })
    }
    var (lines, isWhole) = ([String](), true)
    for sample in Self.samples where wanted.isEmpty || wanted.contains(sample.name) {
      guard !played.contains(sample.name) else {
        lines.append("\(sample.what): there already.")
        continue
      }
      do { try await sample.play(self) } catch is DemoStory.Broken {
        lines.append("\(sample.what): not made.")
        isWhole = false
        continue
      }
      try await app.database.write { [audit = app.core.audit, name = sample.name] tx in
        try audit.append(
          "sandbox.sample_played", to: Self.chain, by: Self.actor, facts: ["sample": name], in: tx)
      }
      lines.append("\(sample.what): in the queue.")
    }
    return (lines, isWhole)
  }

  private static let samples: [Sample] = {
    // Ten that the keyboard decides at once, beside calls, which wait for their hours, and a few of other kinds. The
    // names of the first are those of earlier versions.
    var samples: [Sample] = [
      ("rubix-call", "A booked call", { try await $0.stage.playBookedCall() }),
      ("rubix-review", "Documents that a call decides on", { try await $0.stage.playReview() }),
    ]
    for number in 0..<2 {
      samples.append(
        (name("rubix-screening", number), "A hit for compliance", { try await $0.stage.playOpenHit(number) }))
    }
    for number in 0..<5 {
      samples.append((name("wultra-presence", number), "A face to be compared", { try await $0.playFace(number) }))
    }
    for number in 0..<3 {
      samples.append((name("oneassist-membership", number), "Photos of a phone", { try await $0.playPhotos(number) }))
    }
    samples.append(("wultra-documents", "Documents in doubt", { try await $0.playDoubt() }))
    for (number, (subject, text)) in questions.enumerated() {
      samples.append((name("chat", number), "A question", { try await $0.playQuestion(subject, text) }))
    }
    samples.append(("screening-hit", "A hit in a list that changed", { try await $0.playListedLater() }))
    samples.append(
      ("finaptic-card", "A disputed payment by card, and one that no account took", { try await $0.playCardMatters() }))
    samples.append(
      ("finaptic-terms", "Changed terms of which an owner was not told", { try await $0.playTerms() }))
    samples.append(
      ("finaptic-recall", "Money that no account took, and that is asked back", { try await $0.playRecall() }))
    return samples
  }()

  private static let questions: [(subject: String, text: String)] = [
    ("My card", "My card has not come yet. Where is it?"), ("Statement", "How do I get a statement of last year?"),
  ]

  private static func name(_ kind: String, _ number: Int) -> String { number == 0 ? kind : "\(kind)-\(number + 1)" }

  /// A customer of OneAssist whose photos are in.
  private func playPhotos(_ number: Int) async throws {
    let (app, mobiles) = (app, OneAssistPlay.mobiles(of: number))
    let seller = try await seller()
    let shop = DemoShop(
      address: stage.address, partner: DemoShop.sampleCode, seller: seller, reviewer: seller, secret: nil,
      clock: stage.clock)
    let run = app.world.uuid()
    let sold = try await shop.sell(
      "SAMPLE-\(run)", make: OneAssistPlay.make, model: OneAssistPlay.model, mobile: mobiles.own)
    let play = try await OneAssistPlay(
      shop: shop, sold: sold, number: number, folder: URL(fileURLWithPath: stage.folder).appending(path: run),
      seed: stage.seed &+ UInt64(number), clock: stage.clock,
      texts: {
        // E.164; the shop says it without the code of the country.
        try await app.devOutbox.list().map(\.message)
          .filter { $0.channel == .sms && $0.recipient.hasSuffix(mobiles.second) }.map(\.body)
      })
    let story = OneAssistStory(play: play, log: stage.log, clock: stage.clock, folder: stage.folder)
    do {
      try await story.activate()
      try await story.photograph()
    } catch is OneAssistStory.Broken { throw DemoStory.Broken() }
  }

  /// Credentials of the shop whose customers are played. Each call makes new ones, for a secret is shown once.
  private func seller() async throws -> IssuedSecret {
    let (partners, tenant) = (app.oneAssist.partners, try app.tenants.find("default").id)
    let issued: IssuedSecret
    if let known = try await partners.list(tenant: tenant).first(where: { $0.code == DemoShop.sampleCode }) {
      issued = try await app.serviceClients.rotate(known.client, by: Self.actor)
    } else {
      var draft = Partners.Draft(code: DemoShop.sampleCode, units: [DemoShop.unit], name: "Utopia Phones")
      draft.tenant = tenant
      issued = try await partners.add(draft, clients: app.serviceClients, by: Self.actor).credentials
    }
    do {
      try await partners.add(DemoShop.cover, toPartner: DemoShop.sampleCode, tenant: tenant, by: Self.actor)
    } catch let problem as Problem where problem.code == "plan-exists" {
      // Of an earlier sample.
    }
    return issued
  }

  /// A customer of Wultra's onboarding whose face was shown.
  private func playFace(_ number: Int) async throws {
    // Two people: one alone may begin only so many onboardings.
    try await playWultra(story: number.isMultiple(of: 2) ? 1 : 4, until: .presence)
  }

  /// A customer of Wultra's onboarding whose documents have names that differ by a letter.
  private func playDoubt() async throws { try await playWultra(story: 4, until: .documents, with: .doubtfulLicence) }

  /// Plays a story of Wultra's onboarding until a person has to decide.
  /// - Parameter licence: the picture that is sent of the driving licence.
  private func playWultra(
    story number: Int, until subject: ReviewCase.Subject, with licence: StoryPicture = .licence
  ) async throws {
    guard let story = WultraStory.all.first(where: { $0.number == number }) else { throw DemoStory.Broken() }
    WDOLogger.verboseLevel = .off
    let run = app.world.uuid().suffix(12)
    let release = try await app.activations.applications.add("Sample \(run)", tenant: "default", by: .system)
    let reviews = app.wultra.reviews
    let before = try await reviews.queue(tenant: "default").count { $0.subject == subject }
    let (app, inbox, log) = (app, DemoInbox(address: stage.address), stage.log)
    // The story ends where a person would decide, once there is something to decide.
    let end: @Sendable () async throws -> Void = {
      let waiting = try await reviews.queue(tenant: "default").count { $0.subject == subject }
      if waiting > before { throw CancellationError() }
    }
    let codes = try await inbox.codes(to: Self.wultraPhone).count
    let pictures = try stage.wultraPictures()
    let stand = StoryStage(
      configuration: release.configuration.text,
      onboarding: "\(stage.address)\(app.settings[WultraSettings.self].base)",
      powerAuth: "\(stage.address)\(app.settings[PowerAuthSettings.self].base)", transport: .live(),
      wait: {
        try await end()
        try await inbox.pause()
      },
      codes: { _ in Array(try await inbox.codes(to: Self.wultraPhone).dropFirst(codes)) },
      picture: { pictures[$0 == .licence ? licence : $0] ?? Data() },
      staff: StoryStaff(
        decide: { _ in
          try await end()
          return false
        }, block: { _ in }))
    do {
      try await story.play(on: stand) { step in
        await log.add(
          DemoStep(
            story: "Wultra \(step.story)", title: step.action, answer: step.note, shown: step.shown,
            differences: step.isAsExpected ? [] : ["it should show \(step.expected)"],
            milliseconds: Int(step.duration.inSeconds * 1000)))
      }
    } catch is CancellationError where !Task.isCancelled { return }
    throw DemoStory.Broken()
  }
}

extension DemoStage {
  /// A customer of Rubix who has booked a call.
  @Sendable
  func playBookedCall() async throws {
    let story = try story(11, "A booked call")
    // Whose papers are known to be read, as those of the demonstration.
    let holder = holder(1)
    try await register(story)
    try await faces(of: holder, story)
    try await passport(of: holder, story)
    try await contacts(story, mistyping: false)
    try await story.step("screening", to: .init(.amlScreeningSuccessful, next: .crs)) { app in
      DemoAnswer(try await app.screenAML().status.rawValue)
    }
    try await forms(story)
    try await book(story, .pending)
  }

  /// Books the first call that is free.
  func book(_ story: DemoStory, _ status: OnboardingStatus) async throws {
    try await story.step("a call is booked", to: .init(.agentVerificationScheduled, next: nil, status)) { [today] app in
      let soon = WireDate(daysSince1970: today.daysSince1970 + 3)
      guard let slot = try await app.slots(from: today, to: soon).slots.first else {
        return DemoAnswer("no slot", differences: ["no agent is free"])
      }
      return DemoAnswer("\(try await app.book(AppointmentRequest(callTime: slot.start)).callTime)")
    }
  }

  /// A customer of Rubix with the name and birthday of a listed person, whom compliance looks at.
  func playOpenHit(_ number: Int) async throws {
    try await underReview(try story(12 + number, "A hit for compliance"), of: 4 + 10 * UInt64(number))
  }
}
