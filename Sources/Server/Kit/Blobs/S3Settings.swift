// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Where the objects are: a bucket of a store that speaks Amazon's S3, and how it is reached.
package struct S3Settings: Sendable, Equatable {
  /// How the bucket is named in a URL.
  package enum Addressing: String, Sendable {
    /// `https://endpoint/bucket/key`, what most stores but Amazon's expect.
    case path
    /// `https://bucket.endpoint/key`
    case virtual
  }

  /// A URL, or what belongs to it, that the operator has to correct. Repeats nothing of it.
  package struct Malformed: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String
  }

  package let bucket: String
  /// Stands before every key; empty, or ends with `/`.
  package let prefix: String
  package let region: String
  package let addressing: Addressing
  /// TLS or not.
  package let scheme: String
  /// With the port when it is not the scheme's.
  package let authority: String
  /// How many days the store refuses to delete or overwrite what is put (S3 Object Lock in compliance mode, for which
  /// the bucket has to be made); nil puts without a lock.
  package let lockDays: Int?

  /// - Parameter url: `s3://bucket/prefix?endpoint=https://host:port&region=eu-central-1&addressing=path&lockDays=3650`. Without an
  ///   endpoint it is Amazon's of the region, with virtual addressing; without a region `us-east-1`.
  /// - Throws: `Malformed`.
  package init(url: String) throws {
    guard let parts = URLComponents(string: url), parts.scheme == "s3" else {
      throw Malformed(description: "the address of a bucket begins with s3://")
    }
    guard parts.user == nil, parts.password == nil, parts.port == nil, parts.fragment == nil else {
      throw Malformed(
        description: "the address of a bucket has no user, port or fragment; credentials are settings of their own")
    }
    guard let bucket = parts.host, bucket.wholeMatch(of: /[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]/) != nil,
      !bucket.contains("..")
    else { throw Malformed(description: "a bucket's name has 3 to 63 small letters, digits, dots and hyphens") }
    let path = parts.path.split(separator: "/").joined(separator: "/")
    guard path.utf8.count <= 256, path.wholeMatch(of: /[A-Za-z0-9._\-\/]*/) != nil,
      !path.split(separator: "/").contains(where: { $0.allSatisfy { $0 == "." } })
    else { throw Malformed(description: "the prefix of a bucket has at most 256 letters, digits, and . _ - /") }

    var options: [String: String] = [:]
    for item in parts.queryItems ?? [] {
      guard ["endpoint", "region", "addressing", "lockDays"].contains(item.name), options[item.name] == nil,
        let value = item.value, !value.isEmpty
      else {
        throw Malformed(description: "the options of a bucket are endpoint, region, addressing and lockDays, once each")
      }
      options[item.name] = value
    }
    let region = options["region"] ?? "us-east-1"
    guard region.wholeMatch(of: /[a-z0-9-]{2,32}/) != nil else {
      throw Malformed(description: "a region has small letters, digits and hyphens")
    }
    guard
      let addressing = Addressing(rawValue: options["addressing"] ?? (options["endpoint"] == nil ? "virtual" : "path"))
    else { throw Malformed(description: "addressing is path or virtual") }

    if let days = options["lockDays"] {
      guard let count = Int(days), (1...36500).contains(count) else {
        throw Malformed(description: "lockDays is a number of days between 1 and 36500")
      }
      lockDays = count
    } else {
      lockDays = nil
    }
    self.bucket = bucket
    prefix = path.isEmpty ? "" : path + "/"
    self.region = region
    self.addressing = addressing
    (scheme, authority) = try Self.endpoint(options["endpoint"] ?? "https://s3.\(region).amazonaws.com")
  }

  private static func endpoint(_ text: String) throws -> (scheme: String, authority: String) {
    let malformed = Malformed(description: "an endpoint is http:// or https:// with a host and perhaps a port")
    guard let address = WebAddress(text), !address.hasPath, !address.hasQuery, !address.hasFragment else {
      throw malformed
    }
    let (scheme, name) = (address.isSecure ? "https" : "http", address.host.lowercased())
    let host = name.contains(":") ? "[\(name)]" : name
    guard let port = address.port, port != (address.isSecure ? 443 : 80) else { return (scheme, host) }
    return (scheme, "\(host):\(port)")
  }

  /// What the `Host` header says.
  package var host: String { addressing == .virtual ? "\(bucket).\(authority)" : authority }

  /// The path of an object, or of the bucket. Needs no percent-encoding: see `init` and `BlobKey`.
  package func path(_ key: String?) -> String {
    let base = addressing == .path ? "/\(bucket)" : ""
    guard let key else { return base.isEmpty ? "/" : base }
    return "\(base)/\(prefix)\(key)"
  }
}

/// Who signs. Never printed.
package struct S3Credentials: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package let accessKeyID: String
  package let secretAccessKey: String
  /// Of temporary credentials.
  package let sessionToken: String?

  package init(accessKeyID: String, secretAccessKey: String, sessionToken: String? = nil) {
    self.accessKeyID = accessKeyID
    self.secretAccessKey = secretAccessKey
    self.sessionToken = sessionToken
  }

  package var description: String { "S3Credentials(…)" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: [:]) }
}
