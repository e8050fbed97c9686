// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import ServerTLS
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: TLS without a proxy (issue 30)", .storeless)
struct TLSTests {
  @Test(
    "curl gets HTTP/2 and HTTP/1.1 under the server's certificate, and after SIGHUP under the new one",
    .enabled(if: ServedProcess.program != nil && PrintedProxy.curl != nil && TestAuthority.isAvailable),
    .timeLimit(.minutes(2)))
  func served() throws {
    let (authority, folder) = (try TestAuthority(), try TestFolder())
    func put(_ identity: TestAuthority.Identity) throws {
      try DurableFile.write(Data(contentsOf: URL(filePath: identity.certificate)), to: folder.file("tls.pem"))
      try DurableFile.write(Data(contentsOf: URL(filePath: identity.key)), to: folder.file("tls.key"))
    }
    let first = try authority.vouch(for: "DNS:one.bank.example")
    try put(first)
    let process = try ServedProcess(
      graceSeconds: 0,
      variables: [
        "GATEHOUSE_TLS_CERTIFICATE": folder.file("tls.pem"), "GATEHOUSE_TLS_KEY": folder.file("tls.key"),
        "GATEHOUSE_HTTP_HEAD_SECONDS": "5",
      ])
    defer { process.kill() }
    let port = try process.port("listening")
    func ask(_ host: String, _ path: String, _ more: String...) throws -> String {
      try Self.curl(
        ["--cacert", authority.certificate, "--resolve", "\(host):\(port):127.0.0.1"] + more
          + ["https://\(host):\(port)\(path)"])
    }
    #expect(try ask("one.bank.example", "/health") == "2 200 0")
    #expect(try ask("one.bank.example", "/health", "--http1.1") == "1.1 200 0")
    #expect(try ask("one.bank.example", "/health/live", "-I") == "2 200 0")
    #expect(try ask("one.bank.example", "/nowhere") == "2 404 0")
    #expect(try ask("one.bank.example", "/nowhere", "-w", "%header{strict-transport-security}") == "max-age=31536000")
    #expect(try ask("one.bank.example", "/health", "--tls-max", "1.1").hasPrefix("0 000 "))
    #expect(try ask("two.bank.example", "/health").hasPrefix("0 000 "))
    // No URI, which over HTTP/2 no parser refuses.
    for version in ["--http2", "--http1.1"] {
      #expect(try ask("one.bank.example", "/health?q=\u{301}", version).hasSuffix(" 400 0"), "\(version)")
      let path = try ask("one.bank.example", "/", version, "--request-target", "/a\u{301}")
      #expect(path.hasSuffix(" 400 0"), "\(version)")
    }
    // A target of HTTP/2 is a path.
    #expect(try ask("one.bank.example", "/", "--http2", "--request-target", "health") == "2 400 0")
    // No byte of a handshake comes: the node gives the connection up.
    let silent = try HTTPSocket(port)
    #expect(try silent.receiveAll().isEmpty)
    let body = #"{"device_id": "6E0C1C5A-5B0D-4C67-9E53-0C8E2F1B7A11", "platform": "neither"}"#
    #expect(
      try ask("one.bank.example", "/api/v1/onboarding/auth/register", "--json", body) == "2 422 0")
    // Without `Content-Length` curl sends no length over HTTP/2, where the end of a stream tells it.
    #expect(
      try ask("one.bank.example", "/api/v1/onboarding/auth/register", "--json", body, "-H", "Content-Length:")
        == "2 422 0")

    let second = try authority.vouch(for: "DNS:two.bank.example")
    try put(second)
    process.hangUp()
    try process.hear("the certificate was read anew")
    #expect(try ask("two.bank.example", "/health") == "2 200 0")

    try DurableFile.write(Data(contentsOf: URL(filePath: first.key)), to: folder.file("tls.key"))
    process.hangUp()
    #expect(try process.hear("the certificate cannot be read: the one before stays")["file"] == "tls.key")
    #expect(try ask("two.bank.example", "/health") == "2 200 0")
    process.terminate()
    #expect(process.wait() == 0)
  }

  @Test(
    "answers ask for TLS at the names below the host's where the settings say so, and a proxy's header is the proxy's",
    .enabled(if: ServedProcess.program != nil && PrintedProxy.curl != nil && TestAuthority.isAvailable),
    .timeLimit(.minutes(2)))
  func subDomains() async throws {
    let authority = try TestAuthority()
    let identity = try authority.vouch(for: "DNS:one.bank.example")
    let process = try ServedProcess(
      graceSeconds: 0,
      variables: [
        "GATEHOUSE_TLS_CERTIFICATE": identity.certificate, "GATEHOUSE_TLS_KEY": identity.key,
        "GATEHOUSE_TLS_INCLUDE_SUB_DOMAINS": "true",
      ])
    defer { process.kill() }
    let port = try process.port("listening")
    for version in ["--http1.1", "--http2"] {
      let field = try Self.curl(
        [
          "--cacert", authority.certificate, "--resolve", "one.bank.example:\(port):127.0.0.1", version,
          "https://one.bank.example:\(port)/health",
        ], tells: "%header{strict-transport-security}")
      #expect(field == "max-age=31536000; includeSubDomains", "\(version)")
    }
    await #expect(throws: SettingsError.self) {
      try await Settings.load(environment: ["GATEHOUSE_TLS_INCLUDE_SUB_DOMAINS": "true"])
    }
  }

  @Test(
    "a connection goes on after the time that a handshake has, over HTTP/1.1 and HTTP/2",
    .enabled(if: ServedProcess.program != nil && PrintedProxy.curl != nil && TestAuthority.isAvailable),
    .timeLimit(.minutes(2)))
  func keptAlive() throws {
    let authority = try TestAuthority()
    let identity = try authority.vouch(for: "DNS:one.bank.example")
    let process = try ServedProcess(
      graceSeconds: 0,
      variables: [
        "GATEHOUSE_TLS_CERTIFICATE": identity.certificate, "GATEHOUSE_TLS_KEY": identity.key,
        "GATEHOUSE_HTTP_HEAD_SECONDS": "2",
      ])
    defer { process.kill() }
    let port = try process.port("listening")
    let url = "https://one.bank.example:\(port)/health"
    for version in ["--http1.1", "--http2"] {
      // One request in four seconds, and for each how many connections it made.
      let answers = try Self.curl(
        [
          "--cacert", authority.certificate, "--resolve", "one.bank.example:\(port):127.0.0.1", version,
          "--rate", "15/m", url, "-o", "/dev/null", url,
        ], tells: "%{http_code} %{num_connects} ")
      #expect(answers == "200 1 200 0 ", "\(version)")
    }
  }

  @Test(
    "a certificate that is missing, or that the key is not of, is a fault of the start, whose text names no key",
    .enabled(if: TestAuthority.isAvailable))
  func faults() async throws {
    let authority = try TestAuthority()
    let (one, two) = (try authority.vouch(for: "DNS:one.example"), try authority.vouch(for: "DNS:two.example"))
    var settings = Settings()
    settings.links = .all
    func fault(_ certificate: String, _ key: String) -> String? {
      settings.tls = TLSSettings(certificate: certificate, key: key)
      return settings.certificateFault
    }
    #expect(fault(one.certificate, one.key) == nil)
    #expect(fault(one.certificate, two.key) == "tls.key is not the key of tls.certificate: \(two.key)")
    #expect(settings.startWarnings == [])
    settings.tls = TLSSettings(certificate: one.certificate, key: one.key)
    #expect(settings.startWarnings.count == 1 && settings.startWarnings[0].contains("ends at"), "it ends in two days")
    var diagnosis = Diagnosis()
    settings.tellCertificate(&diagnosis)
    #expect(diagnosis.findings.map(\.severity) == [.warning])
    // Those behind it may end: clients may know another way.
    let chain = try [one.certificate, authority.certificate].map { try String(contentsOfFile: $0, encoding: .utf8) }
    try Data(chain.joined().utf8).write(to: URL(filePath: one.certificate))
    #expect(settings.startWarnings.count == 2)
    (diagnosis, settings.clockSkew) = (Diagnosis(), 3 * 86_400)
    settings.tellCertificate(&diagnosis)
    #expect(diagnosis.findings.map(\.severity) == [.fault, .warning])
    let (told, file) = (diagnosis.findings[0].value, URL(filePath: one.certificate).lastPathComponent)
    #expect(told.contains(" in \(file): it has ended, and a reload takes it up only"), "\(told)")

    let folder = try TestFolder()
    var installed = BackupTestApp.settings("data", in: folder)
    (installed.tls, installed.links) = (settings.tls, .all)
    let log = LogRecorder()
    let app = try await App.open(installed, logger: log.logger)
    app.announce()
    #expect(log.records.contains { $0.contains("tls.certificate ends within 30 days") })
    installed.clockSkew = 3 * 86_400
    try await App.open(installed, logger: log.logger).announce()
    #expect(log.records.contains { $0.contains("tls.certificate has ended") && $0.contains(file) })
    let metric = "gatehouse_tls_certificate_end_timestamp_seconds"
    let (served, unserved) = (await app.metrics().text(), await app.metrics(serves: false).text())
    #expect(served.contains(metric) && !unserved.contains(metric))
    #expect(fault("/nowhere", one.key)?.hasPrefix("tls.certificate names a file") == true)
    #expect(fault(one.certificate, one.certificate)?.hasPrefix("tls.key names a file") == true)
  }

  @Test(
    "a reload leaves a valid certificate where the new one has ended, and tells the file, its end and which is served",
    .enabled(if: TestAuthority.isAvailable))
  func ended() throws {
    let (authority, folder) = (try TestAuthority(), try TestFolder())
    func put(days: Int) throws {
      let identity = try authority.vouch(for: "DNS:one.example", days: days)
      try DurableFile.write(Data(contentsOf: URL(filePath: identity.certificate)), to: folder.file("tls.pem"))
      try DurableFile.write(Data(contentsOf: URL(filePath: identity.key)), to: folder.file("tls.key"))
    }
    func reload(_ certificate: CertificateFiles, after days: Int) -> [String] {
      let log = LogRecorder()
      let world = World(now: { World.live.now() + .days(days) }, random: World.live.random)
      CertificateReload(certificate: certificate, world: world, logger: log.logger).reload(certificate)
      return log.records
    }
    try put(days: 90)
    let settings = TLSSettings(certificate: folder.file("tls.pem"), key: folder.file("tls.key"))
    let certificate = try CertificateFiles(settings)
    let first = certificate.end
    try put(days: 10)
    let end = try CertificateFiles(settings).end.rfc3339
    let kept = reload(certificate, after: 11)
    #expect(certificate.end == first && kept.count == 1, "\(kept)")
    #expect(kept[0].contains("has ended: the one before, which has not, stays"), "\(kept)")
    #expect(kept[0].contains("tls.pem") && kept[0].contains(end), "\(kept)")
    // Both have ended: the new one is served, and is told.
    let served = reload(certificate, after: 91)
    #expect(certificate.end < first && served.count == 2, "\(served)")
    #expect(served[1].contains("has ended and is served") && served[1].contains("tls.pem"), "\(served)")
    #expect(served[1].contains(end), "\(served)")
    let soon = reload(certificate, after: 1)
    #expect(soon.count == 2 && soon[1].contains("ends within 30 days") && soon[1].contains(end), "\(soon)")
  }

  @Test("with a certificate the server needs no proxy, and may listen to other machines")
  func start() {
    var settings = Settings()
    settings.links = .all
    settings.tenantsFile = "/nowhere"
    settings.host = "192.0.2.1"
    #expect(Set(settings.startFaults.compactMap(\.waiver)).isSuperset(of: [.proxy, .tls]))
    settings.tls = TLSSettings(certificate: "/nowhere", key: "/nowhere")
    #expect(!settings.startFaults.contains { $0.waiver == .proxy || $0.waiver == .tls })
    #expect(settings.startFaults.contains { $0.description.hasPrefix("tls.certificate") })
  }

  @Test(
    "a program that ends no TLS opens nothing where a certificate is named: it would serve in clear",
    .enabled(if: TestAuthority.isAvailable))
  func unlinked() async throws {
    let authority = try TestAuthority()
    // Its files go with it.
    defer { withExtendedLifetime(authority) {} }
    let identity = try authority.vouch(for: "DNS:one.example")
    let folder = try TestFolder()
    var settings = BackupTestApp.settings("data", in: folder)
    settings.tls = TLSSettings(certificate: identity.certificate, key: identity.key)
    #expect(settings.startFaults.contains { $0.sentence.hasPrefix("tls.certificate is for gatehouse") })
    await #expect(throws: SettingsError.self) { try await App.open(settings, logger: settings.logger("tls")) }
    settings.links = .all
    #expect(try await App.open(settings, logger: settings.logger("tls")).certificate != nil)
  }

  /// - Returns: what curl tells of each transfer: version of HTTP, status, and what it left with.
  private static func curl(
    _ arguments: [String], tells: String = "%{http_version} %{http_code} %{exitcode}"
  ) throws -> String {
    let (curl, output) = (ChildProcess(), Pipe())
    curl.executableURL = URL(filePath: try #require(PrintedProxy.curl))
    curl.arguments =
      ["-sS", "--max-time", "60", "-o", "/dev/null", "-w", tells] + arguments
    (curl.standardOutput, curl.standardError) = (output, FileHandle.nullDevice)
    try curl.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    curl.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
