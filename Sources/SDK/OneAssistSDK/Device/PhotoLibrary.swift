// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  internal import Foundation
  internal import Photos
  internal import PhotosUI
  internal import UIKit

  extension PhotoPermission {
    /// To read the photo library.
    static let library = PhotoPermission {
      switch await PHPhotoLibrary.requestAuthorization(for: .readWrite) {
      case .authorized: .full
      case .limited: .limited
      default: .denied
      }
    }
  }

  extension ScreenshotWatcher {
    /// Screenshots as they appear in the photo library.
    static let library = ScreenshotWatcher(
      watch: {
        let (stream, mouth) = AsyncStream.makeStream(of: Event.self)
        let observer = LibraryObserver { mouth.yield(.taken($0)) }
        PHPhotoLibrary.shared().register(observer)
        let moves: [(Notification.Name, Event)] = [
          (UIApplication.willResignActiveNotification, .left), (UIApplication.didBecomeActiveNotification, .returned),
        ]
        let tasks = moves.map { name, event in
          Task {
            for await _ in NotificationCenter.default.notifications(named: name) { mouth.yield(event) }
          }
        }
        mouth.onTermination = { _ in
          PHPhotoLibrary.shared().unregisterChangeObserver(observer)
          for task in tasks { task.cancel() }
        }
        return stream
      }, choose: { await chosen() })

    /// The system's list of photos that the app may see, for the user to add one.
    @MainActor
    private static func chosen() async -> Screenshot? {
      await ShownScreens.withdraw()
      guard let top = ShownScreens.top else { return nil }
      let names = await PHPhotoLibrary.shared().presentLimitedLibraryPicker(from: top)
      return LibraryObserver.newest(among: names)
    }
  }

  /// Tells of screenshots that the library did not have before.
  private final class LibraryObserver: NSObject, PHPhotoLibraryChangeObserver, Sendable {
    private let tell: @Sendable (Screenshot) -> Void

    init(tell: @escaping @Sendable (Screenshot) -> Void) {
      self.tell = tell
      super.init()
    }

    func photoLibraryDidChange(_: PHChange) {
      if let newest = Self.newest() { tell(newest) }
    }

    /// The screenshot that was taken last.
    /// - Parameter names: local identifiers; nil for whatever the app may see.
    static func newest(among names: [String]? = nil) -> Screenshot? {
      let options = PHFetchOptions()
      let subtype = PHAssetMediaSubtype.photoScreenshot.rawValue
      options.predicate = NSPredicate(format: "(mediaSubtypes & %d) != 0", subtype)
      options.sortDescriptors = [NSSortDescriptor(key: "creationDate", ascending: false)]
      if names == nil { options.fetchLimit = 1 }
      let found =
        if let names { PHAsset.fetchAssets(withLocalIdentifiers: names, options: options) } else {
          PHAsset.fetchAssets(with: .image, options: options)
        }
      guard let asset = found.firstObject, let created = asset.creationDate else { return nil }
      let name = asset.localIdentifier
      return Screenshot(takenAt: created.timeIntervalSince1970) { await load(name) }
    }

    /// Nil for what is only in the cloud.
    private static func load(_ name: String) async -> Data? {
      guard let asset = PHAsset.fetchAssets(withLocalIdentifiers: [name], options: nil).firstObject else { return nil }
      let options = PHImageRequestOptions()
      (options.isNetworkAccessAllowed, options.deliveryMode) = (false, .highQualityFormat)
      return await withCheckedContinuation { continuation in
        PHImageManager.default().requestImageDataAndOrientation(for: asset, options: options) { data, _, _, _ in
          continuation.resume(returning: data)
        }
      }
    }
  }
#endif
