import RubixWire
import Storage

/// What the other half of the flow shows agents of the documents: filled in where the flow is put together.
package struct EvidenceViews: Sendable {
  /// What was read from the images in force.
  let readings: @Sendable (Application.ID, any SQLTransaction) throws -> [ProcessedDocument]
  /// Every evaluation of the documents, oldest first, scores included.
  let verifications: @Sendable (Application.ID, any SQLTransaction) throws -> [DocumentVerification]

  package init(
    readings: @escaping @Sendable (Application.ID, any SQLTransaction) throws -> [ProcessedDocument],
    verifications: @escaping @Sendable (Application.ID, any SQLTransaction) throws -> [DocumentVerification]
  ) {
    self.readings = readings
    self.verifications = verifications
  }
}
