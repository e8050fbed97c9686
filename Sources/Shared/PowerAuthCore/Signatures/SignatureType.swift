// SPDX-License-Identifier: Apache-2.0

/// One of the things that a signature proves (powerauth.md §5).
public enum SignatureFactor: CaseIterable, Hashable, Sendable {
  case possession, knowledge, biometry
}

/// Which factors a signature proves, by the text of a header.
public enum SignatureType: String, CaseIterable, Hashable, Sendable {
  case possession
  case knowledge
  case biometry
  case possessionKnowledge = "possession_knowledge"
  case possessionBiometry = "possession_biometry"
  case possessionKnowledgeBiometry = "possession_knowledge_biometry"

  /// In the order in which their keys are used.
  public var factors: [SignatureFactor] {
    switch self {
    case .possession: [.possession]
    case .knowledge: [.knowledge]
    case .biometry: [.biometry]
    case .possessionKnowledge: [.possession, .knowledge]
    case .possessionBiometry: [.possession, .biometry]
    case .possessionKnowledgeBiometry: [.possession, .knowledge, .biometry]
    }
  }

  /// Whether a wrong signature of this type counts against the activation, and a right one clears the count: all but
  /// possession alone, which proves no person (§5.5).
  public var countsAttempts: Bool { self != .possession }
}

/// The keys of the factors. A device has those that its user unlocked, a server all.
public struct SignatureKeys: Equatable, Sendable {
  public var possession: SecretKey?
  public var knowledge: SecretKey?
  public var biometry: SecretKey?

  public init(possession: SecretKey? = nil, knowledge: SecretKey? = nil, biometry: SecretKey? = nil) {
    self.possession = possession
    self.knowledge = knowledge
    self.biometry = biometry
  }

  public subscript(factor: SignatureFactor) -> SecretKey? {
    switch factor {
    case .possession: possession
    case .knowledge: knowledge
    case .biometry: biometry
    }
  }

  /// - Throws: `missingFactor`.
  func keys(for type: SignatureType) throws(PowerAuthError) -> [SecretKey] {
    var keys: [SecretKey] = []
    for factor in type.factors {
      guard let key = self[factor] else { throw .missingFactor }
      keys.append(key)
    }
    return keys
  }
}
