// SPDX-License-Identifier: Apache-2.0

import Configuration
import HTTP
import Kit

/// Settings of which one means nothing, or something else, without another one.
extension Settings {
  // What docs/reference/settings.md tells of them.
  // s3.accessKeyId: who signs for the bucket; set together with s3.secretAccessKey
  // s3.secretAccessKey: the secret key of that
  // s3.sessionToken: the token of temporary credentials
  // trustProxy: whether the client's address is the last entry of the header that proxyHeader names
  // proxyHeader: x-forwarded-for or forwarded (RFC 7239): the header that the proxy in front writes; set together
  //   with trustProxy

  static func proxyHeader(_ config: ConfigReader) throws -> ForwardedHeader? {
    let trustsProxy = config.bool(forKey: "trustProxy", default: false)
    let name = config.string(forKey: "proxyHeader")
    let header = name.flatMap { ForwardedHeader(rawValue: $0.lowercased()) }
    guard header != nil || name == nil && !trustsProxy else {
      throw SettingsError("proxyHeader is x-forwarded-for or forwarded, and has to be set with trustProxy")
    }
    return trustsProxy ? header : nil
  }

  static func s3Credentials(_ config: ConfigReader) throws -> S3Credentials? {
    let token = config.string(forKey: "s3.sessionToken", isSecret: true)
    switch (config.string(forKey: "s3.accessKeyId"), config.string(forKey: "s3.secretAccessKey", isSecret: true)) {
    case (nil, nil):
      guard token == nil else { throw SettingsError("s3.sessionToken needs s3.accessKeyId and s3.secretAccessKey") }
      return nil
    case (let id?, let secret?): return S3Credentials(accessKeyID: id, secretAccessKey: secret, sessionToken: token)
    default: throw SettingsError("s3.accessKeyId and s3.secretAccessKey are set together")
    }
  }

  /// Two listeners cannot have one port of one address.
  /// - Throws: `SettingsError`.
  func checkPorts() throws {
    let everywhere: Set = ["0.0.0.0", "::", "[::]"]
    let isOneAddress =
      host == operations.host || everywhere.contains(host) || everywhere.contains(operations.host)
    guard port == 0 || port != operations.port || !isOneAddress else {
      throw SettingsError("operations.port is another one than port, where they listen at one address")
    }
  }
}

extension Settings.SMTP {
  /// A half of them would send mail unsigned, or sign in without a password.
  /// - Throws: `SettingsError`.
  func checkTogether() throws {
    guard (user == nil) == (password == nil) else {
      throw SettingsError("smtp.user and smtp.password are set together")
    }
    guard dkimKeyFile != nil || (dkimSelector == nil && dkimDomain == nil) else {
      throw SettingsError("smtp.dkim.selector and smtp.dkim.domain need smtp.dkim.keyFile")
    }
  }
}
