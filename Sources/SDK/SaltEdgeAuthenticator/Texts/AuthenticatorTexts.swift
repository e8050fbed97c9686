// SPDX-License-Identifier: Apache-2.0

internal import SaltEdgeWire

/// The name of a text; those of the public apps (specification §10.9).
public struct TextKey: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// As the public apps spell it.
  public let rawValue: String

  /// Any name.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Any name.
  public init(stringLiteral text: String) { rawValue = text }

  /// Why biometrics are asked for.
  public static let unlockReason: TextKey = "actions.unlock_authenticator"
}

/// What an authenticator says, in the user's language: English, French or Arabic. Texts of authorizations are the
/// bank's.
public struct AuthenticatorTexts: Sendable {
  /// BCP 47, without a region.
  public static let languages = ["en", "fr", "ar"]
  private static let tables = ["en": english, "fr": french, "ar": arabic]

  /// The one that is spoken: English where the wish is not known.
  public let language: String
  private let table: [TextKey: String]
  private let screens: [TextKey: String]

  /// - Parameter language: a BCP 47 tag; its region makes no difference.
  public init(language: String) {
    let primary = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
    self.language = Self.tables[primary] == nil ? "en" : primary
    table = Self.tables[self.language] ?? [:]
    screens = Self.screenTables[self.language] ?? [:]
  }

  /// The names of all texts of the published apps.
  public static var keys: Set<TextKey> { Set(english.keys) }

  /// A text with its placeholders filled; an unknown name is its own text.
  public subscript(key: TextKey, values: [String: String] = [:]) -> String {
    let text = table[key] ?? screens[key] ?? key.rawValue
    // Every placeholder once, and none within what was put in.
    return values.sorted { $0.key < $1.key }.reduce([text[...]]) { parts, value in
      parts.flatMap { part in
        part.isPlaceholder(value.key) ? [part] : Self.cut(part, at: value.key)
      }
    }.map { part in values.first { part.isPlaceholder($0.key) }?.value ?? String(part) }.joined()
  }

  /// How long a block lasts still, for people.
  public func blocked(for block: Duration) -> String {
    self["errors.passcode_ios_singular", ["count": String(LockState.minutes(block))]]
  }

  /// What to tell the user about an error; the bank's own words where it was the bank that said no.
  public subscript(error: AuthenticatorError) -> String {
    switch error.errorClass {
    case .authorizationNotFound, .authorizationOver: self["errors.authorization_not_found"]
    case .connectionNotFound, .connectionRevoked, .connectionInactive, .connectionUnknown:
      self["errors.inactive_connection"]
    case .hostUnreachable: self["errors.no_internet_connection_try_again"]
    case .geolocationMissing: self["warnings.grant_access_to_location_services"]
    case .appLocked, .userPresenceMissing: self[.unlockReason]
    case .actionExpired, .actionNotFound, .actionClosed: self["errors.instant_action.error"]
    case _ where error.kind == .authentication && error.message != error.errorClass.rawValue: error.message
    case .authentication, .invalidAccessToken: self["in_app.connection.connection_failed"]
    default: self["errors.try_again"]
    }
  }

  /// The label of a field of an authorization; words of the wire that this version does not know are their own label.
  public func label(of field: AuthorizationContent.Field) -> String {
    guard field.key != "ip" else { return self["in_app.authorizations.ip_address"] }
    return screens[TextKey(rawValue: "screens.field.\(field.key)")] ?? field.label
  }

  private static func cut(_ part: Substring, at name: String) -> [Substring] {
    guard let place = part.firstRange(of: "{\(name)}") else { return [part] }
    return [part[..<place.lowerBound], part[place], part[place.upperBound...]]
  }
}

extension Substring {
  fileprivate func isPlaceholder(_ name: String) -> Bool { self == "{\(name)}" }
}
