// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DocumentCore
import Foundation
import Kit
import WultraDigitalOnboarding

/// What the customers of a run go through.
enum ChaosFlow: String, Sendable, Encodable, CaseIterable, ExpressibleByArgument {
  case rubix, wultra, finaptic

  func scene(_ run: ChaosRun) async throws -> any ChaosScene {
    let randomness = ChaosRandomness(seed: run.seed ^ 0xc0ffee)
    let stage = run.stage
    let today = CalendarDate(dayNumber: Int(World.live.now().seconds / 86_400))
    switch self {
    case .rubix:
      return RubixJourney.Scene(
        address: stage.address, outside: stage.outside,
        bank: try await ChaosBank.open(run.database, folder: stage.folder, address: stage.address),
        pictures: run.pictured > 0 ? try today.map { try PassportPictures(seed: run.seed, on: $0) } : nil,
        randomness: randomness)
    case .wultra:
      // Every failure that is passed would be a line.
      WDOLogger.verboseLevel = .off
      return Verification.Scene(
        address: stage.address, outside: stage.outside,
        institution: try await WultraInstitution.open(run.database, folder: stage.folder),
        pictures: try today.map { try CardPictures(seed: run.seed, on: $0) }, randomness: randomness)
    case .finaptic:
      return AccountOpening.Scene(bank: try FinapticBank(stage), randomness: randomness)
    }
  }
}
