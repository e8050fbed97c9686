import Kit
import Storage

/// In which language customers are written to.
struct Correspondence: Sendable {
  let parts: FinapticDependencies

  /// What they chose in their application; English before that.
  func locale(of customer: String?, in tx: any SQLTransaction) throws -> String {
    guard let customer else { return "en" }
    let profile = try ClientProfileStore(tx, vault: parts.vault).find(customer)
    return Self.locale(profile?.preferences?.language)
  }

  func locale(of user: FinapticUser, in tx: any SQLTransaction) throws -> String {
    try locale(of: user.customer, in: tx)
  }

  /// `LANGUAGE_FR_CA` is `fr-CA`.
  static func locale(_ code: String?) -> String {
    let words = (code ?? "").split(separator: "_")
    return words.count == 3 ? "\(words[1].lowercased())-\(words[2])" : "en"
  }
}
