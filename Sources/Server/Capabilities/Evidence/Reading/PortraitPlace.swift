// SPDX-License-Identifier: Apache-2.0

/// Where the holder's portrait is on a page.
enum PortraitPlace {
  /// Around the largest face of a plausible size; else where documents of the kind have it (Doc 9303-4 §2.2: left).
  static func find(_ report: FaceReport, kind: DocumentKind?, page: Frame) -> DocumentReading.PortraitInfo? {
    guard kind != .nationalIDBack else { return nil }
    let width = Double(page.width), height = Double(page.height)
    let face = report.faces.first { face in
      let share = Double(face.region.width) / width
      return share > 0.06 && share < 0.35
    }
    if let face {
      // The detector's box spans brow to chin; a portrait of Doc 9303-3 §3.9 is about 1.36 × 1.76 of it.
      let side = Double(face.region.width)
      let left = max(0, face.region.midX - side * 0.68), top = max(0, face.region.midY - side * 0.96)
      let region = Region(
        x: Int(left), y: Int(top), width: Int(min(width - left, side * 1.36)),
        height: Int(min(height - top, side * 1.76)))
      return .init(region: region, faceSeen: true)
    }
    guard let kind, kind.carriesPortrait else { return nil }
    let region =
      kind == .passport
      ? Region(x: Int(width * 0.03), y: Int(height * 0.17), width: Int(width * 0.3), height: Int(height * 0.55))
      : Region(x: Int(width * 0.03), y: Int(height * 0.2), width: Int(width * 0.33), height: Int(height * 0.65))
    return .init(region: region, faceSeen: false)
  }
}
