// SPDX-License-Identifier: Apache-2.0

import Foundation
import PhotosUI
import SwiftUI
import UIKit

/// Lets the user choose one picture. The system shows its library by itself, so the app needs no permission.
struct PicturePicker: View {
  let picked: (Data) -> Void
  @Environment(\.locale) private var locale
  @State private var item: PhotosPickerItem?

  var body: some View {
    PhotosPicker(PartText.choosePicture.text(locale), selection: $item, matching: .images)
      .accessibilityIdentifier("choose")
      .task(id: item) {
        guard let item, let data = try? await item.loadTransferable(type: Data.self),
          let picture = PictureFile.jpeg(data)
        else { return }
        self.item = nil
        picked(picture)
      }
  }
}

/// Pictures as servers take them.
enum PictureFile {
  /// Of the longer side: documents stay readable, and the file has some hundred kilobytes.
  private static let pixelsMax: CGFloat = 1920

  /// Whatever the system can read (such as HEIC) as a JPEG file, upright and small enough to be sent.
  /// - Returns: nil when it is no picture.
  static func jpeg(_ data: Data) -> Data? {
    guard let image = UIImage(data: data) else { return nil }
    let longer = max(image.size.width, image.size.height)
    let part = longer > pixelsMax ? pixelsMax / longer : 1
    let size = CGSize(width: image.size.width * part, height: image.size.height * part)
    return (image.preparingThumbnail(of: size) ?? image).jpegData(compressionQuality: 0.8)
  }
}
