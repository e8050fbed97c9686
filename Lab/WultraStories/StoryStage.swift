// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport

/// What a story is played on: a server with both base URLs, the institution behind it, and the people who work there.
package struct StoryStage: Sendable {
  /// Of the application's version, as apps are configured with it.
  package let configuration: String
  /// Base URLs, without a slash at their ends.
  package let onboarding: String
  package let powerAuth: String
  package let transport: HTTPTransport
  package let clock: ClientClock
  /// Returns when the server may have gone on with what it owes.
  package let wait: @Sendable () async throws -> Void
  /// The codes that a client was sent so far, the first one first.
  package let codes: @Sendable (_ clientNumber: String) async throws -> [String]
  package let picture: @Sendable (StoryPicture) throws -> Data
  package let staff: StoryStaff

  package init(
    configuration: String, onboarding: String, powerAuth: String, transport: HTTPTransport, clock: ClientClock = .live,
    wait: @escaping @Sendable () async throws -> Void, codes: @escaping @Sendable (String) async throws -> [String],
    picture: @escaping @Sendable (StoryPicture) throws -> Data, staff: StoryStaff
  ) {
    self.configuration = configuration
    self.onboarding = onboarding
    self.powerAuth = powerAuth
    self.transport = transport
    self.clock = clock
    self.wait = wait
    self.codes = codes
    self.picture = picture
    self.staff = staff
  }
}

/// What the institution's people do in a story.
package struct StoryStaff: Sendable {
  /// Decides the review that waits longest; false when none waits.
  package let decide: @Sendable (_ accepts: Bool) async throws -> Bool
  /// Blocks an activation, as after a lost phone.
  package let block: @Sendable (_ activation: String) async throws -> Void

  package init(
    decide: @escaping @Sendable (Bool) async throws -> Bool, block: @escaping @Sendable (String) async throws -> Void
  ) {
    self.decide = decide
    self.block = block
  }
}

/// What the camera of a story sees.
package enum StoryPicture: Sendable, CaseIterable {
  case cardFront, cardBack, licence
  /// The card's front, taken in haste: it cannot be read.
  case blurredCardFront
  /// The licence of another person.
  case foreignLicence
  /// The person's, with another letter in the surname: whether that is a slip, a person decides.
  case doubtfulLicence
  /// The person; where no model compares faces, a member of staff does.
  case face
}
