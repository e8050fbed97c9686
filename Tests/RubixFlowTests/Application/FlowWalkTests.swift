// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: walks through the flow", .storeless)
struct FlowWalkTests {
  private static let walks = 4_000
  private static let stepsMax = 80
  /// Rarely chosen, or no walk would come far.
  private static let rare: Set<ApplicationEvent> = [.superseded, .lapsed, .sessionRestarted]

  @Test("random walks visit every phase, end in at most one decision, and stop where they ended")
  func walks() throws {
    var randomness = SeededGenerator(seed: 20_261_121)
    var visited: Set<ApplicationPhase> = [.registered]
    var ended = 0
    for _ in 0..<Self.walks {
      var phase = ApplicationPhase.registered
      var decisions = 0
      for _ in 0..<Self.stepsMax {
        let legal = ApplicationEvent.allCases.filter { applicationFlow.allows($0, from: phase) }
        guard !legal.isEmpty else { break }
        #expect(phase.isOpen)
        let common = legal.filter { !Self.rare.contains($0) }
        let isRare = common.isEmpty || Int.random(in: 0..<30, using: &randomness) == 0
        guard let event = (isRare ? legal : common).randomElement(using: &randomness) else { break }
        phase = try applicationFlow.move(from: phase, on: event).to
        visited.insert(phase)
        if phase == .completed || phase == .rejected { decisions += 1 }
      }
      #expect(decisions <= 1)
      if !phase.isOpen { ended += 1 }
    }
    #expect(visited == Set(ApplicationPhase.allCases))
    #expect(ended > Self.walks / 2)
  }

  @Test("what follows by itself comes to rest from every phase with any facts, by legal moves only")
  func automatic() throws {
    for phase in ApplicationPhase.allCases {
      for facts in Self.allFacts {
        var (present, moves) = (phase, 0)
        while let event = ApplicationFlow.automaticEvent(in: present, facts) {
          #expect(applicationFlow.allows(event, from: present), "\(present) on \(event)")
          present = try applicationFlow.move(from: present, on: event).to
          moves += 1
          try #require(moves < ApplicationPhase.allCases.count, "\(phase) never rests with \(facts)")
        }
      }
    }
  }

  @Test("nothing follows by itself from a phase that waits for a decision or has ended")
  func waits() {
    let waiting: [ApplicationPhase] = [
      .registered, .capturingSelfies, .awaitingLiveness, .awaitingVerification, .awaitingReviewAppointment,
      .awaitingReviewCall, .awaitingScreening, .reviewingScreening, .awaitingCall, .completed, .rejected, .abandoned,
      .expired,
    ]
    for phase in waiting {
      for facts in Self.allFacts { #expect(ApplicationFlow.automaticEvent(in: phase, facts) == nil, "\(phase)") }
    }
  }

  @Test("forms end the application only where no call is asked for")
  func forms() {
    var facts = ApplicationFacts()
    facts.formsComplete = true
    #expect(ApplicationFlow.automaticEvent(in: .submittingForms, facts) == .formsCompleted)
    facts.callNeeded = false
    #expect(ApplicationFlow.automaticEvent(in: .submittingForms, facts) == .formsCompletedWithoutCall)
  }

  private static let allFacts: [ApplicationFacts] = (0..<64).map { bits in
    var facts = ApplicationFacts()
    facts.documentsComplete = bits & 1 != 0
    facts.evidenceRetaken = bits & 2 != 0
    facts.contactsConfirmed = bits & 4 != 0
    facts.formsComplete = bits & 8 != 0
    facts.callNeeded = bits & 16 != 0
    facts.appointmentActive = bits & 32 != 0
    return facts
  }
}
