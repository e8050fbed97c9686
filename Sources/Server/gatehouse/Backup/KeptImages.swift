import RubixFlow
import Storage
import WultraFlow

/// Which objects a room's rows name, for backups.
struct KeptImages: Sendable {
  /// Every room that stores objects.
  static let rooms = [
    KeptImages(
      page: { try ImageStore.kept(after: $0, limit: $1, in: $2) },
      keys: { CapturedImage.blobKeys(.init(rawValue: $0)) }, isKept: { try ImageStore.isKept($0, in: $1) }),
    KeptImages(
      page: { try WultraBlobStore.kept(after: $0, limit: $1, in: $2) }, keys: { WultraBlobStore.keys(of: $0) },
      isKept: { try WultraBlobStore.isKept($0, in: $1) }),
  ]

  /// Ids after one, ascending, at most so many.
  let page: @Sendable (_ after: String, _ limit: Int, any SQLTransaction) throws -> [String]
  /// The keys of an image: the picture itself first, which always is there.
  let keys: @Sendable (_ id: String) -> [String]
  /// Whether it was not erased meanwhile.
  let isKept: @Sendable (_ id: String, any SQLTransaction) throws -> Bool
}
