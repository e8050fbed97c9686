// SPDX-License-Identifier: Apache-2.0

import Activations
import Delivery
import Evidence
import Kit

/// Wultra Digital Onboarding, put together.
package struct WultraService: Sendable {
  package let dossiers: Dossiers
  let effects: WultraEffects

  /// - Parameter unread: as of `Dossiers`.
  package init(
    _ settings: WultraSettings, isSandbox: Bool, core: CoreDependencies, activations: Activations,
    evidence: EvidenceReader, faces: FaceComparison, liveness: Liveness, messenger: Messenger, webhooks: Webhooks,
    unread: @escaping @Sendable (any Error) -> Void
  ) throws {
    let policy = settings.policy(isSandbox: isSandbox)
    let vendors = try settings.vendors(world: core.world)
    dossiers = Dossiers(core: core, activations: activations, policy: policy, unread: unread)
    effects = WultraEffects(
      dossiers: dossiers,
      adapter: try settings.adapter(isSandbox: isSandbox, policy, messenger: messenger, webhooks: webhooks, core: core),
      documents: .evidence(evidence, world: core.world).preparing(by: vendors.scanning),
      presence: .evidence(evidence, faces: faces, liveness: liveness).checking(by: vendors.presence))
  }

  package var provider: CustomActivationProvider { .onboarding(dossiers) }
  package var reviews: ReviewCommands { ReviewCommands(dossiers: dossiers) }
}
