// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// What a holder looks like, drawn once from the holder's own number. No real person was the model.
///
/// Lengths are in units of about half a face: the eyes near y = −0.1, the chin at y = 1, the crown near y = −1.15.
struct Face {
  enum HairStyle: CaseIterable { case short, parted, cropped, receding, bob, long, tied }

  let skin: Colour
  let hair: Colour
  let style: HairStyle
  let iris: Colour
  let lips: Colour
  let clothes: Colour
  let halfWidth: Double
  let jaw: Double
  let eyeDistance: Double
  let eyeSize: Double
  let eyeTilt: Double
  let browWidth: Double
  let browLift: Double
  let noseWidth: Double
  let noseLength: Double
  let mouthWidth: Double
  let lipHeight: Double
  /// 0…1: stubble to full beard; 0 for none.
  let beard: Double
  /// 0…1: how deep lines are.
  let age: Double

  private static let skins: [UInt32] = [
    0xF3D3BD, 0xEBC1A2, 0xE2B08A, 0xD49C76, 0xC48C66, 0xAD7550, 0x94613F, 0x7E5236,
  ]
  private static let darkHair: [UInt32] = [0x17120F, 0x241A14, 0x30221A]
  private static let lightHair: [UInt32] = [0x4A3322, 0x6B4A2C, 0x8A5A2E, 0xB08850, 0xC8A566, 0x7C3B1E]

  /// - Parameter date: The day of the picture, which decides the age that it shows.
  init(of holder: Holder, on date: CalendarDate) {
    var draw = Seeded(holder.faceSeed, for: "face")
    let isFemale = holder.sex == .female || holder.sex == .unspecified && draw.chance(0.5)
    let tone = draw.whole(0, Self.skins.count - 1)
    let jitter = draw.between(-0.05, 0.05)
    let base = Colour(Self.skins[tone])
    skin = jitter > 0 ? base.lighter(jitter) : base.darker(-jitter)
    let years = Double(holder.birthDate.age(on: date))
    age = min(1, max(0, (years - 30) / 45))
    let grey = min(0.92, max(0, (years - 42) / 30) * draw.between(0.5, 1.2))
    let natural = Colour(draw.pick(tone > 3 ? Self.darkHair : Self.darkHair + Self.lightHair))
    hair = natural.mixed(with: Colour(0xC9C7C4), grey)
    style = isFemale ? draw.pick([.bob, .long, .tied, .short]) : draw.pick([.short, .parted, .cropped, .receding])
    iris = holder.eyes.iris
    let rose = isFemale ? draw.between(0.35, 0.6) : draw.between(0.18, 0.32)
    lips = skin.darker(0.12).mixed(with: Colour(0xA83A44), rose)
    clothes = Colour(draw.pick([0x27324A, 0x2E2E33, 0x3E4A3C, 0x5A2F36, 0x3B4F63, 0x54483B]))
    halfWidth = isFemale ? draw.between(0.68, 0.75) : draw.between(0.72, 0.80)
    jaw = isFemale ? draw.between(0.40, 0.50) : draw.between(0.48, 0.60)
    eyeDistance = draw.between(0.30, 0.345)
    eyeSize = isFemale ? draw.between(0.150, 0.172) : draw.between(0.140, 0.160)
    eyeTilt = draw.between(-0.05, 0.10)
    browWidth = isFemale ? draw.between(0.030, 0.045) : draw.between(0.048, 0.072)
    browLift = draw.between(0.17, 0.215)
    noseWidth = draw.between(0.145, 0.205)
    noseLength = draw.between(0.34, 0.42)
    mouthWidth = draw.between(0.25, 0.32)
    lipHeight = isFemale ? draw.between(0.075, 0.105) : draw.between(0.055, 0.08)
    beard = isFemale || draw.chance(0.6) ? 0 : draw.between(0.35, 1)
  }
}
