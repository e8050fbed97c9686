// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Synchronization

@testable import WultraFlow

/// The institution of a test. It finds a client for every number but `nobody`.
final class FakeBank: Sendable {
  struct State {
    var isDown = false
    /// Says no to an evaluation, for good.
    var refusesEvaluation = false
    var consent = ConsentAnswer(consentText: "<p onclick=\"x\">Yes?</p><script>no</script>", version: "7")
    var verdict = ClientVerdict.accepted
    var consentRequired = true
    var messages: [OTPMessage] = []
    var decisions: [ConsentDecision] = []
    var notices: [ProcessStatusNotice] = []
    var evaluations = 0
    var lookups = 0
    /// What the last look-up said for the detection of fraud.
    var fraudFacts: [String: JSONValue]?
  }

  let state = Mutex(State())

  func change(_ body: (inout sending State) -> Void) { state.withLock { body(&$0) } }

  var messages: [OTPMessage] { state.withLock { $0.messages } }
  var decisions: [ConsentDecision] { state.withLock { $0.decisions } }
  var notices: [String] { state.withLock { $0.notices.map { "\($0.userId ?? "-") \($0.status) \($0.reason ?? "-")" } } }
  var evaluations: Int { state.withLock { $0.evaluations } }
  var lookups: Int { state.withLock { $0.lookups } }
  var fraudFacts: [String: JSONValue]? { state.withLock { $0.fraudFacts } }

  var adapter: OnboardingAdapter {
    OnboardingAdapter(
      lookUp: { lookup in
        try self.ask { state in
          state.lookups += 1
          state.fraudFacts = lookup.fdsData
          guard let number = lookup.identification["clientNumber"]?.stringValue, number != "nobody" else {
            return .unknown
          }
          return .known(user: "user-\(number)", consentRequired: state.consentRequired)
        }
      },
      sendOTP: { message, _ in try self.ask { $0.messages.append(message) } },
      consentText: { _ in try self.ask { $0.consent } },
      storeConsent: { decision, _ in try self.ask { $0.decisions.append(decision) } },
      evaluate: { _, _ in
        let refuses = self.state.withLock { state in
          state.evaluations += 1
          return state.refusesEvaluation
        }
        if refuses { throw Refused() }
        return try self.ask { $0.verdict }
      },
      tell: { notice, _ in try self.ask { $0.notices.append(notice) } })
  }

  struct Refused: FinalFailure {}

  private func ask<Answer: Sendable>(_ body: (inout sending State) -> Answer) throws -> Answer {
    try state.withLock { state in
      guard !state.isDown else { throw OnboardingAdapter.Unavailable() }
      return body(&state)
    }
  }
}
