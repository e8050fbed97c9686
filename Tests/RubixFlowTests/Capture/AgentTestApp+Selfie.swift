// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Specimens
import Testing

@testable import RubixFlow

extension AgentTestApp {
  /// A customer whose next step is the capture of the face, with a selfie to send.
  func customerWithSelfie() async throws -> (customer: Customer, picture: Data) {
    let customer = try await customer(at: .awaitingLiveness)
    try await core.database.write { [self] tx in
      let session = CaptureSession(id: .init(core.world), application: customer.id, createdAt: clock.now)
      try ImageStore(tx, vault: core.vault).insert(session)
    }
    let day = try #require(CalendarDate(year: 2026, month: 11, day: 21))
    return (customer, try Selfie.draw(of: Holder.random(seed: 1, reference: day), seed: 1, reference: day).data)
  }
}
