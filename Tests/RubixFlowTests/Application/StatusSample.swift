// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport

@testable import RubixFlow

/// An application as a value, without a store around it.
enum StatusSample {
  static func application(at phase: ApplicationPhase) -> RubixFlow.Application {
    let clock = TestWorld()
    return RubixFlow.Application(
      id: .init(clock.world), tenant: "default", phase: phase, lastStep: .registrationInitiated,
      completedSteps: [.registrationInitiated], sms: .unconfirmed, email: .unconfirmed, evaluation: nil,
      verificationAttempts: 0, undeterminedCount: 0, callRequired: false, agentAccepted: false, screenedAt: nil,
      reviewReason: nil, retake: [],
      applicant: Applicant(
        deviceID: "device-0123456789", platform: "ios", contactNo: "+96550001234", email: "erika@example.com",
        consents: []),
      createdAt: clock.now, updatedAt: clock.now, expiresAt: clock.now + .days(90), version: 1)
  }
}
