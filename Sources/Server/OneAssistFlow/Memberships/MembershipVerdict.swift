// SPDX-License-Identifier: Apache-2.0

import Kit

/// What a reviewer says of a membership.
package struct MembershipVerdict: Sendable {
  /// A reviewer decides, and a colleague agrees.
  package static let rule = FourEyes(maker: "attend:video", checker: "approve:verdicts")
  private static let prefix = "oneassist.review."

  let verdict: ReviewCommands.Verdict
  /// In one line; of a rejection always.
  let reason: String?

  init(_ verdict: ReviewCommands.Verdict, because reason: String?) { (self.verdict, self.reason) = (verdict, reason) }

  /// As a colleague agreed to it; nil for other acts.
  package init?(_ act: BoundAct) {
    guard act.action.hasPrefix(Self.prefix),
      let verdict = ReviewCommands.Verdict(rawValue: String(act.action.dropFirst(Self.prefix.count)))
    else { return nil }
    self.init(verdict, because: act.content.isEmpty ? nil : act.content)
  }

  /// As the colleague agrees to it: with its reason, on the membership with its photos as they are.
  func act(on membership: Membership) -> BoundAct {
    BoundAct(
      Self.prefix + verdict.rawValue, subject: membership.id.rawValue, version: Int64(membership.version),
      content: reason ?? "")
  }
}
