// SPDX-License-Identifier: Apache-2.0

import DocumentCore

extension Holder {
  /// The holder of this number: the same number and reference date give the same person.
  ///
  /// - Parameters:
  ///   - seed: Any number.
  ///   - reference: The day that counts as today; holders are 18 to 82 years old on it.
  package static func random(seed: UInt64, reference: CalendarDate) -> Holder {
    var draw = Seeded(seed, for: "holder")
    // A few documents leave the sex open; the face has to be drawn all the same.
    let isFemale = draw.chance(0.5)
    let first = isFemale ? Names.female : Names.male
    var given = [draw.pick(first)]
    if draw.chance(0.45) {
      let second = draw.pick(first)
      if second != given[0] { given.append(second) }
    }
    let age = draw.whole(18, 81)
    let birth = reference.later(years: -age, days: -draw.whole(0, 364))
    return Holder(
      surname: draw.pick(Names.surnames),
      givenNames: given.joined(separator: " "),
      sex: draw.chance(0.04) ? .unspecified : isFemale ? .female : .male,
      birthDate: birth,
      birthPlace: draw.pick(Names.towns),
      street: "\(draw.whole(1, 199)) \(draw.pick(Names.streets))",
      town: draw.pick(Names.towns),
      postalCode: draw.digits(5) + "0000",
      height: draw.whole(isFemale ? 152 : 162, isFemale ? 184 : 198),
      eyes: draw.pick(EyeColour.allCases),
      faceSeed: draw.next() >> 11  // 53 bits, which every JSON reader keeps exactly
    )
  }
}
