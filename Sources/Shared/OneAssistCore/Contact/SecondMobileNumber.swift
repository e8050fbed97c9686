// SPDX-License-Identifier: Apache-2.0

/// The number of the phone that takes the photos (specification §6).
public struct SecondMobileNumber: Sendable, Hashable, CustomStringConvertible {
  /// With the country's code, `+919876543210` (E.164).
  public let e164: String

  /// Which numbers are taken.
  public enum Countries: Sendable, Hashable {
    case india
    /// Also others, when they are written as E.164.
    case all
  }

  /// Reads a number as people write it: spaces and hyphens do not count, and neither does one leading `+91` or `0`.
  /// - Returns: nil unless it is an Indian mobile number of ten digits, the first 6…9, or E.164 where that is taken.
  public init?(_ text: String, countries: Countries = .india) {
    guard text.utf8.count <= 64 else { return nil }
    let bare = text.filter { !$0.isWhitespace && $0 != "-" }
    let national =
      if bare.hasPrefix("+91") { bare.dropFirst(3) } else if bare.hasPrefix("0") { bare.dropFirst() } else { bare[...] }
    if national.utf8.count == 10, let digits = national.digitValues, digits[0] >= 6 {
      e164 = "+91" + national
    } else if countries == .all, !bare.hasPrefix("+91"), bare.hasPrefix("+"), (8...16).contains(bare.utf8.count),
      let digits = bare.dropFirst().digitValues, digits[0] > 0
    {
      e164 = bare
    } else {
      return nil
    }
  }

  /// The last four digits: all that is kept in clear.
  public var lastFour: String { String(e164.suffix(4)) }

  /// As it may be shown: `******3210`.
  public var masked: String { "******\(lastFour)" }

  /// The masked form.
  public var description: String { masked }

  /// What is wrong with a number as an argument (§4.2, step 4): blank, ill-formed, or the one the plan was bought with.
  /// - Parameter purchase: the number of the purchase as the server gave it; nil when it is not known here.
  public static func fault(_ text: String, purchase: String?, countries: Countries = .india) -> ArgumentFault? {
    if ArgumentFault.isBlank(text) { return .emptyMobileNumber }
    guard let number = SecondMobileNumber(text, countries: countries) else { return .mobileInvalid }
    if let purchase, SecondMobileNumber(purchase, countries: .all) == number { return .secondaryEqualsPrimary }
    return nil
  }
}

extension SecondMobileNumber: CustomReflectable {
  /// Says as little as `description`.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
