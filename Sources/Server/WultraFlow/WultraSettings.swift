// SPDX-License-Identifier: Apache-2.0

import Configuration
import Delivery
import Foundation
import Kit

/// What an operator decides about Wultra Digital Onboarding.
package struct WultraSettings: ModuleSettings {
  /// The path that apps are configured with, before `/api`.
  package var base = "/enrollment-onboarding-server"
  /// Base URL of the institution's own server, and the secret that requests to it are signed with.
  var institutionURL: String?
  var institutionSecret: String?
  /// PEM file of the only certificates that the institution is trusted by.
  package var institutionCA: String?
  /// JSON file of the sandbox's invented institution.
  package var sandboxFile: String?
  /// JSON file of the vendors that tenants use for scanning and for presence checks.
  package var vendorsFile: String?
  /// Documents of one person that are needed, and whether presence and a code are asked for.
  var distinctDocuments = WultraPolicy().distinctDocuments
  var checksPresence = true
  var asksOTP = true
  /// Processes that may be begun from one network in ten minutes; 0 for any number.
  var startLimit = WultraPolicy().startsPerNetwork ?? 0
  /// Whether two persons decide on a review.
  var reviewsNeedTwo = false
  var unblocksNeedTwo: Bool?

  /// Days after which it is forgotten whose an ended process was.
  var retentionDays = 30

  package init() {}

  // What docs/reference/settings.md tells of them.
  // wultra.institution.url: base URL of the institution's own server; set together with wultra.institution.secret
  // wultra.institution.secret: the secret, whsec_ and base64, that calls to the institution's server are signed with
  // wultra.presence: whether presence is checked
  // wultra.otp: whether a code is asked for
  // wultra.startLimit (default: 60): processes that may be begun from one network in ten minutes; 0 for any number
  // wultra.unblockFourEyes (default: `true`, in a sandbox `false`): whether two persons let a blocked device in
  // wultra.documents (default: 2): documents of one person that are needed

  package init(_ config: ConfigReader) throws {
    base = try config.basePath(forKey: "wultra.base", default: base)
    institutionURL = config.string(forKey: "wultra.institution.url")
    institutionSecret = config.string(forKey: "wultra.institution.secret", isSecret: true)
    institutionCA = config.string(forKey: "wultra.institution.ca")
    guard (institutionURL == nil) == (institutionSecret == nil) else {
      throw SettingsError("wultra.institution.url and wultra.institution.secret come together")
    }
    sandboxFile = config.string(forKey: "wultra.sandbox")
    vendorsFile = config.string(forKey: "wultra.vendors")
    distinctDocuments = try config.int(
      forKey: "wultra.documents", default: distinctDocuments, in: 1...IdentityDocument.allCases.count)
    checksPresence = config.bool(forKey: "wultra.presence", default: checksPresence)
    asksOTP = config.bool(forKey: "wultra.otp", default: asksOTP)
    retentionDays = try config.int(forKey: "wultra.retentionDays", default: retentionDays, in: 1...3650)
    reviewsNeedTwo = config.bool(forKey: "wultra.reviewFourEyes", default: reviewsNeedTwo)
    unblocksNeedTwo = config.bool(forKey: "wultra.unblockFourEyes")
    startLimit = try config.int(forKey: "wultra.startLimit", default: startLimit, in: 0...1_000_000)
  }

  /// - Parameter isSandbox: specimens pass, and codes can be read over the API; never where an institution of one's own
  ///   sends codes to people.
  package func policy(isSandbox: Bool) -> WultraPolicy {
    let isSandbox = isSandbox && institutionURL == nil
    var policy = WultraPolicy()
    policy.distinctDocuments = distinctDocuments
    policy.checksPresence = checksPresence
    policy.asksOTP = asksOTP
    policy.reviewsNeedTwo = reviewsNeedTwo
    // Where customers are real, undoing a stop takes two.
    policy.unblocksNeedTwo = unblocksNeedTwo ?? !isSandbox
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

  func vendors(world: World) throws -> Vendors {
    guard let vendorsFile else { return Vendors() }
    guard let data = FileManager.default.contents(atPath: vendorsFile) else {
      throw SettingsError("the file of vendors \(vendorsFile) cannot be read")
    }
    do { return try Vendors(data, world: world) } catch let error as SignedWebhookError {
      throw SettingsError("the file of vendors \(vendorsFile) has a service that cannot be used: \(error)")
    } catch {
      throw SettingsError("the file of vendors \(vendorsFile) is not in its form: \(error)")
    }
  }

  /// The institution that the operator named; an invented one in a sandbox; else none.
  func adapter(
    isSandbox: Bool, _ policy: WultraPolicy, messenger: Messenger, webhooks: Webhooks, core: CoreDependencies
  ) throws -> OnboardingAdapter {
    if let url = institutionURL, let secret = institutionSecret {
      return .webhook(
        try SignedWebhook(
          base: url, secret: secret, caFile: institutionCA,
          threads: BlockingThreadPool("institution", width: 4), world: core.world), through: webhooks,
        database: core.database)
    }
    guard isSandbox else { return .unconfigured }
    return .sandbox(
      try institution(), messenger: messenger,
      sender: try MessageSender(name: "Gatehouse Bank", host: "bank.example"),
      codeMinutes: policy.otpLifetime.wholeSeconds / 60)
  }
}
