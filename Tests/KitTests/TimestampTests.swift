// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Kit

/// Stamps are made by the `openssl` command, as an authority that is not ours.
@Suite("Kit: time stamps of checkpoints", .enabled(if: TestAuthority.isAvailable, "\(TestAuthority.missing)"))
struct TimestampTests {
  /// A time-stamping authority, and what it signed by.
  struct Authority {
    let folder: TestFolder
    var pem: String { get throws { try String(contentsOfFile: folder.file("ca.pem"), encoding: .utf8) } }

    init(key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"], digest: String = "sha256") throws {
      folder = try TestFolder(["serial": Data("01\n".utf8), "index": Data()])
      let configuration = """
        [req]
        distinguished_name = name
        [name]
        [ca]
        basicConstraints = critical, CA:true
        [stamping]
        basicConstraints = CA:false
        extendedKeyUsage = critical, timeStamping
        [other]
        basicConstraints = CA:false
        extendedKeyUsage = critical, timeStamping, codeSigning
        [issue]
        database = \(folder.file("index"))
        new_certs_dir = \(folder.file("."))
        rand_serial = yes
        policy = subject
        default_md = sha256
        certificate = \(folder.file("ca.pem"))
        private_key = \(folder.file("ca.key"))
        [subject]
        commonName = supplied
        [tsa]
        serial = \(folder.file("serial"))
        signer_cert = \(folder.file("stamping.pem"))
        signer_key = \(folder.file("stamping.key"))
        default_policy = 1.2.3
        digests = sha256, sha512
        signer_digest = \(digest)
        """
      try Data(configuration.utf8).write(to: folder.url("config"))
      for name in ["ca", "stamping", "other"] {
        try openssl(
          ["req", "-x509", "-newkey"] + key + ["-nodes", "-config", folder.file("config"), "-extensions", name]
            + ["-subj", "/CN=\(name)", "-keyout", folder.file("\(name).key"), "-out", folder.file("\(name).pem")]
            + (name == "ca" ? [] : ["-CA", folder.file("ca.pem"), "-CAkey", folder.file("ca.key")]))
      }
    }

    func openssl(_ arguments: [String]) throws {
      let process = ChildProcess()
      process.executableURL = URL(filePath: "/usr/bin/openssl")
      process.arguments = arguments
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "\(arguments)")
    }

    /// - Parameter chain: a file of certificates that the stamp brings beside the signer's.
    func stamp(_ document: Data, hash: String = "-sha256", chain: String? = nil, into file: String) throws {
      try document.write(to: folder.url("document"))
      let query = folder.file("query")
      try openssl(["ts", "-query", "-data", folder.file("document"), hash, "-cert", "-out", query])
      try openssl(
        ["ts", "-reply", "-config", folder.file("config"), "-section", "tsa", "-queryfile", query, "-out", file]
          + (chain.map { ["-chain", $0] } ?? []))
    }

    func stamp(_ document: Data, hash: String = "-sha256", chain: String? = nil) throws -> Data {
      try stamp(document, hash: hash, chain: chain, into: folder.file("answer"))
      return try Data(contentsOf: folder.url("answer"))
    }
  }

  private static let document = Data("a checkpoint".utf8)

  private func fault(_ authority: Authority, of stamp: Data) async -> String? {
    do { try await TimestampAuthority(pem: authority.pem).check(Timestamp(stamp)) } catch {
      return (error as? Timestamp.Unsound)?.text ?? "\(error)"
    }
    return nil
  }

  @Test(
    "an authority's stamp is read and its signature checked, whatever key it has", .storeless,
    arguments: [["ec", "-pkeyopt", "ec_paramgen_curve:P-384"], ["rsa:2048"]])
  func signed(key: [String]) async throws {
    let (authority, other) = (try Authority(key: key, digest: "sha512"), try Authority())
    let stamp = try authority.stamp(Self.document)
    let read = try Timestamp(stamp)
    #expect(read.digest.hex == Self.document.sha256Hex && abs(read.at.date.timeIntervalSinceNow) < 60)
    #expect(await fault(authority, of: stamp) == nil)
    #expect(await fault(other, of: stamp) == "is not of the authority that is trusted")
  }

  @Test("no changed byte of what was signed, or of the signature, passes", .storeless)
  func changed() async throws {
    let authority = try Authority()
    let stamp = try authority.stamp(Self.document)
    let read = try Timestamp(stamp)
    for part in [read.digest, Data(read.signature), Data(read.signed.dropFirst(8))] {
      let range = try #require(stamp.range(of: part))
      for place in stride(from: range.lowerBound, to: range.upperBound, by: 7) {
        var other = stamp
        other[place] ^= 1
        #expect(await fault(authority, of: other) != nil, "byte \(place)")
      }
    }
    for count in stride(from: 0, to: stamp.count, by: 50) {
      #expect(await fault(authority, of: stamp.prefix(count)) == "cannot be read")
    }
    let longer = try authority.stamp(Self.document, hash: "-sha512")
    #expect(await fault(authority, of: longer) == "is not over a SHA-256")
  }

  @Test("a certificate that is not for time stamps alone signs none, and BER is read as DER is", .storeless)
  func usage() async throws {
    let authority = try Authority()
    try authority.stamp(Self.document, into: authority.folder.file("answer"))
    let token = authority.folder.file("token")
    try authority.openssl(["ts", "-reply", "-in", authority.folder.file("answer"), "-token_out", "-out", token])
    let info = authority.folder.file("info")
    try authority.openssl(["cms", "-verify", "-noverify", "-inform", "DER", "-in", token, "-out", info])
    let signers: [(String, String?)] = [("stamping", nil), ("other", "is not of the authority that is trusted")]
    for (name, refusal) in signers {
      // As it streams, openssl writes lengths that are not known yet, which DER does not have.
      try authority.openssl([
        "cms", "-sign", "-stream", "-binary", "-nodetach", "-cades", "-md", "sha256", "-econtent_type",
        "1.2.840.113549.1.9.16.1.4", "-signer", authority.folder.file("\(name).pem"), "-inkey",
        authority.folder.file("\(name).key"), "-in", info, "-outform", "DER", "-out", token,
      ])
      // Granted, and the token, in a sequence of indefinite length.
      let answer = try Data([0x30, 0x80, 0x30, 3, 2, 1, 0] + Data(contentsOf: URL(filePath: token)) + [0, 0])
      #expect(await fault(authority, of: answer) == refusal)
    }
  }

  @Test(
    "a certificate counts as of the stamp's time: none that had ended then, and none that had not begun", .storeless,
    arguments: [
      ("20200101000000Z", "20210101000000Z", false), ("20490101000000Z", "20491231000000Z", false),
      ("20200101000000Z", "20491231000000Z", true),
    ])
  func validity(from: String, until: String, isTrusted: Bool) async throws {
    let authority = try Authority()
    let (file, config) = (authority.folder.file, authority.folder.file("config"))
    try authority.openssl([
      "req", "-new", "-key", file("stamping.key"), "-config", config, "-subj", "/CN=stamping", "-out", file("request"),
    ])
    try authority.openssl([
      "ca", "-batch", "-config", config, "-name", "issue", "-extensions", "stamping", "-notext", "-in", file("request"),
      "-out", file("stamping.pem"), "-startdate", from, "-enddate", until,
    ])
    let stamp = try authority.stamp(Self.document)
    #expect(await fault(authority, of: stamp) == (isTrusted ? nil : "is not of the authority that is trusted"))
  }

  @Test(
    "a certificate of version 1 issues no authority's, and a stamp brings ten certificates at most", .storeless,
    arguments: [true, false])
  func issuers(isVersion3: Bool) async throws {
    let authority = try Authority()
    let (file, config) = (authority.folder.file, authority.folder.file("config"))
    let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-config", config]
    try authority.openssl(
      ["req", "-new"] + key + ["-subj", "/CN=issuer", "-keyout", file("issuer.key"), "-out", file("request")])
    // Without extensions it is of version 1.
    try authority.openssl(
      ["x509", "-req", "-in", file("request"), "-CA", file("ca.pem"), "-CAkey", file("ca.key")]
        + ["-out", file("issuer.pem")] + (isVersion3 ? ["-extfile", config, "-extensions", "ca"] : []))
    try authority.openssl(
      ["req", "-x509"] + key + ["-extensions", "stamping", "-subj", "/CN=stamping", "-keyout", file("stamping.key")]
        + ["-out", file("stamping.pem"), "-CA", file("issuer.pem"), "-CAkey", file("issuer.key")])
    let issued = try authority.stamp(Self.document, chain: file("issuer.pem"))
    #expect(await fault(authority, of: issued) == (isVersion3 ? nil : "is not of the authority that is trusted"))
    for (count, tooMany) in [(9, nil), (10, "brings too many certificates")] as [(Int, String?)] {
      let many = try String(repeating: String(contentsOfFile: file("issuer.pem"), encoding: .utf8), count: count)
      try Data(many.utf8).write(to: authority.folder.url("many"))
      let stamp = try authority.stamp(Self.document, chain: file("many"))
      var told: String?
      do { _ = try Timestamp(stamp) } catch { told = (error as? Timestamp.Unsound)?.text ?? "\(error)" }
      #expect(told == tooMany)
    }
  }

  @Test("the log's checkpoints are held against their stamps", arguments: Engine.available)
  func checkpoints(engine: Engine) async throws {
    let (log, authority) = (try AnchoredLog(try await AuditLog(engine, isMarked: true)), try Authority())
    // Authorities have the time of this machine.
    log.log.clock.set(Instant(Date()) - .hours(3))
    #expect(try await log.checkpoints.run() == 1)
    log.log.clock.set(Instant(Date()))
    #expect(try await log.checkpoints.run() == 2)
    let trusted = try TimestampAuthority(pem: authority.pem)
    func verify(_ authority: TimestampAuthority?) async throws -> AuditReport {
      let stamps = AuditStamps(folder: log.folder.file("anchors"), authority: authority)
      return try await AuditVerifier(
        database: log.log.made.database, vault: log.log.vault, world: log.log.clock.world,
        anchor: log.checkpoints.anchor, stamps: stamps
      ).run()
    }
    var report = try await verify(nil)
    #expect(report.isSound && report.stamps == 0)
    // The last one is too young to need a stamp.
    report = try await verify(trusted)
    #expect(report.faults == ["checkpoint 1 has no time stamp"])

    try authority.stamp(Data(contentsOf: URL(filePath: log.path(2))), into: log.path(2) + ".tsr")
    try authority.stamp(Data(contentsOf: URL(filePath: log.path(1))), into: log.path(1) + ".tsr")
    report = try await verify(trusted)
    #expect(report.stamps == 1 && report.faults.count == 1)
    #expect(report.faults.first?.hasPrefix("the time stamp of checkpoint 1 is of ") == true, "\(report.faults)")

    try FileManager.default.removeItem(atPath: log.path(1) + ".tsr")
    try FileManager.default.copyItem(atPath: log.path(2) + ".tsr", toPath: log.path(1) + ".tsr")
    report = try await verify(nil)
    #expect(report.faults == ["the time stamp of checkpoint 1 is of another text"] && report.stamps == 1)

    try FileManager.default.moveItem(atPath: log.path(1) + ".tsr", toPath: log.path(3) + ".tsr")
    report = try await verify(nil)
    #expect(report.faults == ["only the time stamp is there of checkpoint 3"] && report.stamps == 1)
    #expect(report.firstStampAt != nil && report.firstStampAt == report.lastStampAt)
    for number in 4...14 { try Data().write(to: URL(filePath: log.path(number) + ".tsr")) }
    report = try await verify(nil)
    #expect(report.faults == ["only the time stamp is there of checkpoint 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 and 2 more"])
    // A folder that is not there holds none; a file in its place cannot be read.
    #expect(try AuditStamps(folder: log.folder.file("nowhere"), authority: nil).numbers() == [])
    #expect(throws: (any Error).self) { try AuditStamps(folder: log.path(1), authority: nil).numbers() }
  }
}
