import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeFlow
import Testing

@Suite("Salt Edge: races")
struct RaceTests {
  @Test("of a confirmation and a denial at once, one counts")
  func decisions() async throws {
    try await SaltEdgeHouse.run { house in
      let device = try await DeviceV2.connected(house)
      let action = try house.bank.action("a-1", user: "u-1", connections: [device.connection])
      _ = try await house.bankCalls(.post, "actions", action)
      let id = try #require(try await device.authorizations().first).id
      let answers = try await withThrowingTaskGroup(of: String.self) { group in
        for index in 0..<8 {
          group.addTask {
            let answer = try await device.decide(id, confirms: index.isMultiple(of: 2), code: "code-1")
            return answer.status == 200 ? "200" : answer.refusal
          }
        }
        return try await group.reduce(into: [String]()) { $0.append($1) }
      }
      #expect(answers.filter { $0 == "200" }.count == 1)
      #expect(answers.filter { $0 == "404 AuthorizationNotFound" }.count == 7)
      #expect(try await house.owedOfDecisions() == ["saltedge.forwardDecision"])
    }
  }

  @Test("of many devices with one link, one is connected")
  func links() async throws {
    try await SaltEdgeHouse.run { house in
      let link = try await house.api(.post, "connect-links", #"{"user_id":"u-1","api_version":1}"#)
        .view(DeviceV2.LinkView.self)
      let key = try TestKeys.device()
      let tokens = try await withThrowingTaskGroup(of: String?.self) { group in
        for _ in 0..<6 {
          group.addTask {
            try await DeviceV1.ask(house, key: key, query: link.connect_query).data(SaltEdgeV1.Connected.self)
              .accessToken
          }
        }
        return try await group.reduce(into: [String]()) { if let token = $1 { $0.append(token) } }
      }
      #expect(tokens.count == 1)
    }
  }
}
