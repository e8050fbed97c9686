// SPDX-License-Identifier: Apache-2.0

import Kit

extension ProofRepository.Source {
  /// Sign-ins and step-ups with a code.
  package static func finaptic(_ core: CoreDependencies) -> ProofRepository.Source {
    ProofRepository.Source(
      verified: "finaptic.user.signedIn", refused: "finaptic.user.factorRefused", prefix: "finaptic-user-",
      isProof: { $0.facts["factor"] != nil }
    ) { id, tx in
      try FinapticUserStore(tx, vault: core.vault).find(.init(rawValue: id)).map { row in
        ProofRepository.Owner(
          tenant: FinapticTenant.session(row.user.tenant), user: row.user.id.rawValue, email: row.user.profile.email)
      }
    }
  }
}
