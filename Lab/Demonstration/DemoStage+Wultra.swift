// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import GatehouseTransport
import PowerAuthHTTP
import Specimens
import WultraDigitalOnboarding
import WultraFlow
import WultraStories

extension DemoStage {
  /// Stories that are played at a time: while one waits for its pictures to be read, another goes on. More than cores
  /// would only take the time that reading a picture may take.
  private static let atOnce = 2

  /// Plays the scenarios of Wultra Digital Onboarding: what the app shows, a line a step. Each story is told when it is
  /// over and those before it were told.
  func playWultra(in app: App) async throws {
    // Whatever goes wrong shows in the stories.
    WDOLogger.verboseLevel = .off
    let stage = try await wultraStage(app)
    try await withThrowingTaskGroup(of: (story: Int, steps: [DemoStep]).self) { tasks in
      var (waiting, over, told) = (WultraStory.all.enumerated().makeIterator(), [Int: [DemoStep]](), 0)
      func begin() {
        guard let (number, story) = waiting.next() else { return }
        tasks.addTask { (number, try await Self.steps(of: story, on: stage)) }
      }
      for _ in 0..<Self.atOnce { begin() }
      while let (number, steps) = try await tasks.next() {
        begin()
        over[number] = steps
        while let steps = over[told] {
          for step in steps { await log.add(step) }
          told += 1
        }
      }
    }
  }

  private static func steps(of story: WultraStory, on stage: StoryStage) async throws -> [DemoStep] {
    let (stream, steps) = AsyncStream.makeStream(of: DemoStep.self)
    try await story.play(on: stage) { step in
      steps.yield(
        DemoStep(
          story: "Wultra \(step.story)", title: step.action, answer: step.note, shown: step.shown,
          differences: step.isAsExpected ? [] : ["it should show \(step.expected)"],
          milliseconds: Int(step.duration.inSeconds * 1000)))
    }
    steps.finish()
    return await stream.reduce(into: []) { $0.append($1) }
  }

  private func wultraStage(_ app: App) async throws -> StoryStage {
    let release = try await app.activations.applications.add(
      "Demo", tenant: "default", issuesRecoveryCodes: false, by: .system)
    let agent = try await AgentClient.signIn(DemoApp.agentEmail, at: address)
    let (inbox, pictures, settings) = (DemoInbox(address: address), try wultraPictures(), app.settings)
    return StoryStage(
      configuration: release.configuration.text, onboarding: "\(address)\(settings[WultraSettings.self].base)",
      powerAuth: "\(address)\(settings[PowerAuthSettings.self].base)", transport: .live(),
      wait: { try await inbox.pause() },
      codes: { try await inbox.codes(to: DemoInstitution.phone(of: $0)) },
      picture: { pictures[$0] ?? Data() },
      staff: StoryStaff(
        decide: { try await agent.decideReview(accepting: $0) },
        block: { _ = try await app.activations.block(.init(rawValue: $0), by: .system) }))
  }

  /// One person's papers and face, and the licence of another one.
  func wultraPictures() throws -> [StoryPicture: Data] {
    let (own, other) = (holder(5), holder(6))
    func papers(_ kind: SpecimenKind, of holder: Holder, _ degrade: [Degradation]) throws -> DemoPapers {
      try DemoPapers(kind, of: holder, seed: seed &+ 5, on: day, degrade)
    }
    let card = try papers(.idCard, of: own, DemoPapers.careful)
    var doubtful = own
    doubtful.surname += "E"
    return [
      .cardFront: card.picture(.front), .cardBack: card.picture(.back),
      .blurredCardFront: try papers(.idCard, of: own, DemoPapers.blurred).picture(.front),
      .licence: try papers(.drivingLicence, of: own, DemoPapers.careful).picture(.front),
      .foreignLicence: try papers(.drivingLicence, of: other, DemoPapers.careful).picture(.front),
      .doubtfulLicence: try papers(.drivingLicence, of: doubtful, DemoPapers.careful).picture(.front),
      .face: try Selfie.draw(of: own, seed: seed &+ 5, reference: day).data,
    ]
  }
}
