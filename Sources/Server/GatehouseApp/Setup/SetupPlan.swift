// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What `gatehouse setup` has to know to write the configuration of an installation with customers: the answers of a
/// person at a terminal, or a JSON file of the same.
package struct SetupPlan: Sendable, Codable, Equatable {
  /// The first tenant.
  package struct Institution: Sendable, Codable, Equatable {
    package var id = "default"
    package var name: String
    /// IANA name of its time zone.
    package var timeZone: String
    /// Dialling prefixes that codes are sent to, such as `965`.
    package var servedPrefixes: [String]

    package init(name: String, timeZone: String, servedPrefixes: [String]) {
      (self.name, self.timeZone, self.servedPrefixes) = (name, timeZone, servedPrefixes)
    }

    package init(from decoder: any Decoder) throws {
      let file = try decoder.container(keyedBy: CodingKeys.self)
      id = try file.decodeIfPresent(String.self, forKey: .id) ?? id
      name = try file.decode(String.self, forKey: .name)
      timeZone = try file.decode(String.self, forKey: .timeZone)
      servedPrefixes = try file.decode([String].self, forKey: .servedPrefixes)
    }
  }

  package struct Bucket: Sendable, Codable, Equatable {
    /// As `blobs.url` takes it.
    package var url: String
    package var accessKeyId: String
    package var secretAccessKey: String

    package init(url: String, accessKeyId: String, secretAccessKey: String) {
      (self.url, self.accessKeyId, self.secretAccessKey) = (url, accessKeyId, secretAccessKey)
    }
  }

  /// As the settings below `smtp`.
  package struct Mail: Sendable, Codable, Equatable {
    package struct Sender: Sendable, Codable, Equatable {
      package var name: String
      package var address: String

      package init(name: String, address: String) { (self.name, self.address) = (name, address) }
    }

    package var host: String
    package var port: Int?
    package var security: String?
    package var user: String?
    package var password: String?
    package var sender: Sender

    package init(host: String, user: String?, password: String?, sender: Sender) {
      (self.host, self.user, self.password, self.sender) = (host, user, password, sender)
    }
  }

  /// As the settings below `sms`.
  package struct Texts: Sendable, Codable, Equatable {
    package var url: String
    package var method: String?
    package var contentType: String?
    package var body: String?
    package var authorization: String?
    package var sender: String?

    package init(url: String, authorization: String?) { (self.url, self.authorization) = (url, authorization) }
  }

  package struct Administrator: Sendable, Codable, Equatable {
    package var name: String
    package var email: String
    /// M or F.
    package var gender: String

    package init(name: String, email: String, gender: String) {
      (self.name, self.email, self.gender) = (name, email, gender)
    }
  }

  /// As the settings below `tls`: PEM files with which the server ends TLS itself, without a proxy.
  package struct Certificate: Sendable, Codable, Equatable {
    package var certificate: String
    package var key: String

    package init(certificate: String, key: String) { (self.certificate, self.key) = (certificate, key) }
  }

  package enum Proxy: String, Sendable, Codable, CaseIterable { case nginx, caddy, none }

  package var institution: Institution
  /// Host by which apps and other systems reach the server.
  package var host: String
  /// Host by which staff reach the console; nil is `host`.
  package var consoleHost: String?
  /// The program in front that ends TLS; `none` writes no file for one.
  package var proxy: Proxy?
  /// Nil where a proxy ends TLS.
  package var tls: Certificate?
  /// `postgres://…`; nil is the embedded database.
  package var database: String?
  /// Nil keeps pictures in the data folder.
  package var bucket: Bucket?
  package var mail: Mail?
  package var texts: Texts?
  /// Folder of list files; nil keeps lists in the store, for `gatehouse lists update`.
  package var lists: String?
  /// Folder of face models.
  package var models: String?
  package var administrator: Administrator?
  /// What the installation goes without, as the setting `waive` names it.
  package var waive: [String]?

  package init(institution: Institution, host: String) {
    (self.institution, self.host) = (institution, host)
  }

  /// Reads a file of answers.
  /// - Throws: `SettingsError` for what cannot be read, and for a name that means nothing here: a misspelt one would be
  ///   an answer that is not heard.
  package init(file: String) throws {
    guard let data = FileManager.default.contents(atPath: file) else {
      throw SettingsError("the file of answers \(file) cannot be read")
    }
    do { self = try JSONDecoder().decode(Self.self, from: data) } catch let error as DecodingError {
      throw SettingsError("the file of answers \(file): \(error.fault)")
    }
    let heard = Set(Self.names(in: try JSONSerialization.jsonObject(with: JSONEncoder().encode(self))))
    let unheard = Self.names(in: try JSONSerialization.jsonObject(with: data)).filter { !heard.contains($0) }
    guard unheard.isEmpty else {
      throw SettingsError("the file of answers \(file) has names that mean nothing: \(unheard.joined(separator: ", "))")
    }
    try check()
  }

  /// - Throws: `SettingsError` for a name that no host can have: hosts become lines of the proxy's file.
  package func check() throws {
    for (answer, name) in [("host", host), ("consoleHost", consoleHost ?? host)] where !Self.isHost(name) {
      throw SettingsError(
        "\(answer) is a name such as app.bank.example: small letters, digits and hyphens, other letters as xn--…")
    }
    guard tls == nil || proxy == nil || proxy == Proxy.none else {
      throw SettingsError("with tls the server has no proxy in front: leave proxy out")
    }
    guard institution.id.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil else {
      throw SettingsError("the institution's id is of letters, digits, dots, hyphens and underscores")
    }
    try SMSBudgetSettings.check(institution.servedPrefixes, "the institution's servedPrefixes")
    guard TimeZone(identifier: institution.timeZone) != nil else {
      throw SettingsError("the institution's timeZone is one of IANA's, such as Europe/Vienna")
    }
  }

  /// A name of RFC 1123 with a dot in it.
  private static func isHost(_ name: String) -> Bool {
    name.utf8.count <= 253
      && name.wholeMatch(of: /[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+/) != nil
  }

  private static func names(in tree: Any, under path: [String] = []) -> [String] {
    guard let object = tree as? [String: Any] else { return [path.joined(separator: ".")] }
    return object.sorted { $0.key < $1.key }.flatMap { names(in: $0.value, under: path + [$0.key]) }
  }
}
