// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdTesting
import Kit
import RubixFlow
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: messages to customers")
struct KeptMessagesTests {
  @Test("the page of messages is a sandbox's: with a tenants file there is no such route, whatever gateway is missing")
  func route() async throws {
    for documents in [nil, DocumentPolicy.standard] {
      try await JourneyTestApp.run(documents: documents) { journey in
        try await Hummingbird.Application(router: journey.app.router()).test(.router) { client in
          for path in ["/dev/outbox", "/dev/outbox.json"] {
            let status = try await client.execute(uri: path, method: .get).status
            #expect(status == (documents == nil ? .ok : .notFound), "\(path)")
          }
        }
      }
    }
  }

  @Test(
    "the program with a tenants file alone ends with 1, and serves nothing",
    .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"), .timeLimit(.minutes(2)))
  func program() throws {
    let one = #"[{"id": "default", "name": "A", "host": "a.example", "time_zone": "UTC"}]"#
    let folder = try TestFolder(["tenants.json": Data(one.utf8)])
    let process = try ServedProcess(graceSeconds: 0, variables: ["GATEHOUSE_TENANTS": folder.file("tenants.json")])
    defer { process.kill() }
    #expect(process.wait() == 1)
    #expect(!FileManager.default.fileExists(atPath: "\(process.data)/gatehouse.sqlite"))
  }

  @Test("every text carries the tenant that pays for it")
  func budget() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.matchedByPassport()
      _ = try await phone.app.sendOTP(.sms)
      try await journey.settle()
      let texts = try await journey.app.devOutbox.list().map(\.message).filter { $0.channel == .sms }
      #expect(!texts.isEmpty && texts.allSatisfy { $0.tenant == TenantID("rubix", "default") })
    }
  }

  @Test("a node is not ready while its configuration is unfit for a start")
  func readiness() async throws {
    try await JourneyTestApp.run(documents: .standard) { journey in
      let report = await journey.app.readiness.report()
      #expect(report.checks.filter { $0.status == .failing }.map(\.name) == ["configuration"])
    }
  }
}
