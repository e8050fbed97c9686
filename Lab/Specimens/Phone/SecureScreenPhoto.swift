// SPDX-License-Identifier: Apache-2.0

import CSpecimen
import Foundation

/// A photo of a phone that shows the secure screen (oneassist §7), taken with another one.
package enum SecureScreenPhoto {
  /// What the screen shows.
  package struct Content: Sendable, Codable, Equatable {
    package var imei: String
    package var imei2: String?
    /// Eleven digits.
    package var code: String
    /// The step's number modulo 100.
    package var hint: Int

    package init(imei: String, imei2: String? = nil, code: String, hint: Int) {
      (self.imei, self.imei2, self.code, self.hint) = (imei, imei2, code, hint)
    }

    /// A code that no session ever showed.
    package static func random(seed: UInt64) -> Content {
      var draw = Seeded(seed, for: "secure screen content")
      let phone = PhoneNumbers.random(seed: seed)
      return Content(
        imei: phone.imei, imei2: phone.imei2, code: PhoneNumbers.checked(draw.digits(10)), hint: draw.whole(0, 99))
    }
  }

  package struct Truth: Sendable, Codable, Equatable {
    package var seed: UInt64
    package var width: Int
    package var height: Int
    package var content: Content
    /// Of the lit screen in the picture: upper left, upper right, lower right, lower left.
    package var corners: [SpecimenTruth.Point]
    package var degrade: [Degradation]
  }

  /// What a person's photo of a screen suffers: the degradations of this number.
  package static func wear(seed: UInt64) -> [Degradation] {
    var draw = Seeded(seed, for: "secure screen wear")
    var list: [Degradation] = []
    if draw.chance(0.7) { list.append(Degradation(.rotate, strength: draw.between(0.3, 1.5))) }
    if draw.chance(0.8) { list.append(Degradation(.perspective, strength: draw.between(0.3, 1.6))) }
    if draw.chance(0.6) { list.append(Degradation(.moire, strength: draw.between(0.3, 1.2))) }
    if draw.chance(0.4) { list.append(Degradation(.glare, strength: draw.between(0.3, 0.9))) }
    if draw.chance(0.3) { list.append(Degradation(.shadow, strength: draw.between(0.3, 1))) }
    if draw.chance(0.6) { list.append(Degradation(.blur, strength: draw.between(0.3, 1.4))) }
    if draw.chance(0.7) { list.append(Degradation(.noise, strength: draw.between(0.3, 1.4))) }
    if draw.chance(0.8) { list.append(Degradation(.jpeg, strength: draw.between(0.5, 1.5))) }
    return list
  }

  /// - Parameter content: nil for that of the seed.
  /// - Returns: a JPEG of a phone on a desk.
  package static func draw(
    _ content: Content? = nil, degrade: [Degradation] = [], seed: UInt64
  ) throws(SpecimenError) -> DrawnScreen<Truth> {
    let content = content ?? .random(seed: seed)
    var draw = Seeded(seed, for: "secure screen photo")
    let phone = try InsuredPhoneFront(content, &draw)
    let photo = try Photograph(
      of: phone.canvas, isCard: true, degrade, seed: seed, stream: "secure screen", margin: draw.between(0.12, 0.5))
    let picture = try photo.canvas.encoded(as: .jpeg, quality: 92)
    let corners = phone.screenCorners.map { corner -> SpecimenTruth.Point in
      let (x, y) = photo.map.apply(corner.x, corner.y)
      return .init(x: (x * 10).rounded() / 10, y: (y * 10).rounded() / 10)
    }
    return DrawnScreen(
      picture: picture,
      truth: Truth(
        seed: seed, width: photo.canvas.width, height: photo.canvas.height, content: content, corners: corners,
        degrade: degrade))
  }
}
