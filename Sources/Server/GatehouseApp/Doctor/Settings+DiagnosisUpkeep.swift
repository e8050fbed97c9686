// SPDX-License-Identifier: Apache-2.0
import Delivery
import Evidence
import Foundation
import Kit
import RubixFlow
import Screening
import Storage

/// What runs today and will not for long, or runs and does not do its work.
extension Settings {
  /// A certificate that ends sooner is told.
  static let certificateNotice = Duration.days(30)
  /// A clock that differs more from the database's is told: nodes judge what ends by clocks of their own.
  private static let clockDifferenceMax = Duration.seconds(2)

  /// What does not keep the server from starting, and somebody should know.
  package var startWarnings: [String] {
    let unread = unreadVariables.map { "no setting reads the variable \($0): is it misspelt?" }
    // What cannot be read is a fault of the start.
    guard let certificate = try? serverCertificate() else { return unread }
    let ends: [(name: String, end: Instant?)] = [
      ("the certificate", certificate.end), ("a certificate behind the first one", certificate.issuersEnd),
    ]
    return unread
      + ends.compactMap { name, end in
        guard let end, end - world.now() < Self.certificateNotice else { return nil }
        return "\(name) of tls.certificate \(end < world.now() ? "ended" : "ends") at \(end.rfc3339)"
      }
  }

  func tellCertificate(_ diagnosis: inout Diagnosis) {
    guard let certificate = try? serverCertificate() else { return }
    let left = certificate.end - world.now()
    let ended = left < .zero ? ": it has ended, and a reload takes it up only where the one before has ended, too" : ""
    diagnosis.note(
      "files", "end of the certificate", "\(certificate.end.rfc3339) in \(certificate.file)\(ended)",
      left < .zero ? .fault : left < Self.certificateNotice ? .warning : .ok)
    guard let issuers = certificate.issuersEnd else { return }
    diagnosis.note(
      "files", "first end of those behind it", issuers.rfc3339,
      issuers - world.now() < Self.certificateNotice ? .warning : .ok)
  }

  /// Looks of selfies are told by a face detector. Without one every verification of such a tenant waits for an agent.
  func tellLooks(_ diagnosis: inout Diagnosis) {
    // A file that cannot be read is a fault of the start.
    guard let asking = try? tenants().all.filter(\.asksLooks), !asking.isEmpty else { return }
    let hasDetector = modelsFolder.flatMap { try? ModelFolder($0) }?.detector != nil
    let value =
      hasDetector
      ? "read by the installed detector"
      : "no look is read: models has no face_detection_yunet*.onnx, and an agent must look at every verification"
    for tenant in asking {
      diagnosis.note("settings", "selfie_looks of \(tenant.id)", value, hasDetector ? .ok : .warning)
    }
  }

  func tellEngine(_ diagnosis: inout Diagnosis, _ database: any SQLDatabase) async throws {
    let isServer = databaseURL != nil
    let before = world.now()
    let (version, clock) = try await database.read {
      (try SchemaStore($0).engineVersion(isServer: isServer), try isServer ? SchemaStore($0).clock() : nil)
    }
    diagnosis.note("store", "version", version)
    guard let clock else { return }
    // The moment of the answer lies between the two looks at this machine's clock.
    let (early, late) = (before - clock, clock - world.now())
    let difference = max(early, late, .zero)
    diagnosis.note(
      "store", "clock", "differs from this machine's by \(difference.milliseconds) ms",
      difference > Self.clockDifferenceMax ? .warning : .ok)
  }

  /// - Parameter now: by the time that the rows go by.
  func tellUpkeep(_ diagnosis: inout Diagnosis, _ database: any SQLDatabase, now: Instant) async throws {
    if screeningStored, !waived.contains(.screening) {
      let count = try await database.read { try ScreeningLists.count(in: $0) }
      diagnosis.note(
        "lists", "in the store", count == 0 ? "none: no search has a result; gatehouse lists update" : "\(count)",
        count == 0 ? .warning : .ok)
    }
    guard operations.auditAnchors != nil else {
      return diagnosis.note(
        "work", "checkpoints of the audit log", "not anchored: audit.anchors is missing", isSandbox ? .fact : .warning)
    }
    let anchored = try await database.read { try AuditCheckpoints.lastAnchored(in: $0) }
    let age = anchored.map { now - $0 }
    diagnosis.note(
      "work", "last anchored checkpoint of the audit log", age.map { "\($0.wholeSeconds) s ago" } ?? "none yet",
      age.map { $0 > operations.anchorAgeMax ?? AuditCheckpoints.interval * 2 } ?? true ? .warning : .ok)
  }

  /// What servers of this machine say of their jobs: at `operations.port` and the next one, where the package's worker
  /// listens.
  func tellJobs(_ diagnosis: inout Diagnosis) async {
    struct Report: Decodable {
      // Whatever else answers there has another one.
      enum Status: String, Decodable { case ready, failing, draining }
      let status: Status
      let failingJobs: [String]?
    }
    let peer = operationsPeer(timeout: .seconds(10))
    let first = operations.port ?? OperationsSettings.defaultPort
    var answers = 0
    for port in [first, first + 1] {
      let url = operationsURL("/health/ready", port: port)
      guard let answer = try? await peer.send(.init("GET", url, headers: [:], body: Data())),
        let report = try? JSONDecoder().decode(Report.self, from: answer.body)
      else { continue }
      answers += 1
      diagnosis.note("work", "server of port \(port)", report.status.rawValue, report.status == .ready ? .ok : .warning)
      let failing = report.failingJobs ?? []
      diagnosis.note(
        "work", "failing jobs by port \(port)", failing.isEmpty ? "none" : failing.joined(separator: " "),
        failing.isEmpty ? .ok : .warning)
    }
    if answers == 0 { diagnosis.note("work", "failing jobs", "no server of this machine answers at port \(first)") }
  }
}
