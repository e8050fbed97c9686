// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

/// nginx with the configuration that docs/operations/run.md prints, before nodes of this machine.
final class PrintedProxy {
  static let program = ["/usr/sbin/nginx", "/usr/local/sbin/nginx"].first(where: FileManager.default.isExecutableFile)
  static let curl = ["/usr/bin/curl", "/usr/local/bin/curl"].first(where: FileManager.default.isExecutableFile)
  static let missing = "nginx (Debian's nginx-light), curl or openssl is missing"
  static let canRun = program != nil && curl != nil && TestAuthority.isAvailable

  private static let host = "api.bank.example"

  private let authority = try? TestAuthority()
  private let folder: TestFolder
  private let process = ChildProcess()
  private let port: UInt16

  /// - Parameter nodes: ports, as many as the document has nodes.
  init(_ nodes: [UInt16]) throws {
    folder = try TestFolder()
    let identity = try #require(authority).vouch(for: "DNS:\(Self.host)")
    port = try ListeningPort().number
    var snippet = try Self.snippet()
    func replace(_ printed: String, _ real: String) throws {
      try #require(snippet.components(separatedBy: printed).count == 2, "the document has one \(printed)")
      snippet = snippet.replacing(printed, with: real)
    }
    for (index, node) in nodes.enumerated() { try replace("10.0.0.1\(index + 1):8080", "127.0.0.1:\(node)") }
    try replace("listen 443 ssl;", "listen 127.0.0.1:\(port) ssl;")
    try replace("/etc/gatehouse/tls.pem", identity.certificate)
    try replace("/etc/gatehouse/tls.key", identity.key)
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder.path)/\($0);" }.joined(separator: " ")
    let whole = """
      daemon off; user \(NSUserName()); pid \(folder.file("pid")); events {}
      http { access_log off; \(temporary)
      \(snippet)
      }
      """
    try Data(whole.utf8).write(to: URL(filePath: folder.file("nginx.conf")))
    process.executableURL = URL(filePath: try #require(Self.program))
    process.arguments = ["-p", folder.path, "-c", folder.file("nginx.conf"), "-e", folder.file("log")]
    process.standardError = FileHandle.nullDevice
    try process.run()
    for _ in 0..<20_000 where process.isRunning {
      if (try? HTTPSocket(port)) != nil { return }
    }
    let log = FileManager.default.contents(atPath: folder.file("log")) ?? Data()
    Issue.record("nginx does not take what the document prints: \(String(decoding: log, as: UTF8.self))")
  }

  deinit {
    guard process.isRunning else { return }
    // Its workers leave with it.
    kill(process.processIdentifier, SIGTERM)
    process.waitUntilExit()
  }

  private static func snippet() throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "docs/operations/run.md"), encoding: .utf8)
    let printed = text.components(separatedBy: "```nginx\n")
    try #require(printed.count == 2, "the document prints one configuration of nginx")
    return try #require(printed[1].components(separatedBy: "```").first)
  }

  /// What a browser would get that trusts the authority.
  /// - Returns: status and content type.
  func ask(_ path: String, _ arguments: String...) throws -> String {
    let (curl, output) = (ChildProcess(), Pipe())
    curl.executableURL = URL(filePath: try #require(Self.curl))
    curl.arguments =
      [
        "-sS", "--max-time", "60", "--cacert", try #require(authority).certificate, "--resolve",
        "\(Self.host):\(port):127.0.0.1", "-o", "/dev/null", "-w", "%{http_code} %{content_type}",
      ] + arguments + ["https://\(Self.host):\(port)\(path)"]
    curl.standardOutput = output
    try curl.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    curl.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
