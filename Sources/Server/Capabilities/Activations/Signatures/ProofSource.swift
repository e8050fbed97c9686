// SPDX-License-Identifier: Apache-2.0

import Kit

extension ProofRepository.Source {
  /// Signatures of devices by two factors or three.
  package static func powerAuth(_ activations: Activations) -> ProofRepository.Source {
    let prefix = Activations.chain(.init(rawValue: ""))
    return ProofRepository.Source(
      verified: "signature.verified", refused: "signature.refused", prefix: prefix,
      isProof: { ($0.facts["type"] ?? "").contains("_") },
      shown: { line, id, tx in
        try line.facts["data"].flatMap { try activations.signedText($0, of: .init(rawValue: id), in: tx) }
      }
    ) { id, tx in
      try activations.find(.init(rawValue: id), in: tx).map { ProofRepository.Owner(tenant: $0.tenant, user: $0.user) }
    }
  }
}
