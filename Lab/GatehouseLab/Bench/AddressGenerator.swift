// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import GatehouseApp

/// Invents addresses: streets of made-up names in towns of every province, the same ones for the same seed.
struct AddressGenerator {
  private static let towns: [(name: String, province: CanadianProvince, code: String)] = [
    ("Toronto", .ontario, "M5V"), ("Ottawa", .ontario, "K1P"), ("Kingston", .ontario, "K7L"),
    ("Hamilton", .ontario, "L8P"), ("London", .ontario, "N6A"), ("Thunder Bay", .ontario, "P7B"),
    ("Montréal", .quebec, "H2Y"), ("Québec", .quebec, "G1R"), ("Gatineau", .quebec, "J8X"),
    ("Vancouver", .britishColumbia, "V6B"), ("Victoria", .britishColumbia, "V8W"), ("Calgary", .alberta, "T2P"),
    ("Edmonton", .alberta, "T5J"), ("Winnipeg", .manitoba, "R3C"), ("Regina", .saskatchewan, "S4P"),
    ("Halifax", .novaScotia, "B3J"), ("Moncton", .newBrunswick, "E1C"), ("Charlottetown", .princeEdwardIsland, "C1A"),
    ("St. John's", .newfoundlandAndLabrador, "A1C"), ("Whitehorse", .yukon, "Y1A"),
    ("Yellowknife", .northwestTerritories, "X1A"), ("Iqaluit", .nunavut, "X0A"),
  ]
  private static let beginnings = [
    "Amber", "Birch", "Copper", "Dun", "Elm", "Fern", "Glen", "Haw", "Iron", "Juni", "Kes", "Lark", "Maple", "Nor",
    "Oak",
    "Pine", "Quill", "Raven", "Stone", "Thistle", "Under", "Vale", "Willow", "York",
  ]
  private static let middles = [
    "", "bury", "croft", "dale", "field", "gate", "hurst", "leaf", "moor", "ridge", "ton", "wood",
  ]
  private static let ends = ["", " East", " West", " North", " South"]
  private static let types = [
    "Street", "Avenue", "Road", "Drive", "Crescent", "Lane", "Court", "Boulevard", "Way", "Place",
  ]
  private static let letters = Array("ABCEGHJKLMNPRSTVWXYZ")

  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    // Knuth's multiplier; the high bits are the good ones.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  private mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }

  mutating func address() -> KnownAddress {
    let town = one(of: Self.towns)
    let name = one(of: Self.beginnings) + one(of: Self.middles)
    let second = below(3) == 0 ? " " + one(of: Self.beginnings) + one(of: Self.middles) : ""
    let line = "\(1 + below(9999)) \(name)\(second) \(one(of: Self.types))\(below(4) == 0 ? one(of: Self.ends) : "")"
    let half = "\(below(10))\(one(of: Self.letters))\(below(10))"
    guard let code = CanadianPostalCode("\(town.code) \(half)") else {
      preconditionFailure("The generator writes postal codes.")
    }
    return KnownAddress(line1: line, locality: town.name, province: town.province, postalCode: code)
  }

  /// What a person who looks for an address types: a part of it, at any moment from the third letter on.
  mutating func pattern(for address: KnownAddress) -> String {
    let street = address.line1.drop { $0 != " " }.dropFirst()
    let whole =
      switch below(4) {
      case 0: address.line1
      case 1: String(street)
      case 2: "\(street.prefix { $0 != " " }) \(address.locality)"
      default: address.postalCode.description
      }
    return String(whole.prefix(3 + below(max(1, whole.count - 2))))
  }
}
