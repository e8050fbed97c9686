// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Kit
import RubixOnboarding
import RubixWire
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Journey: the work queue over HTTP", .onOneEngine)
struct CaseJourneyTests {
  private static func object(_ answer: TransportResponse) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
  }

  private static func cases(
    _ agent: AgentClient, _ query: [String: String] = [:]
  ) async throws -> [[String: Any]] {
    let answer = try await agent.send(
      "GET", "agents/cases", query: query.map { URLQueryItem(name: $0.key, value: $0.value) }, body: EmptyBody?.none)
    return try #require(try object(answer)["cases"] as? [[String: Any]])
  }

  /// The status and the code of a call that is refused.
  private static func refusal(_ call: () async throws -> Void) async throws -> String {
    do {
      try await call()
      return "none"
    } catch let refused as AgentClient.Refused {
      return refused.description.split(separator: " ").suffix(2).joined(separator: " ")
    }
  }

  @Test("a hit becomes a case of the officers, who hold it alone; agents without the permission do not see it")
  func hit() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.matchedByPassport(JourneyPapers.listedPassport)
      try await phone.contacts()
      #expect(try await phone.app.screenAML().status == .underReview)
      let officer = try await journey.agent(DemoApp.officerEmail)
      let agent = try await journey.agent(DemoApp.agentEmail)
      #expect(try await Self.cases(agent).isEmpty)
      let item = try #require(try await Self.cases(officer).first)
      let id = try #require(item["case_id"] as? String)
      #expect(item["kind"] as? String == "rubix-screening" && item["state"] as? String == "open")
      #expect(item["risk"] as? Int == 90 && item["reasons"] as? [String] == ["screening"])
      #expect(try await Self.cases(officer, ["kind": "rubix-call"]).isEmpty)
      #expect(try await Self.cases(officer, ["overdue": "true"]).isEmpty)

      let taken = try Self.object(try await officer.send("POST", "agents/next-case", body: EmptyBody()))
      #expect(taken["case_id"] as? String == id && taken["state"] as? String == "claimed")
      #expect(try await officer.send("POST", "agents/next-case", body: EmptyBody()).status == 204)
      #expect(try await Self.cases(officer, ["holder": "me"]).count == 1)
      _ = try await officer.send("POST", "agents/cases/\(id)/claim", body: EmptyBody())
      _ = try await officer.send("POST", "agents/cases/\(id)/notes", body: ["text": "The list names another year."])
      let file = try Self.object(try await officer.send("GET", "agents/cases/\(id)", body: EmptyBody?.none))
      #expect((file["notes"] as? [[String: Any]])?.first?["text"] as? String == "The list names another year.")
      #expect((file["history"] as? [[String: Any]])?.count == 4)

      #expect(
        try await Self.refusal {
          _ = try await agent.send("GET", "agents/cases/\(id)", body: EmptyBody?.none)
        } == "404 not-found")
      #expect(
        try await Self.refusal {
          _ = try await officer.send(
            "POST", "agents/cases/\(id)/hand-over", body: ["to": DemoApp.agentEmail, "why": "language"])
        } == "403 forbidden")
      #expect(
        try await Self.refusal { _ = try await Self.cases(officer, ["kind": "rubix-tea"]) } == "422 validation-failed")
      _ = try await officer.send("POST", "agents/cases/\(id)/release", body: ["why": "end-of-shift"])
      #expect(
        try await Self.refusal {
          _ = try await officer.send("POST", "agents/cases/\(id)/release", body: ["why": "again"])
        } == "409 case-not-held")
      let approvals = try Self.object(try await officer.send("GET", "agents/approvals", body: EmptyBody?.none))
      #expect((approvals["approvals"] as? [Any])?.isEmpty == true)
    }
  }

  @Test("an agent takes back over HTTP what they asked a colleague for, once; a colleague cannot")
  func withdrawal() async throws {
    try await JourneyTestApp.run { journey in
      let app = journey.app
      let staff = try await app.staff.list(tenant: "default")
      let maker = try #require(staff.first { $0.email == DemoApp.officerEmail }).actor
      let id = try await app.database.write { tx in
        try app.core.cases.propose(
          BoundAct("rubix.verdict", subject: "s1", version: 1, content: "{}"),
          under: FourEyes(maker: "decide:aml", checker: "approve:verdicts"), tenant: "default", person: "p1", by: maker,
          in: tx)
      }
      let officer = try await journey.agent(DemoApp.officerEmail)
      let colleague = try await journey.agent(DemoApp.agentEmail)
      func withdraw(_ id: String, by agent: AgentClient) async throws -> TransportResponse {
        try await agent.send("POST", "agents/approvals/\(id)/withdrawal", body: EmptyBody())
      }
      for (wrong, agent) in [(id, colleague), ("x", officer), (app.world.uuid(), officer)] {
        #expect(try await Self.refusal { _ = try await withdraw(wrong, by: agent) } == "404 not-found")
      }
      let taken = try Self.object(try await withdraw(id, by: officer))
      #expect(taken["approval_id"] as? String == id && taken["state"] as? String == "withdrawn")
      #expect(try await Self.refusal { _ = try await withdraw(id, by: officer) } == "409 approval-decided")
    }
  }

  @Test("a booked call is a case until its verdict, by the same transaction")
  func call() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.matchedByPassport()
      try await phone.contacts()
      _ = try await phone.app.screenAML()
      try await phone.forms()
      let agent = try await journey.agent(DemoApp.agentEmail)
      let call = try await phone.booked()
      #expect(try await Self.cases(agent).map { $0["kind"] as? String } == ["rubix-call"])
      _ = try await agent.decide(phone.verdict(.successful, on: call))
      #expect(try await Self.cases(agent).isEmpty)
    }
  }
}
