import Foundation
import Kit
import Storage

/// The one way in which stored pictures go: owed in the transaction that gives their rows up, done by the worker, as
/// often as it takes.
struct ImageDeletion: Sendable {
  static let topic = "rubix.deleteImages"
  /// Pictures of one effect.
  static let imagesMax = 50

  let core: CoreDependencies

  /// - Parameter chain: the audit chain of those who are shown, as it is called from now on.
  func owe(_ images: [CapturedImage.ID], of chain: String, in tx: any SQLTransaction) throws {
    for start in stride(from: 0, to: images.count, by: Self.imagesMax) {
      let batch = images[start..<min(start + Self.imagesMax, images.count)]
      try core.outbox.enqueue(
        Self.topic, subject: chain, payload: batch.map(\.rawValue).joined(separator: " "), in: tx)
    }
  }

  /// Deleting what is gone already is no error, so a repetition does no harm.
  func perform(_ item: OutboxItem) async throws {
    for id in item.payload.split(separator: " ") {
      for key in CapturedImage.blobKeys(.init(rawValue: String(id))) { try await core.blobs.delete(key) }
    }
  }
}
