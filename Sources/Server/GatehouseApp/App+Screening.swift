// SPDX-License-Identifier: Apache-2.0

import Delivery
import FinapticFlow
import Foundation
import HTTP
import Kit
import Logging
import RubixFlow
import Screening

/// Searches of the lists that no step asks for, and the desk that decides on hits.
extension App {
  private var screenedCustomers: [any ScreenedCustomers] {
    [
      rubix.screened,
      ScreenedApplicants(vault: vault, needsTwo: settings.screeningOperations.needsTwo),
    ]
  }

  /// Where persons decide on hits.
  package var screeningCases: ScreeningCaseService {
    ScreeningCaseService(core, customers: screenedCustomers, delistings: rubix.delistings)
  }

  package var screeningModule: ScreeningModule {
    let (webhooks, database, vault, logger) = (webhooks, database, vault, logger)
    let (messenger, address) = (messenger, settings.screeningOperations.alertMail)
    return ScreeningModule(
      core, source: screeningSource, lists: screeningLists, customers: screenedCustomers,
      policy: settings.screeningOperations.policy,
      tell: { alert in
        logger.notice("a hit in a list waits for a person", metadata: ["id": "\(alert.caseID)"])
        let name = "screening-case-\(alert.caseID)-\(alert.version)"
        let webhook = try alert.tenant.map { tenant in
          WebhookMessage(
            ScreeningAlertBody.type, name: name, tenant: tenant, body: try ScreeningAlertBody(alert).json,
            about: alert.customerID)
        }
        let waits = try await database.write(retrying: .outdatedOrDuplicate) { tx in
          guard try alert.stillWaits(in: tx, vault: vault) else { return false }
          if let webhook { _ = try webhooks.publish(webhook, in: tx) }
          return true
        }
        if waits, let address { try await messenger.send(alert.mail(to: address, name: name)) }
      },
      alarm: { finding in
        logger.error(
          "the screening of lists finds too little: see gatehouse screen self-test",
          metadata: [
            "check": "\(finding.kind.rawValue)", "seen": "\(finding.found)", "count": "\(finding.tried)",
          ])
      })
  }

  /// What the last self-test found, and how many hits wait for persons.
  @Sendable
  func screeningFamilies() async throws -> [MetricFamily] {
    let backlog = try await screeningCases.backlog()
    var families: [MetricFamily] = [
      .single(
        "gatehouse_screening_cases_waiting", help: "Hits in lists that wait for a person.", Double(backlog.count)),
      .single(
        "gatehouse_screening_case_age_seconds", help: "How long the hit that waits longest has waited.",
        backlog.since.map { (world.now() - $0).inSeconds } ?? 0),
      .single(
        "gatehouse_screening_former_files",
        help: "Files of screening.folder that are broken or lost many entries: former versions are searched.",
        Double(await screeningSource.formerFiles().count)),
    ]
    if let report = try await screeningModule.selfTest.latest() {
      families.append(
        .labelled(
          "gatehouse_screening_recall", help: "Share of disguised entries that the last self-test found.",
          labels: ["kind"],
          report.findings.compactMap { finding in finding.recall.map { ([finding.kind.rawValue], $0) } }))
    }
    return families
  }
}

extension ScreeningAlert {
  /// The same by mail: the case and since when it waits; no customer, no list and no entry, for mail is read by others.
  fileprivate func mail(to address: String, name: String) -> Message {
    var message = Message(
      .email, to: address, subject: "A hit in a list waits for a decision",
      body: """
        A hit in a sanctions or PEP list waits for a decision since \(waitsSince.rfc3339).

        Case: \(caseID)

        It is in the work queue, and in: gatehouse screen hits

        """, locale: "en")
    message.id = name
    // It goes with an erasure of the customer, whose own export must not tell of it.
    (message.about, message.isForStaff) = (customerID, true)
    message.tenant = tenant
    return message
  }
}

/// What an institution is told of a hit that waits.
private struct ScreeningAlertBody: Encodable {
  // What docs/reference/webhook-events.md tells of them.
  // webhook screening.hit_waiting: a hit in a list waits for a person

  static let type = "screening.hit_waiting"

  let type = Self.type
  let caseID, customerID, waitsSince: String

  enum CodingKeys: String, CodingKey {
    case type
    case caseID = "case"
    case customerID = "customer"
    case waitsSince = "waits_since"
  }

  init(_ alert: ScreeningAlert) {
    (caseID, customerID, waitsSince) = (alert.caseID.rawValue, alert.customerID, alert.waitsSince.rfc3339)
  }

  var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self)
    }
  }
}
