// SPDX-License-Identifier: Apache-2.0

import Kit

/// Who changes something about a member of staff, and why: both stand in the audit log.
package struct StaffOrder: Sendable {
  /// Why. Codes, so that no personal data gets into the audit log; what more there is to say stands under `reference`.
  package enum Reason: String, Sendable, CaseIterable {
    case joined, changedDuty = "changed-duty", left, absence
    case lostAccess = "lost-access"
    case security, correction
  }

  package let actor: StaffMember.ID
  package let reason: Reason
  /// The bank's own ticket, where it has one.
  package let reference: String?

  /// - Throws: `Problem` validation for a reason that is unknown and a reference that is no ticket's name.
  package init(by actor: StaffMember.ID, reason: String?, reference: String?) throws {
    guard let reason = reason.flatMap(Reason.init(rawValue:)) else {
      throw Problem.validation([.init("/reason", "invalid", "Say why.")])
    }
    let reference = reference.flatMap { $0.isEmpty ? nil : $0 }
    guard reference.map(Self.isReference) ?? true else {
      throw Problem.validation([
        .init("/reference", "invalid", "A reference has at most 40 letters, digits, hyphens, dots and slashes.")
      ])
    }
    (self.actor, self.reason, self.reference) = (actor, reason, reference)
  }

  private static func isReference(_ text: String) -> Bool {
    text.utf8.count <= 40
      && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-._/#".contains($0)) }
  }

  package var facts: [String: String] {
    var facts = ["reason": reason.rawValue]
    facts["reference"] = reference
    return facts
  }
}
