import Configuration
import Foundation
import Kit
import OneAssistFlow

/// What an operator decides about OneAssist.
struct OneAssistSettings: Sendable {
  /// Where second devices reach this server; nil is this machine.
  var publicURL: String?
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

  init() {}

  init(_ config: ConfigReader) throws {
    publicURL = config.string(forKey: "oneassist.publicUrl")
    if let publicURL {
      guard let url = URL(string: publicURL), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
        url.query() == nil, url.fragment() == nil, !publicURL.hasSuffix("/"), publicURL.utf8.count <= 48
      else {
        throw SettingsError(
          "oneassist.publicUrl is an address such as https://cover.example, of 48 letters at most and without a slash "
            + "at its end: it stands in a text message")
      }
    }
    senderName = config.string(forKey: "oneassist.sender", default: senderName)
    guard senderName.wholeMatch(of: /[A-Za-z0-9 .&-]{1,20}/) != nil else {
      throw SettingsError("oneassist.sender is 1 to 20 letters, digits, spaces, . & and -")
    }
    documentDays = config.int(forKey: "oneassist.documentDays", default: documentDays)
    guard (1...366).contains(documentDays) else { throw SettingsError("oneassist.documentDays is between 1 and 366") }
    retentionDays = config.int(forKey: "oneassist.retentionDays", default: retentionDays)
    guard (0...3660).contains(retentionDays) else {
      throw SettingsError("oneassist.retentionDays is between 0 and 3660")
    }
    limitFactor = config.int(forKey: "oneassist.limitFactor", default: limitFactor)
    guard limitFactor > 0 else { throw SettingsError("oneassist.limitFactor is at least 1") }
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
    policy.recognitions = RateLimit(
      policy.recognitions.name, policy.recognitions.count * limitFactor, per: policy.recognitions.window)
    policy.uploads = RateLimit(
      policy.uploads.name, policy.uploads.count * limitFactor, per: policy.uploads.window)
    policy.refusals = RateLimit(
      policy.refusals.name, policy.refusals.count * limitFactor, per: policy.refusals.window)
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
