// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Scheduling

/// A language that pages are written in.
package enum Language: String, CaseIterable, Sendable, Codable {
  case english = "en"
  case french = "fr"
  case arabic = "ar"

  /// What the `dir` of a page is.
  var direction: String { self == .arabic ? "rtl" : "ltr" }

  /// As its speakers call it.
  var label: String {
    switch self {
    case .english: "English"
    case .french: "Français"
    case .arabic: "العربية"
    }
  }

  /// How dates and numbers are written.
  private var locale: Locale {
    switch self {
    case .english: Locale(identifier: "en_GB")
    case .french: Locale(identifier: "fr_FR")
    case .arabic: Locale(identifier: "ar")
    }
  }

  /// The first of a client's languages that pages are written in, by its weights (RFC 9110 §12.5.4).
  /// - Parameter header: of `Accept-Language`; nil and anything unreadable mean English.
  init(accepting header: String?) {
    // No browser sends more than a few; a longer header is not read to its end.
    let ranges = (header ?? "").split(separator: ",").prefix(20).enumerated().compactMap { index, range in
      let pieces = range.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
      let primary = pieces.first?.split(separator: "-").first?.lowercased() ?? ""
      return Language(rawValue: primary).map { (language: $0, weight: weight, index: index) }
    }
    let best = ranges.filter { $0.weight > 0 }.min { ($1.weight, $0.index) < ($0.weight, $1.index) }
    self = best?.language ?? .english
  }

  /// Day and time with the name of the zone, as people of the language write them.
  /// - Parameter clock: nil for UTC.
  func text(_ instant: Instant, by clock: LocalTime? = nil) -> String {
    let zone = clock.flatMap { ["UTC", "GMT"].contains($0.identifier) ? nil : TimeZone(identifier: $0.identifier) }
    let style = Date.FormatStyle(
      date: .abbreviated, time: .shortened, locale: locale, calendar: Calendar(identifier: .gregorian),
      timeZone: zone ?? .gmt)
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    return zone == nil ? date.formatted(style) + " UTC" : date.formatted(style.timeZone(.genericLocation))
  }

  func text(_ number: Int) -> String { number.formatted(.number.locale(locale)) }

  /// - Parameter share: 0 to 1; written with one decimal at most.
  func text(share: Double) -> String {
    share.formatted(.percent.precision(.fractionLength(0...1)).locale(locale))
  }
}
