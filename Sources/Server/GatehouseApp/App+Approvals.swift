// SPDX-License-Identifier: Apache-2.0

import Activations
import Casework
import FinapticFlow
import Kit
import OneAssistFlow
import RubixFlow
import WultraFlow

/// What waits for the word of a second person.
extension App {
  package var approvalCommands: ApprovalCommands {
    ApprovalCommands(core, caseService: caseService, subjects: subjectVersions)
  }

  /// How what a second person agrees to stands now. Requests for exports and erasures do not change while they wait,
  /// but for the money of whom is erased, which `Approvals` finds by the act about it.
  private var subjectVersions: SubjectVersions {
    SubjectVersions([
      ("rubix.", { act, tx in try ApplicationStore.version(of: .init(rawValue: act.subject), in: tx) }),
      ("wultra.review.", { act, tx in try ReviewStore.version(ofWaiting: .init(rawValue: act.subject), in: tx) }),
      ("oneassist.review.", { act, tx in try MembershipStore.version(of: .init(rawValue: act.subject), in: tx) }),
      ("activation.", { act, tx in try Activation.version(ofBlocked: .init(rawValue: act.subject), in: tx) }),
      (
        FinapticDependencies.actPrefix,
        { @Sendable [dependencies = finaptic.dependencies] act, tx in try dependencies.version(of: act, in: tx) }
      ),
    ])
  }
}
