// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A drawn screen, and the truth about it.
package struct DrawnScreen<Truth: Codable & Sendable>: Sendable {
  package let picture: Picture
  package let truth: Truth

  /// The JSON that is written beside the picture.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(truth)
  }
}

/// A screenshot of the system's sheet of identifiers.
package enum IMEIScreenshot {
  package struct Truth: Sendable, Codable, Equatable {
    package var seed: UInt64
    package var width: Int
    package var height: Int
    package var numbers: PhoneNumbers
    package var look: SheetLook
    /// Nil for the screenshot as it was taken.
    package var wear: ScreenWear?
  }

  /// Draws one: the same arguments give the same bytes on the same machine.
  ///
  /// - Parameters:
  ///   - numbers: nil for those of the seed.
  ///   - look: nil for that of the seed.
  ///   - wear: nil for a PNG without any loss; else a JPEG.
  package static func draw(
    _ numbers: PhoneNumbers? = nil, look: SheetLook? = nil, wear: ScreenWear? = nil, seed: UInt64
  ) throws(SpecimenError) -> DrawnScreen<Truth> {
    let (numbers, look) = (numbers ?? .random(seed: seed), look ?? .random(seed: seed))
    let sheet = try DeviceSheet(numbers, look, seed: seed)
    var canvas = sheet.canvas
    if let wear {
      canvas = try wear.applied(
        to: canvas, top: sheet.top * look.scale, bottom: sheet.bottom * look.scale, seed: seed)
    }
    let encoded = try canvas.encoded(as: wear == nil ? .png : .jpeg, quality: 92)
    return DrawnScreen(
      picture: encoded,
      truth: Truth(
        seed: seed, width: canvas.width, height: canvas.height, numbers: numbers.shown(in: look.layout), look: look,
        wear: wear))
  }
}

extension PhoneNumbers {
  /// Those that a layout has a line for.
  fileprivate func shown(in layout: SheetLook.Layout) -> PhoneNumbers {
    var shown = self
    switch layout {
    case .iosSheet: shown.iccid = nil
    case .iosRows: break
    case .androidDialog: shown.iccid = nil
    case .androidList: shown.meid = nil
    }
    return shown
  }
}
