// SPDX-License-Identifier: Apache-2.0

import Activations
import PowerAuthCore

// What a call may have proved. Only this module can make any of them, after the proof.

/// A proof that names an activation.
package protocol ProofOfActivation: Sendable {
  var activation: Activation { get }
}

/// A device proved factors, by a signature or by a token that was made under one (powerauth.md §5, §7).
package struct FactorProof: ProofOfActivation {
  /// As it stood when the proof was checked.
  package let activation: Activation
  package let factors: SignatureType

  init(_ proved: (activation: Activation, type: SignatureType)) {
    activation = proved.activation
    factors = proved.type
  }
}

/// A device used the encryption keys of its activation, and proved no factor: it is the right device's app, no matter
/// who holds it (powerauth.md §4.1).
package struct TransportProof: ProofOfActivation {
  package let activation: Activation

  init(_ activation: Activation) { self.activation = activation }
}

/// An app encrypted with what every copy of it knows. Says which app, and nothing about device or person.
package struct ApplicationProof: Sendable {
  package let application: PowerAuthApplication
  let applicationKey: ApplicationKey
  let version: ProtocolVersion
}

/// Nothing was asked for.
package struct NoProof: Sendable {
  init() {}
}
