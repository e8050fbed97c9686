// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import PowerAuthCore

/// Who the user is, as the server's application says, by the claims of OpenID Connect Core 1.0 §5.1.
public final class PowerAuthUserInfo: Sendable {
  private let claims: [String: JSONValue]

  init(_ claims: [String: JSONValue]) { self.claims = claims }

  /// Every claim, as JSON.
  public var allClaims: [String: Any] { claims.mapValues(\.native) }

  public var subject: String? { text("sub") }
  public var name: String? { text("name") }
  public var givenName: String? { text("given_name") }
  public var familyName: String? { text("family_name") }
  public var middleName: String? { text("middle_name") }
  public var nickname: String? { text("nickname") }
  public var preferredUsername: String? { text("preferred_username") }
  public var profileUrl: String? { text("profile") }
  public var pictureUrl: String? { text("picture") }
  public var websiteUrl: String? { text("website") }
  public var email: String? { text("email") }
  public var isEmailVerified: Bool { flag("email_verified") }
  public var phoneNumber: String? { text("phone_number") }
  public var isPhoneNumberVerified: Bool { flag("phone_number_verified") }
  public var gender: String? { text("gender") }
  public var zoneInfo: String? { text("zoneinfo") }
  public var locale: String? { text("locale") }

  /// The day of birth at noon UTC; nil when it is absent or the year is not given.
  public var birthdate: Date? {
    guard let parts = text("birthdate")?.split(separator: "-", omittingEmptySubsequences: false), parts.count == 3,
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      // Of numbers that are no date of a calendar Foundation makes another day.
      (1...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let components = DateComponents(year: year, month: month, day: day, hour: 12)
    guard let date = calendar.date(from: components) else { return nil }
    // A 30th of February would be carried over.
    let read = calendar.dateComponents([.month, .day], from: date)
    return read.month == month && read.day == day ? date : nil
  }

  /// When something of this last changed.
  public var updatedAt: Date? {
    switch claims["updated_at"] {
    case .integer(let seconds): Date(timeIntervalSince1970: Double(seconds))
    case .number(let seconds): Date(timeIntervalSince1970: seconds)
    default: nil
    }
  }

  private func text(_ claim: String) -> String? { claims[claim]?.stringValue }

  private func flag(_ claim: String) -> Bool { claims[claim] == .bool(true) }
}
