// SPDX-License-Identifier: Apache-2.0

import Kit
import RubixWire

/// What a verdict must hold together (rubix-onboarding §6.14).
///
/// 1. The checklist answers the four questions, each code once; more codes of the institution may follow.
/// 2. SUCCESSFUL: the four are `yes`, nothing else is `no`; no reason of failure, no retry.
/// 3. FAILED: one of the known reasons.
/// 4. A call ends after it began, and neither lies in the future.
package enum VerdictRules {
  package static let questions = [
    "face-matches-document", "document-shown-live", "customer-understands", "no-coercion",
  ]
  static let itemsMax = 20
  static let notesMax = 4000
  /// How far an agent's clock may be ahead of ours.
  static let clockSkew = Duration.minutes(5)

  /// - Throws: `Problem` validation-failed.
  static func check(_ request: AgentVerificationRequest, now: Instant) throws {
    var fields: [Problem.Field] = []
    if !request.verdict.isKnown { fields.append(.init("/verdict", "unknown-value", "SUCCESSFUL or FAILED.")) }
    fields += checklistFaults(request) + reasonFaults(request) + callFaults(request.call, now: now)
    if (request.notes?.unicodeScalars.count ?? 0) > notesMax {
      fields.append(.init("/notes", "too-long", "At most \(notesMax) characters."))
    }
    if !DisplayedText.isPlain(request.notes ?? "", lines: true) {
      fields.append(.init("/notes", "format", "Characters that can be seen, in lines."))
    }
    guard fields.isEmpty else { throw Problem.validation(fields) }
  }

  private static func checklistFaults(_ request: AgentVerificationRequest) -> [Problem.Field] {
    var fields: [Problem.Field] = []
    guard request.checklist.count <= itemsMax else {
      return [.init("/checklist", "too-many", "At most \(itemsMax) questions.")]
    }
    let missing = questions.filter { question in !request.checklist.contains { $0.code == question } }
    if !missing.isEmpty {
      fields.append(.init("/checklist", "required", "Answer \(missing.joined(separator: ", "))."))
    }
    for (number, item) in request.checklist.enumerated() {
      if !isCode(item.code) {
        fields.append(.init("/checklist/\(number)/code", "format", "Lower-case words and hyphens."))
      }
      if request.checklist[..<number].contains(where: { $0.code == item.code }) {
        fields.append(.init("/checklist/\(number)/code", "duplicate", "This question is answered twice."))
      }
      if !item.result.isKnown {
        fields.append(.init("/checklist/\(number)/result", "unknown-value", "yes, no or not_applicable."))
      } else if request.verdict == .successful, item.result != .yes,
        questions.contains(item.code) || item.result == .no
      {
        fields.append(
          .init("/checklist/\(number)/result", "contradicts-verdict", "A successful call needs a yes here."))
      }
    }
    return fields
  }

  private static func reasonFaults(_ request: AgentVerificationRequest) -> [Problem.Field] {
    if request.verdict == .successful {
      var fields: [Problem.Field] = []
      if request.failureReason != nil {
        fields.append(.init("/failure_reason", "contradicts-verdict", "Only a failed call has a reason."))
      }
      if request.retryAllowed {
        fields.append(.init("/retry_allowed", "contradicts-verdict", "Only a failed call can be made again."))
      }
      return fields
    }
    guard let reason = request.failureReason else {
      return [.init("/failure_reason", "required", "Say why the call failed.")]
    }
    return reason.isKnown ? [] : [.init("/failure_reason", "unknown-value", "One of the published reasons.")]
  }

  private static func callFaults(_ call: CallRecord?, now: Instant) -> [Problem.Field] {
    guard let call else { return [] }
    var fields: [Problem.Field] = []
    if call.endedAt <= call.startedAt {
      fields.append(.init("/call/ended_at", "range", "A call ends after it began."))
    }
    if Instant(call.endedAt) > now + clockSkew {
      fields.append(.init("/call/ended_at", "in-future", "The call has not ended yet."))
    }
    if (call.recordingID?.utf8.count ?? 0) > 128 {
      fields.append(.init("/call/recording_id", "too-long", "At most 128 characters."))
    }
    return fields
  }

  private static func isCode(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
  }
}
