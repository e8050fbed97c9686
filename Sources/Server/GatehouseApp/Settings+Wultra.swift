import Configuration
import Foundation
import WultraFlow

/// What an operator decides about Wultra Digital Onboarding.
package struct WultraSettings: Sendable {
  static let baseStandard = "/enrollment-onboarding-server"

  /// The path that apps are configured with, before `/api`.
  package var base = baseStandard
  /// Base URL of the institution's own server, and the secret that requests to it are signed with.
  var institutionURL: String?
  var institutionSecret: String?
  /// PEM file of the only certificates that the institution is trusted by.
  var institutionCA: String?
  /// JSON file of the sandbox's invented institution.
  package var sandboxFile: String?
  /// Documents of one person that are needed, and whether presence and a code are asked for.
  var distinctDocuments = WultraPolicy().distinctDocuments
  var checksPresence = true
  var asksOTP = true
  /// Processes that may be begun from one network in ten minutes; 0 for any number.
  var startLimit = WultraPolicy().startsPerNetwork ?? 0

  /// Days after which it is forgotten whose an ended process was.
  var retentionDays = 30

  init() {}

  init(_ config: ConfigReader) throws {
    base = config.string(forKey: "wultra.base", default: base)
    if base == "/" { base = "" }
    guard base.wholeMatch(of: #/(/[A-Za-z0-9._~-]+)*/#) != nil else {
      throw SettingsError("wultra.base is a path such as \(Self.baseStandard), without a slash at its end")
    }
    institutionURL = config.string(forKey: "wultra.institution.url")
    institutionSecret = config.string(forKey: "wultra.institution.secret", isSecret: true)
    institutionCA = config.string(forKey: "wultra.institution.ca")
    guard (institutionURL == nil) == (institutionSecret == nil) else {
      throw SettingsError("wultra.institution.url and wultra.institution.secret come together")
    }
    sandboxFile = config.string(forKey: "wultra.sandbox")
    distinctDocuments = config.int(forKey: "wultra.documents", default: distinctDocuments)
    guard (1...IdentityDocument.allCases.count).contains(distinctDocuments) else {
      throw SettingsError("wultra.documents is between 1 and \(IdentityDocument.allCases.count)")
    }
    checksPresence = config.bool(forKey: "wultra.presence", default: checksPresence)
    asksOTP = config.bool(forKey: "wultra.otp", default: asksOTP)
    retentionDays = config.int(forKey: "wultra.retentionDays", default: retentionDays)
    guard (1...3650).contains(retentionDays) else { throw SettingsError("wultra.retentionDays is 1 to 3650") }
    startLimit = config.int(forKey: "wultra.startLimit", default: startLimit)
    guard (0...1_000_000).contains(startLimit) else {
      throw SettingsError("wultra.startLimit is between 0, for none, and 1000000")
    }
  }

  /// - Parameter isSandbox: specimens pass, and codes can be read over the API; never where an institution of one's own
  ///   sends codes to people.
  func policy(isSandbox: Bool) -> WultraPolicy {
    let isSandbox = isSandbox && institutionURL == nil
    var policy = WultraPolicy()
    policy.distinctDocuments = distinctDocuments
    policy.checksPresence = checksPresence
    policy.asksOTP = asksOTP
    policy.personRetention = .days(retentionDays)
    policy.startsPerNetwork = startLimit > 0 ? startLimit : nil
    policy.isSandbox = isSandbox
    policy.acceptsSpecimens = isSandbox
    return policy
  }

  func institution() throws -> SandboxInstitution {
    guard let sandboxFile else { return .standard }
    guard let data = FileManager.default.contents(atPath: sandboxFile) else {
      throw SettingsError("the sandbox file \(sandboxFile) cannot be read")
    }
    do { return try JSONDecoder().decode(SandboxInstitution.self, from: data) } catch {
      throw SettingsError("the sandbox file \(sandboxFile) is not an institution: \(error)")
    }
  }
}
