// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import RubixWire
import Screening
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: that officers looked at hits, their customer is not told")
struct HitLookSilenceTests {
  @Test("the export of a customer has no line of a look at hits, and that for those who may know has it")
  func export() async throws {
    let app = try await AgentTestApp()
    let customer = try await app.customer(at: .awaitingScreening)
    _ = try await app.screenings.screen(app.request(customer))
    try await app.core.database.write { [core = app.core] tx in
      let screening = Screening(core)
      let seen = try #require(try screening.latest(for: customer.id.rawValue, in: tx))
      _ = try screening.record(
        AgentTestApp.hits(1), of: seen.subject, for: customer.id.rawValue, origin: .listChange, in: tx)
    }
    let officer = try await app.agent()
    #expect(try await app.rubix.screeningApprovals.cases(of: customer.id, by: officer).cases.count == 1)

    let export = try await app.exporter.export(customer.id, of: customer.tenant, by: "operator")
    let isLook = { (action: String, facts: [String: String]) in
      action == "customer.viewed" && facts["what"] == "hits"
    }
    #expect(export.restricted.history.filter { isLook($0.action, $0.facts) }.count == 1)
    let told = export.customer.history
    #expect(!told.isEmpty && told.allSatisfy { !isLook($0.action, $0.facts) && $0.facts["what"] != "hits" })
    // No gap in the numbers tells of a line that was left out.
    #expect(told.map(\.sequence) == Array(1..<(told.count + 1)))
  }
}
