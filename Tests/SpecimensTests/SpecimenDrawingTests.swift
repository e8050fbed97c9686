// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Testing

@testable import Specimens

let reference = CalendarDate(year: 2026, month: 1, day: 1)!

@Suite("Specimens: drawing")
struct SpecimenDrawingTests {
  @Test("the same seed draws the same bytes, another seed draws another person", arguments: SpecimenKind.allCases)
  func deterministic(kind: SpecimenKind) throws {
    let degrade = try Degradation.list("rotate,noise,jpeg")
    let first = try Specimen.draw(kind, seed: 7, reference: reference, degrade: degrade)
    let again = try Specimen.draw(kind, seed: 7, reference: reference, degrade: degrade)
    #expect(first.images.map(\.picture) == again.images.map(\.picture))
    #expect(first.truth == again.truth)
    let other = try Specimen.draw(kind, seed: 8, reference: reference, degrade: degrade)
    #expect(other.truth.holder != first.truth.holder)
    #expect(other.images.map(\.picture) != first.images.map(\.picture))
  }

  @Test("a scan is a PNG of the document's shape, at 300 dpi or more", arguments: SpecimenKind.allCases)
  func scan(kind: SpecimenKind) throws {
    let drawn = try Specimen.draw(kind, seed: 1, reference: reference)
    let (width, aspect) = kind == .passport ? (125.0, 1.420) : (85.6, 1.586)
    #expect(drawn.images.map(\.side) == (kind == .passport ? [.page] : [.front, .back]))
    for (_, picture) in drawn.images {
      #expect(picture.format == .png)
      #expect(picture.data.starts(with: [0x89, 0x50, 0x4E, 0x47]))
      #expect(Double(picture.width) / width * 25.4 >= 300)
      #expect(abs(Double(picture.width) / Double(picture.height) - aspect) < 0.005)
    }
  }

  @Test(
    "a photograph is a JPEG in which the whole document lies inside, with a margin", arguments: SpecimenKind.allCases)
  func photograph(kind: SpecimenKind) throws {
    for seed in UInt64(1)...3 {
      let degrade = try Degradation.list("rotate:2,perspective:2")
      let drawn = try Specimen.draw(kind, seed: seed, reference: reference, degrade: degrade)
      for (image, side) in zip(drawn.images, drawn.truth.sides) {
        #expect(image.picture.format == .jpeg)
        #expect(image.picture.data.starts(with: [0xFF, 0xD8, 0xFF]))
        #expect(side.width == image.picture.width && side.height == image.picture.height)
        for corner in side.corners {
          #expect(corner.x > Double(side.width) * 0.01 && corner.x < Double(side.width) * 0.99)
          #expect(corner.y > Double(side.height) * 0.01 && corner.y < Double(side.height) * 0.99)
        }
      }
    }
  }

  @Test("each degradation changes the picture", arguments: Degradation.Kind.allCases)
  func degradation(kind: Degradation.Kind) throws {
    let plain = try Specimen.draw(.passport, seed: 3, reference: reference, degrade: [.init(kind, strength: 0)])
    let spoiled = try Specimen.draw(.passport, seed: 3, reference: reference, degrade: [.init(kind)])
    #expect(plain.images[0].picture != spoiled.images[0].picture)
    #expect(plain.truth.holder == spoiled.truth.holder)
  }

  @Test("the two sides of a card are degraded each in its own way")
  func sides() throws {
    let drawn = try Specimen.draw(.idCard, seed: 5, reference: reference, degrade: [.init(.rotate)])
    #expect(drawn.truth.sides[0].corners != drawn.truth.sides[1].corners)
  }

  @Test("a list of degradations is read in order, with strengths, and an unknown name is refused")
  func list() throws {
    #expect(try Degradation.list("blur,glare:2,jpeg") == [.init(.blur), .init(.glare, strength: 2), .init(.jpeg)])
    #expect(try Degradation.list("") == [])
    for text in ["fog", "blur:", "blur:much", "blur,,fog", "blur:nan"] {
      #expect(throws: SpecimenError.self) { try Degradation.list(text) }
    }
  }

  @Test("a holder's selfie is large enough, and repeatable")
  func selfie() throws {
    let holder = Holder.random(seed: 2, reference: reference)
    let picture = try Selfie.draw(of: holder, seed: 2, reference: reference)
    #expect(picture.width >= 800 && picture.height >= 1000)
    #expect(try Selfie.draw(of: holder, seed: 2, reference: reference) == picture)
    #expect(try Selfie.draw(of: holder, seed: 3, reference: reference) != picture)
  }
}
