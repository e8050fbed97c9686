// SPDX-License-Identifier: Apache-2.0

import AuthenticatorUI
import GatehouseUI
import SaltEdgeAuthenticator
import ScreenSpecimens
import Testing

/// Every event in every state: what must hold whatever happens.
@Suite("Screens: every state of the Authenticator, and every event in it")
struct WalkTests {
  private static let walk = ScreenWalk()

  @Test("behind the lock nothing is asked but the lock, and nothing is shown of what is behind")
  func walk() {
    var (attempts, changes) = (0, 0)
    let walk = ScreenWalk { attempt in
      attempts += 1
      if attempt.before != attempt.after { changes += 1 }
      guard attempt.after.gate != .open, attempt.before.gate != .open else { return }
      for effect in attempt.effects {
        #expect(Self.isOfLock(effect), "\(Self.name(effect)) behind \(attempt.after.gate)")
      }
    }
    #expect(attempts > 10_000 && changes > 1_000 && walk.states < 1_000, "\(attempts) \(changes) \(walk.states)")
    for one in walk.found where one.app.gate != .open {
      let text = one.app.screen(in: ScreenSpecimen.context).text()
      #expect(!text.contains("Utopia") && !text.contains("12.50"), "\(one.id)")
    }
  }

  @Test("every screen has a title and labels in three languages, and each id once")
  func labels() {
    let walk = Self.walk
    #expect(walk.found.count > 75)
    for one in walk.found {
      for language in ScreenLanguage.allCases {
        let screen = one.app.inLanguage(language).screen(in: ScreenSpecimen.context(language))
        for label in screen.spoken {
          #expect(!label.isEmpty, "\(one.id) \(language)")
          let name = label.firstMatch(of: /(screens|actions|errors|in_app|onboarding)\.[a-z]/)
          #expect(name == nil, "\(one.id): \(label)")
        }
        #expect(Set(screen.usable).count == screen.usable.count, "\(one.id): \(screen.usable)")
      }
    }
  }

  private static func isOfLock(_ effect: AuthenticatorEffect) -> Bool {
    switch effect {
    case .askLock, .createPasscode, .unlock, .lock, .wipe, .endList, .endWatch, .endLockWatch, .endConnect,
      .cancelClosing, .endPage:
      true
    default: false
    }
  }

  /// The case, without what it carries.
  private static func name(_ effect: AuthenticatorEffect) -> String { effect.lane ?? "an effect" }
}
