// SPDX-License-Identifier: Apache-2.0
import FinapticFlow
import Foundation
import GatehouseApp
import GatehouseTransport
import Identity
import Kit

/// What the processor of a card issuer tells, so that cards of the sample bank wait for a person.
extension SampleCases {
  private static let bank = SandboxSeed.finapticTenant
  /// CAD; the account has no more.
  private static let (funds, disputed, unpaid) = (Int64(100_00), "35.00", "250.00")

  /// A payment by card that its holder disputes, and one that the account cannot pay: two cases.
  func playCardMatters() async throws {
    let (finaptic, run) = (app.finaptic.dependencies, app.world.uuid())
    let holder = try await BankFixture(dependencies: finaptic).fill(
      1, funds: Self.funds, tenant: Self.bank, email: "card.\(run.prefix(8))@sandbox.example")
    guard let account = holder.accounts.first else { throw DemoStory.Broken() }
    let card = try await finaptic.openSandboxCard(
      of: holder.customer, on: .init(rawValue: account), tenant: Self.bank, by: Self.actor)
    let issuer = try await app.addFinapticClient(.issue, "samples \(run)", tenant: Self.bank, by: Self.actor)
    func paid(_ amount: String, _ authorization: String? = nil) -> [String: Any] {
      var body: [String: Any] = ["card_reference": card, "amount": ["amount": amount, "currency": "CAD"]]
      body["merchant"] = ["name": "CAFE UTOPIA", "place": "MONTREAL QC", "category_code": "5814"]
      body["authorization_id"] = authorization
      return body
    }
    try await tell("authorizations", "1-\(run)", paid(Self.disputed, "A\(run)"), as: issuer)
    try await tell("clearings", "2-\(run)", paid(Self.disputed, "A\(run)"), as: issuer)
    try await tell(
      "chargebacks", "3-\(run)",
      ["dispute_id": "D\(run)", "authorization_id": "A\(run)", "reason_code": "4853"], as: issuer)
    // A merchant that asked for nothing before: the network has the money, and the account has not so much.
    guard try await tell("clearings", "4-\(run)", paid(Self.unpaid), as: issuer).suspended != nil else {
      throw DemoStory.Broken()
    }
  }

  /// What of an answer is looked at.
  private struct Told: Decodable {
    struct Amount: Decodable { let amount: String }

    let response_code: String
    let suspended: Amount?
  }

  /// - Throws: `DemoStory.Broken` unless it is carried out.
  @discardableResult
  private func tell(
    _ path: String, _ message: String, _ body: [String: Any], as issuer: IssuedSecret
  ) async throws -> Told {
    guard let url = URL(string: "\(stage.address)/api/v1/finaptic/card-issuer/\(path)") else {
      throw DemoStory.Broken()
    }
    let content = body.merging(["message_id": message]) { $1 }
    var request = TransportRequest(
      method: "POST", url: url, body: try JSONSerialization.data(withJSONObject: content))
    request.headers["content-type"] = "application/json"
    request.headers["authorization"] =
      "Basic \(Data("\(issuer.client.id):\(issuer.secret)".utf8).base64EncodedString())"
    let answer = try await HTTPTransport.live().send(request)
    guard answer.isSuccess, let told = try? JSONDecoder().decode(Told.self, from: answer.body),
      told.response_code == "00"
    else { throw DemoStory.Broken() }
    return told
  }
}
