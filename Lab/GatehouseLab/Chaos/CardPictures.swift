// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Specimens

/// Small photographs of one identity card, and of its holder.
struct CardPictures: Sendable {
  let front: Data
  let back: Data
  let selfie: Data

  init(seed: UInt64, on day: CalendarDate) throws {
    let holder = Holder.random(seed: seed, reference: day)
    let small = try Degradation.list("lowres,jpeg:2")
    selfie = try Selfie.draw(of: holder, seed: seed, reference: day, degrade: small).data
    let drawn = try Specimen.draw(.idCard, holder: holder, seed: seed, reference: day, degrade: small)
    front = drawn.images.first { $0.side == .front }?.picture.data ?? Data()
    back = drawn.images.first { $0.side == .back }?.picture.data ?? Data()
  }
}
