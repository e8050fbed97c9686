// SPDX-License-Identifier: Apache-2.0

import Foundation
import RubixFlow

/// A file that the setup writes.
package struct SetupFile: Sendable, Equatable {
  package let name: String
  package let text: String
  /// What the server alone may read besides its owner.
  package let isSecret: Bool
}

extension SetupPlan {
  /// The files of a configuration.
  /// - Parameters:
  ///   - folder: where they will lie: the settings name the tenants file by its path.
  ///   - data: folder of the database, the blobs and the keys.
  package func files(in folder: String, data: String) throws -> [SetupFile] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    var files = [
      SetupFile(
        name: "gatehouse.json", text: try text(of: settings(folder, data), encoder), isSecret: true),
      SetupFile(name: "tenants.json", text: try text(of: [tenant], encoder), isSecret: false),
    ]
    let proxy = proxy ?? (tls == nil ? Proxy.nginx : Proxy.none)
    if let file = proxy.file(host: host, consoleHost: consoleHost) { files.append(file) }
    return files
  }

  /// Of addresses: a proxy has that of HTTPS.
  package var port: String { tls == nil ? "" : ":8443" }

  /// The services start in a folder of their own.
  private func path(_ file: String) -> SetupValue { .text(URL(fileURLWithPath: file).standardizedFileURL.path) }

  private func text(of value: some Encodable, _ encoder: JSONEncoder) throws -> String {
    String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
  }

  /// What the setup was not told is the standard of a tenant that the tenants file does not say more about.
  private var tenant: [String: SetupValue] {
    [
      "id": .text(institution.id), "name": .text(institution.name), "host": .text(host),
      "time_zone": .text(institution.timeZone), "served_prefixes": .list(institution.servedPrefixes),
    ]
  }

  private func settings(_ folder: String, _ data: String) -> SetupValue {
    let console = consoleHost ?? host
    var settings: [String: SetupValue] = [
      "data": .text(data), "host": .text("127.0.0.1"), "port": .number(8080),
      "operations": .object(["host": .text("127.0.0.1"), "port": .number(9464)]),
      "tenants": .text("\(folder)/tenants.json"),
      "console": .object(["publicUrl": .text("https://\(console)\(port)")]),
      "waive": .list((waive ?? []).sorted()),
    ]
    if let tls {
      // No proxy passes on what comes from elsewhere. The port is one that a service without privileges may open.
      (settings["host"], settings["port"]) = (.text("0.0.0.0"), .number(8443))
      // Where TLS was there before, a name below may be without it; a new host has no such names yet (ASVS 3.4.1).
      settings["tls"] = .object([
        "certificate": path(tls.certificate), "key": path(tls.key), "includeSubDomains": .flag(true),
      ])
    } else {
      (settings["trustProxy"], settings["proxyHeader"]) = (.flag(true), .text("x-forwarded-for"))
    }
    for system in ["saltedge", "oneassist", "finaptic"] {
      settings[system] = .object(["publicUrl": .text("https://\(host)\(port)")])
    }
    if let database { settings["database"] = .object(["url": .text(database)]) }
    if let bucket {
      settings["blobs"] = .object(["url": .text(bucket.url)])
      settings["s3"] = .object([
        "accessKeyId": .text(bucket.accessKeyId), "secretAccessKey": .text(bucket.secretAccessKey),
      ])
    }
    settings["smtp"] = mail.map { mail in
      .known([
        "host": .text(mail.host), "port": mail.port.map(SetupValue.number),
        "security": mail.security.map(SetupValue.text), "user": mail.user.map(SetupValue.text),
        "password": mail.password.map(SetupValue.text),
        "sender": .object(["name": .text(mail.sender.name), "address": .text(mail.sender.address)]),
      ])
    }
    var sms: [String: SetupValue?] = ["prefixes": .list(institution.servedPrefixes)]
    if let texts {
      sms["url"] = .text(texts.url)
      sms["method"] = texts.method.map(SetupValue.text)
      sms["contentType"] = texts.contentType.map(SetupValue.text)
      sms["body"] = texts.body.map(SetupValue.text)
      sms["authorization"] = texts.authorization.map(SetupValue.text)
      sms["sender"] = texts.sender.map(SetupValue.text)
    }
    settings["sms"] = .known(sms)
    settings["screening"] = .object(lists.map { ["folder": .text($0)] } ?? ["stored": .flag(true)])
    if let models { settings["models"] = .text(models) }
    return .object(settings)
  }
}

/// A value of a file of settings.
indirect enum SetupValue: Sendable, Encodable {
  case text(String), number(Int), flag(Bool), list([String]), object([String: SetupValue])

  /// An object of what is known.
  static func known(_ members: [String: SetupValue?]) -> SetupValue { .object(members.compactMapValues { $0 }) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .number(let number): try container.encode(number)
    case .flag(let flag): try container.encode(flag)
    case .list(let list): try container.encode(list)
    case .object(let members): try container.encode(members)
    }
  }
}
