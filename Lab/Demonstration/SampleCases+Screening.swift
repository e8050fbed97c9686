// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit
import RubixOnboarding
import Screening

/// A hit that no step of a customer found: it comes from a list.
extension SampleCases {
  private static let looksMax = 60

  /// A customer of Rubix who was found clean, and whom the sandbox's own list names from now on. Lists that were loaded
  /// stay; where there were none, the own one has the invented people of before as well.
  func playListedLater() async throws {
    let story = try await stage.playFoundClean()
    let (customer, inbox) = (try await story.phone.app.me().id, DemoInbox(address: stage.address))
    let searches = app.screeningModule.jobs.filter { $0.name == "rescreening" }
    // What was searched before has to be known, so that the list is seen to change.
    try await searches.runOnce()
    let file = ListReader.File(name: "sandbox.csv", bytes: Data(DemoScreeningList.laterCSV.utf8))
    let readings = try ListReader.read(
      [file], code: DemoScreeningList.code, version: DemoScreeningList.laterVersion, countries: .iso)
    _ = try await app.screeningLists.update(readings, takesShrunk: true, by: Self.actor)
    // The scheduler beside this may have the search in hand.
    for _ in 0..<Self.looksMax {
      try await searches.runOnce()
      if try await app.screeningCases.cases(of: customer).contains(where: { $0.item.state.isWaiting }) { return }
      try await inbox.pause()
    }
    throw DemoStory.Broken()
  }
}

extension DemoStage {
  /// A customer of Rubix who is on no list yet.
  func playFoundClean() async throws -> DemoStory {
    let story = try story(15, "A customer whom a list names later")
    let holder = holder(
      4, surname: DemoScreeningList.laterSurname, givenNames: DemoScreeningList.laterGivenNames,
      born: DemoScreeningList.laterDateOfBirth)
    try await register(story)
    try await faces(of: holder, story)
    try await licence(of: holder, story)
    try await contacts(story, mistyping: false)
    try await story.step("screening", to: .init(.amlScreeningSuccessful, next: .crs)) { app in
      DemoAnswer(try await app.screenAML().status.rawValue)
    }
    return story
  }
}
