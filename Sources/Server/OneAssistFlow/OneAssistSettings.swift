// SPDX-License-Identifier: Apache-2.0

import Configuration
import Foundation
import Kit

/// What an operator decides about OneAssist.
package struct OneAssistSettings: ModuleSettings {
  /// Where second devices reach this server; nil is this machine.
  package var publicURL: String?
  /// Who texts the link.
  var senderName = OneAssistPolicy().senderName
  /// Days for photos to be in.
  var documentDays = 30
  /// Days that a membership is kept after its end.
  var retentionDays = 90
  /// Multiplies the limits of calls; for load tests and shared networks.
  var limitFactor = 1
  /// Files of one entry a line: PIN codes; `TAC,make,model`; IMEIs that were reported lost or stolen.
  var pinCodesFile: String?
  var typesFile: String?
  var blacklistFile: String?

  package init() {}

  // What docs/reference/settings.md tells of them.
  // oneassist.sender (default: Gatehouse): who texts the link, 1 to 20 letters, digits, spaces, . & and -
  // oneassist.pincodes: file of the PIN codes that are served, one a line
  // oneassist.types: file of phones that may be covered, TAC,make,model a line
  // oneassist.blacklist: file of IMEIs that were reported lost or stolen, one a line

  package init(_ config: ConfigReader) throws {
    publicURL = try config.publicURL(
      forKey: "oneassist.publicUrl",
      rule: "an address such as https://cover.example, of 48 letters at most and without a slash at its end: it stands "
        + "in a text message", lengthMax: 48)
    senderName = config.string(forKey: "oneassist.sender", default: senderName)
    guard senderName.wholeMatch(of: /[A-Za-z0-9 .&-]{1,20}/) != nil else {
      throw SettingsError("oneassist.sender is 1 to 20 letters, digits, spaces, . & and -")
    }
    documentDays = try config.int(forKey: "oneassist.documentDays", default: documentDays, in: 1...366)
    retentionDays = try config.int(forKey: "oneassist.retentionDays", default: retentionDays, in: 0...3660)
    limitFactor = try config.int(forKey: "oneassist.limitFactor", default: limitFactor, in: 1...1_000_000)
    pinCodesFile = config.string(forKey: "oneassist.pincodes")
    typesFile = config.string(forKey: "oneassist.types")
    blacklistFile = config.string(forKey: "oneassist.blacklist")
  }

  func policy(port: Int, isSandbox: Bool) -> OneAssistPolicy {
    var policy = OneAssistPolicy()
    policy.publicURL = publicURL ?? "http://127.0.0.1:\(port)"
    policy.senderName = senderName
    (policy.documentsWindow, policy.retention) = (.days(documentDays), .days(retentionDays))
    policy.acceptsTestIMEIs = isSandbox
    policy.recognitions = policy.recognitions.times(limitFactor)
    (policy.uploads, policy.refusals) = (policy.uploads.times(limitFactor), policy.refusals.times(limitFactor))
    return policy
  }

  func pinCodes() throws -> PinCodeDirectory { try pinCodesFile.map { .listed(try Self.text($0)) } ?? .circles }

  func types(isSandbox: Bool) throws -> TypeDirectory {
    try typesFile.map { .listed(try Self.text($0)) } ?? (isSandbox ? .synthetic : TypeDirectory([:]))
  }

  func blacklist() throws -> Blacklist { try blacklistFile.map { .listed(try Self.text($0)) } ?? .absent }

  private static func text(_ path: String) throws -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw SettingsError("the file \(path) cannot be read")
    }
    return text
  }
}
