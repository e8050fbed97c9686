import Evidence
import RubixWire

extension EvidenceViews {
  /// From the stored readings and evaluations.
  package static func live(_ parts: RubixDependencies) -> EvidenceViews {
    EvidenceViews(
      readings: { id, tx in
        let store = ImageStore(tx, vault: parts.vault)
        return try store.current(of: id).compactMap { image in
          guard let sealed = try store.sealedReading(of: image.id) else { return nil }
          let reading = try parts.vault.open(
            sealed, as: DocumentReading.self, context: StoredReading.context(image.id))
          return ProcessedDocument(image, reading)
        }
      },
      verifications: { id, tx in
        try VerificationStore(tx, vault: parts.vault).all(of: id).map { $0.view(revealsScores: true) }
      })
  }
}
