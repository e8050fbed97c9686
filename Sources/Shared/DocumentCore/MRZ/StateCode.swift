// SPDX-License-Identifier: Apache-2.0

/// The state and nationality codes of Doc 9303-3 §5: ISO 3166-1 alpha-3 and ICAO's additions, without fillers.
public enum StateCode {
  /// What a code stands for.
  public enum Kind: Hashable, Sendable {
    /// A state or territory of ISO 3166-1, Germany's `D` included.
    case state
    /// A class of British nationality, or Kosovo's `RKS`.
    case icaoAddition
    /// An organisation that issues travel documents.
    case organisation
    /// A person without or of unspecified nationality: `XXA`, `XXB`, `XXC`, `XXX`.
    case person
    /// No longer given out, yet met: `ANT`, `NTZ`, `INP` and the like.
    case withdrawn
    /// `UTO`, the Utopia of specimens: refused in production.
    case specimen
    /// Well formed and in no list.
    case unknown
  }

  /// The kind of a code such as `FRA`, `D` or `D<<`.
  public static func kind(of code: String) -> Kind {
    let code = trimmed(Array(code.utf8.prefix(8)))
    if code == "UTO" { return .specimen }
    if code == "D" || isoAlpha3.contains(code) { return .state }
    if icaoAdditions.contains(code) { return .icaoAddition }
    if organisations.contains(code) { return .organisation }
    if persons.contains(code) { return .person }
    return withdrawn.contains(code) ? .withdrawn : .unknown
  }

  /// One spelling for codes that mean the same: `D` → `DEU`, `XKX` → `RKS` (identity-documents §8.3).
  public static func canonical(_ code: String) -> String {
    switch trimmed(Array(code.uppercased().utf8.prefix(8))) {
    case "D": "DEU"
    case "XKX", "XKK": "RKS"
    case "INP": "XPO"
    // The code changed, and not the State (ISO 3166-3).
    case "BUR": "MMR"
    case "ROM": "ROU"
    case "TMP": "TLS"
    case "ZAR": "COD"
    case let other: other
    }
  }

  /// Three letters, or one letter and two fillers.
  static func isWellFormed(_ field: ArraySlice<UInt8>) -> Bool {
    guard field.count == 3, field[field.startIndex].isLetter else { return false }
    let end = field.dropFirst()
    return end.allSatisfy(\.isLetter) || end.allSatisfy(\.isFiller)
  }
}
