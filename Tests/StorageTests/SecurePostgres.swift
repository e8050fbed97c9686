// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A throw-away PostgreSQL on a port of this machine that speaks TLS, from `scripts/with-postgres`, which needs Debian's
/// `postgresql`. It leaves when its command's standard input ends, hence with this process.
final class SecurePostgres: Sendable {
  struct DidNotStart: Error {}

  static let missing = "Debian's postgresql, or \(TestAuthority.missing)"
  static let isInstalled: Bool = {
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    return TestAuthority.isAvailable
      && versions.contains { FileManager.default.isExecutableFile(atPath: "/usr/lib/postgresql/\($0)/bin/initdb") }
  }()

  static let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "scripts/with-postgres")

  let port: Int
  private let process = ChildProcess()
  private let input = Pipe()

  init(_ identity: TestAuthority.Identity) throws {
    let output = Pipe()
    process.executableURL = Self.script
    process.arguments = [
      "--tls", identity.certificate, identity.key, "sh", "-c", #"echo "$GATEHOUSE_TEST_POSTGRES_PORT"; cat >/dev/null"#,
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while !line.contains(UInt8(ascii: "\n")) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw DidNotStart() }
      line += more
    }
    guard let port = Int(String(decoding: line, as: UTF8.self).dropLast()) else { throw DidNotStart() }
    self.port = port
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// A URL by which libpq asks 127.0.0.1 for the server of that name.
  func url(_ host: String, _ parameters: String) -> String {
    "postgres://gatehouse:hunter2@\(host):\(port)/gatehouse?hostaddr=127.0.0.1\(parameters)"
  }
}
