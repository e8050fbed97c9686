// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Identity
import RubixWire
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Journey: texts that no store keeps, in every address")
struct RouteTextTests {
  @Test("a NUL in any parameter of an address is never an error of the server's own, by any caller")
  func nul() async throws {
    try await JourneyTestApp.run { journey in
      let callers = try await Self.callers(of: journey)
      let router = journey.app.router()
      let faults = try await Application(router: router, logger: journey.log.logger).test(.router) { client in
        let published = try await client.execute(uri: "/openapi.json", method: .get)
        let calls = try Self.calls(describedIn: Data(published.body.readableBytesView))
        #expect(calls.count > 400 && calls.contains { $0.target.contains("?") })
        var faults: [String] = []
        for (method, target) in calls {
          for (name, fields) in callers {
            var typed = fields
            typed[.contentType] = "application/json"
            let answer = try await client.execute(
              uri: target, method: method, headers: typed, body: method == .get ? nil : ByteBuffer(string: "{}"))
            // What a sandbox does without is told as 502 and 503.
            if answer.status == .internalServerError { faults.append("\(name): \(method) \(target)") }
          }
        }
        return faults
      }
      #expect(faults == [])
    }
  }

  /// Every described call, with a NUL for each parameter of its path and its query.
  private static func calls(describedIn json: Data) throws -> [(method: HTTPRequest.Method, target: String)] {
    let object = try JSONSerialization.jsonObject(with: json) as? [String: Any]
    let paths = try #require(object?["paths"] as? [String: [String: Any]])
    let shared = (object?["components"] as? [String: Any])?["parameters"] as? [String: [String: Any]]
    return paths.sorted { $0.key < $1.key }.flatMap { path, operations in
      operations.sorted { $0.key < $1.key }.compactMap { name, value in
        guard let operation = value as? [String: Any], let method = HTTPRequest.Method(rawValue: name.uppercased()),
          // An answer of events goes on until the client is gone.
          !"\(operation["responses"] ?? "")".contains("text/event-stream")
        else { return nil }
        let own = [operations, operation].flatMap { $0["parameters"] as? [[String: Any]] ?? [] }
        let parameters = own.compactMap { parameter in
          (parameter["$ref"] as? String).flatMap { shared?[$0.components(separatedBy: "/").last ?? ""] } ?? parameter
        }
        let names = parameters.filter { $0["in"] as? String == "query" }.compactMap { $0["name"] as? String }
        let query = names.map { "\($0)=%00" }.joined(separator: "&")
        let target = path.replacing(#/\{[^}]*\}/#, with: "%00")
        return (method, query.isEmpty ? target : "\(target)?\(query)")
      }
    }
  }

  /// What proves a caller of each kind: strangers, staff by API and by page, servers.
  private static func callers(of journey: JourneyTestApp) async throws -> [(String, HTTPFields)] {
    let email = "all@bank.example"
    try await journey.addOfficer(email, may: StaffRole.permissions(of: Set(StaffRole.allCases)))
    let browser = try await journey.browser(email)
    let cookie = try #require(await browser.cookie)
    let issued = try await journey.app.serviceClients.add(
      "all", tenant: "default", scopes: Set(ServiceClient.Scope.allCases), by: "operator")
    let basic = Data("\(issued.client.id.rawValue):\(issued.secret)".utf8).base64EncodedString()
    let served = Application(router: journey.app.router(), logger: journey.log.logger)
    let token = try await served.test(.router) { client in
      let login = try JSONEncoder().encode(AgentLoginRequest(username: email, password: DemoApp.password))
      let answer = try await client.execute(
        uri: "/api/v1/onboarding/agents/auth/token", method: .post, headers: [.contentType: "application/json"],
        body: ByteBuffer(bytes: login))
      return try answer.headers[#require(HTTPField.Name(OnboardingHeader.accessToken))]
    }
    let callers: [(String, HTTPFields)] = [
      ("stranger", [:]), ("page", [.cookie: cookie]), ("server", [.authorization: "Basic \(basic)"]),
      ("agent", [.authorization: "Bearer \(try #require(token))"]),
    ]
    return callers
  }
}
