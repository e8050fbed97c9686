// SPDX-License-Identifier: Apache-2.0

/// How much a listed name has to share with the searched one, by what its profile tells of the dates of its entry: the
/// less they confirm, the more of the name.
struct DoubtLevels {
  enum Level: UInt8, CaseIterable {
    /// A date may agree.
    case mayAgree
    /// The list has no date.
    case none
    /// The dates are others, or days that do not agree: such entries are found by their day.
    case unlike
  }

  static let highest = Int(Level.unlike.rawValue)

  /// By the year, and by what else a profile tells; the higher counts.
  private let byYear: [UInt8]
  private let byRest: [UInt8]

  /// All names may agree.
  init() {
    byYear = Array(repeating: 0, count: 256)
    byRest = byYear
  }

  /// - Parameter areDaysUnlike: whether days that are not looked up by themselves agree with nothing.
  init(years: ClosedRange<Int>, areDaysUnlike: Bool) {
    byYear = (0..<256).map { year in
      UInt8(year) == BirthYear.unknown || years.contains(year) ? Level.mayAgree.rawValue : Level.unlike.rawValue
    }
    byRest = (0..<256).map { rest in
      switch NameProfile(rawValue: UInt16(rest)).dates {
      case .none: Level.none.rawValue
      case .days where areDaysUnlike: Level.unlike.rawValue
      case .days, .vague: Level.mayAgree.rawValue
      }
    }
  }

  /// The `Level` of a profile.
  @inline(__always)
  func level(of profile: UInt16) -> Int {
    Int(max(byYear[Int(profile >> 8)], byRest[Int(profile & 0xFF)]))
  }
}
