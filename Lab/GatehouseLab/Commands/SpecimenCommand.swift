// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import DocumentCore
import Foundation
import GatehouseApp
import Kit
import Specimens

/// Draws specimens: documents of Utopia, photographed if wished, and screens of phones; with the truth beside each
/// picture.
struct SpecimenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "specimen", abstract: "Draw specimens of documents and screens, for tests and demonstrations.")

  @Argument(help: "passport, id-card, driving-licence, selfie, imei-screenshot or secure-screen.")
  var kind: String

  @Option(help: "How many.")
  var count = 1

  @Option(help: "The same seed draws the same holder, document and photograph.")
  var seed: UInt64 = 1

  @Option(
    help:
      "Degradations in order, as in blur,glare:2 (blur rotate noise glare perspective jpeg shadow lowres moire turn, strength 0 to 4); of a screen also: random."
  )
  var degrade = ""

  @Option(help: "Folder to write to.")
  var out = "specimens"

  @Option(help: "Surname of the holder (default: random).")
  var surname: String?

  @Option(help: "Given names of the holder (default: random).")
  var givenNames: String?

  @Option(help: "Date of birth of the holder, YYYY-MM-DD (default: random).", transform: date)
  var birthDate: CalendarDate?

  @OptionGroup(title: "Screens") var screen: ScreenOptions

  @Option(help: "The day of issue to reckon from, YYYY-MM-DD (default: today).", transform: date)
  var on: CalendarDate?

  @Sendable private static func date(_ text: String) throws -> CalendarDate {
    guard let date = CalendarDate(text) else { throw ValidationError("\(text) is not a date YYYY-MM-DD") }
    return date
  }

  func run() throws {
    guard (1...10_000).contains(count) else { throw ValidationError("--count is 1 to 10000") }
    guard let day = on ?? CalendarDate(dayNumber: Int(World.live.now().milliseconds / 86_400_000)) else {
      throw ValidationError("the clock is wrong")
    }
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: true)
    for offset in 0..<UInt64(count) {
      let seed = seed &+ offset
      var holder = Holder.random(seed: seed, reference: day)
      if let surname { holder.surname = surname }
      if let givenNames { holder.givenNames = givenNames }
      if let birthDate { holder.birthDate = birthDate }
      do { try draw(holder, seed: seed, day: day) } catch let error as SpecimenError {
        throw ValidationError("\(error)")
      }
    }
  }

  private func draw(_ holder: Holder, seed: UInt64, day: CalendarDate) throws {
    if let kind = ScreenOptions.Kind(rawValue: kind) {
      for (data, ending) in try screen.draw(kind, degrade: degrade, seed: seed) {
        try write(data, "\(kind.rawValue)-\(seed).\(ending)")
      }
      return
    }
    let degradations = degrade.isEmpty ? [] : try Degradation.list(degrade)
    if kind == "selfie" {
      let picture = try Selfie.draw(of: holder, seed: seed, reference: day, degrade: degradations)
      return try write(picture.data, "selfie-\(seed).\(picture.format.fileExtension)")
    }
    guard let kind = SpecimenKind(rawValue: kind) else {
      throw ValidationError(
        "passport, id-card, driving-licence, selfie, imei-screenshot or secure-screen, not \(kind)")
    }
    let drawn = try Specimen.draw(kind, holder: holder, seed: seed, reference: day, degrade: degradations)
    for (side, picture) in drawn.images {
      try write(picture.data, "\(kind.rawValue)-\(seed)-\(side.rawValue).\(picture.format.fileExtension)")
    }
    try write(try drawn.truth.json(), "\(kind.rawValue)-\(seed).json")
  }

  private func write(_ data: Data, _ name: String) throws {
    try data.write(to: URL(fileURLWithPath: out).appendingPathComponent(name))
    print("\(out)/\(name)")
  }
}
