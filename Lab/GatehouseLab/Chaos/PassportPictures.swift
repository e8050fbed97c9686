// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import RubixOnboarding
import RubixWire
import Specimens

/// The pictures of the few journeys that take any: reading one costs seconds of a processor.
struct PassportPictures: Sendable {
  private let selfie: Data
  private let passport: Data

  init(seed: UInt64, on day: CalendarDate) throws {
    let holder = Holder.random(seed: seed, reference: day)
    selfie = try Selfie.draw(of: holder, seed: seed, reference: day).data
    let drawn = try Specimen.draw(.passport, holder: holder, seed: seed, reference: day, degrade: [])
    passport = drawn.images.first { $0.side == .page }?.picture.data ?? Data()
  }

  /// Makes the call that belongs to the screen.
  func take(_ screen: OnboardingScreen, _ view: OnboardingView, _ app: RubixOnboarding) async throws {
    switch screen {
    case .selfie:
      let taken = view.session?.selfies ?? []
      guard let due = SelfieSubType.known.first(where: { !taken.contains($0) }) else { return }
      _ = try await app.uploadSelfie(selfie, subType: due)
    case .liveness: _ = try await app.uploadLiveness(selfie, challengeID: app.livenessChallenge().challengeID)
    case .uploadDocument: _ = try await app.upload(.passport, file: passport)
    case .processDocument: _ = try await app.process(.passport)
    case .verifyDocuments: _ = try await app.verifyDocuments()
    default: return
    }
  }
}
