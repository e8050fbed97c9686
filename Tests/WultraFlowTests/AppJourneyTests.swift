// SPDX-License-Identifier: Apache-2.0

import PowerAuth2
import TestSupport
import Testing
import WultraDigitalOnboarding
import WultraStories

/// The acceptance scenarios of wultra-onboarding.md §8, by our SDK; `gatehouse-lab demo` plays the same ones on pictures.
@Suite("Wultra journeys: our SDK on our server, the app killed between any two steps")
struct AppJourneyTests {
  @Test("each scenario shows what it should at every step, and the audit is whole", arguments: WultraStory.all)
  func scenario(story: WultraStory) async throws {
    try await AppPhone.run(WultraTestApp()) { phoneApp in
      try await story.play(on: phoneApp.stage) { step in
        #expect(step.shown == step.expected, "\(step.action)")
      }
      #expect(try await phoneApp.app.auditFaults().isEmpty)
    }
  }

  @Test("the scenarios are the eight of the specification", .storeless)
  func complete() {
    #expect(WultraStory.all.map(\.number) == Array(1...8))
  }

  @Test("in a sandbox the app can ask for the code that was sent, before the activation and after it")
  func codes() async throws {
    try await AppPhone.run(WultraTestApp()) { phoneApp in
      let phone = phoneApp.phone()
      try await phone.start()
      try await phoneApp.app.settle()
      let code = try await phone.activation().getOTP()
      #expect(try code == phoneApp.app.lastCode())
      try await phone.activate(code)
      await #expect(throws: WDOVerificationService.Fail.self) { _ = try await phone.informed().getOTP() }
    }
  }

  @Test("an unknown user and a known one look the same to the app")
  func unknown() async throws {
    try await AppPhone.run(WultraTestApp()) { phoneApp in
      let phone = phoneApp.phone("nobody")
      for _ in 0..<2 {
        let service = WDOActivationService(networking: phone.networking(phone.powerAuth()), canRestoreSession: false)
        try await service.start(credentials: StoryPhone.Credentials(clientNumber: "nobody"))
        try await phoneApp.app.settle()
        #expect(try await service.status() == .activationInProgress)
      }
      #expect(phoneApp.app.bank.messages.isEmpty)
    }
  }
}
