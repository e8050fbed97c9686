// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: tenants and their keys")
struct TenantTests {
  private func configuration(_ app: AccountTestApp, _ key: String?) async throws -> AccountTestApp.Answer {
    try await app.call(
      .get, FinapticAPI.configurationPath, headers: key.map { ["X-Client-Key": $0] } ?? [:])
  }

  @Test("a key says where and as what to connect, and reads back")
  func key() async throws {
    try await AccountTestApp.run { app async throws in
      let pin = Data(repeating: 9, count: 32)
      let issued = try await app.service.dependencies.tenants.issueKey("app", tenant: 8, pins: [pin], by: "test")
      let read = try FinapticSDKKey(issued.sdkKey.text)
      #expect(read == issued.sdkKey)
      #expect(read.environment == .production && read.tenantID == 8 && read.pins == [pin])
      #expect(read.baseURL.absoluteString == "https://bank.example")
      #expect(read.clientKey == issued.key.id.rawValue)
    }
  }

  @Test("an app in production gets no key for an address that is this machine alone, an app of a sandbox does")
  func loopback() async throws {
    try await OnboardingTestApp.run { app async throws in
      // The policy as it is made, without a public address.
      let known = app.service.dependencies.tenants
      let here = FinapticTenants(core: known.core, ledger: known.ledger, policy: FinapticPolicy())
      let before = try await here.keys(of: OnboardingTestApp.production)
      await #expect(throws: Problem.self) {
        try await here.issueKey("app", tenant: OnboardingTestApp.production, by: "test")
      }
      #expect(try await here.keys(of: OnboardingTestApp.production) == before)
      let key = try await here.issueKey("app", tenant: OnboardingTestApp.sandbox, by: "test").sdkKey
      #expect(key.environment == .sandbox)
    }
  }

  @Test("unknown, malformed, missing and revoked keys are one answer")
  func revoked() async throws {
    try await AccountTestApp.run { app async throws in
      #expect(try await configuration(app, app.key).status == 200)
      try await app.service.dependencies.tenants.revokeKey(.init(rawValue: app.key), by: "test")
      var bodies: Set<String> = []
      for key in [app.key, nil, "", "x", "0190b0c0-0000-4000-8000-000000000001"] {
        let answer = try await configuration(app, key)
        #expect(answer.refusal == "401 UNAUTHENTICATED UNAUTHENTICATED")
        bodies.insert(answer.message)
      }
      #expect(bodies.count == 1)
      #expect(try await configuration(app, app.otherKey).status == 200)
      #expect(try await app.signIn().code == "UNAUTHENTICATED")
      await #expect(throws: Problem.notFound) {
        try await app.service.dependencies.tenants.revokeKey(.init(rawValue: app.key), by: "test")
      }
    }
  }

  @Test("the configuration has the four consents, at the operator's addresses or the standard ones")
  func documents() async throws {
    try await AccountTestApp.run { app async throws in
      let tenants = app.service.dependencies.tenants
      let url = "https://maple.example/privacy/3"
      try await tenants.setDocument(.init(type: "CONSENT_TYPE_PRIVACY_POLICY", url: url), of: 7, by: "test")
      let found: FinapticAPI.Configuration = try await configuration(app, app.key).view()
      #expect(found.consents.count == 4)
      #expect(found.consents.filter(\.neededBeforeValidation).count == 3)
      #expect(found.consents.first { $0.documentType == "CONSENT_TYPE_PRIVACY_POLICY" }?.documentNameAndVersion == url)
      let terms = try #require(found.consents.first { $0.documentType == "CONSENT_TYPE_TERMS_OF_USE_OF_APP" })
      let base = "https://bank.example"
      #expect(terms.documentNameAndVersion.hasPrefix(base))
      // What stands there until the operator says where the real one is.
      let page = try await app.call(.get, String(terms.documentNameAndVersion.dropFirst(base.count)))
      #expect(page.status == 200 && page.json.contains("placeholder"))
      // Words of a stranger do not stand as a heading under the institution's address.
      let below = "/finaptic/pages/documents"
      for path in ["/your-account-is-closed-call-us/1.0", "/terms/1.0", "/privacy-policy/2.0"] {
        let none = try await app.call(.get, below + path)
        #expect(none.status == 404 && !none.json.contains("our account") && !none.json.contains("placeholder"))
      }
      let other: FinapticAPI.Configuration = try await configuration(app, app.otherKey).view()
      #expect(!other.consents.contains { $0.documentNameAndVersion == url })
      for (type, url) in [("CONSENT_TYPE_NONE", url), ("CONSENT_TYPE_PRIVACY_POLICY", "privacy")] {
        await #expect(throws: Problem.self) {
          try await tenants.setDocument(.init(type: type, url: url), of: 7, by: "test")
        }
      }
    }
  }

  @Test("a tenant has a number from 1 to 9999 of its own; a sandbox starts without second factors")
  func add() async throws {
    try await AccountTestApp.run { app async throws in
      let tenants = app.service.dependencies.tenants
      for id in [0, 10_000, -1] {
        await #expect(throws: Problem.self) { try await tenants.add(id, name: "x", kind: .sandbox, by: "test") }
      }
      await #expect(throws: Problem.self) { try await tenants.add(7, name: "x", kind: .sandbox, by: "test") }
      #expect(try await tenants.add(1, name: "Edge", kind: .sandbox, by: "test").mfa == .never)
      #expect(try await tenants.add(9999, name: "Edge", kind: .production, by: "test").mfa == .stepUpOnly)
      #expect(try await tenants.list().map(\.id) == [1, 7, 8, 9999])
    }
  }

  @Test("what goes wrong before a room is said in the same words")
  func errors() async throws {
    try await AccountTestApp.run { app async throws in
      let headers = ["X-Client-Key": app.key]
      let base = FinapticDialect.base
      #expect(
        try await app.call(.post, "\(base)/nothing/here", headers: headers).refusal == "404 NOT_FOUND NOT_FOUND")
      #expect(
        try await app.call(.post, FinapticMethod.getCard.path, headers: headers).refusal
          == "401 UNAUTHENTICATED UNAUTHENTICATED")
      let signIn = FinapticMethod.signIn.path
      for body in ["{", "[]", "null", #"{"credential":7}"#, #"{"credential":{"password":[]}}"#] {
        let answer = try await app.call(.post, signIn, Data(body.utf8), headers: headers)
        #expect(answer.refusal == "400 INVALID_ARGUMENT INVALID_ARGUMENT", "\(body)")
      }
      let wrongType = try await app.call(
        .post, signIn, Data(#"{"credential":{"password":[]}}"#.utf8), headers: headers)
      #expect(wrongType.error?.details?.fieldViolations?.map(\.field) == ["credential.password"])
      // Unknown members are ignored.
      let unknown = #"{"credential":{"email":"a@mail.ca","password":"x","new":1},"newer":{}}"#
      #expect(
        try await app.call(.post, signIn, Data(unknown.utf8), headers: headers).code == "SIGNIN_INVALID_PASSWORD")
      let key = headers.merging(["Idempotency-Key": "not a uuid"]) { $1 }
      #expect(try await app.call(.post, signIn, Data(unknown.utf8), headers: key).code == "INVALID_ARGUMENT")
    }
  }

  @Test("too many calls of one key are refused with a hint when to come again")
  func limits() async throws {
    try await AccountTestApp.run { app async throws in
      let limit = app.service.dependencies.policy.callsPerKey
      for _ in 1...limit.count { try app.service.limits.rates.spend(limit, by: app.key) }
      let answer = try await configuration(app, app.key)
      #expect(answer.refusal == "429 RESOURCE_EXHAUSTED RESOURCE_EXHAUSTED")
      #expect(answer.message.contains("try again in"))
      #expect(answer.headers[.retryAfter] != nil)
      #expect(try await configuration(app, app.otherKey).status == 200)
    }
  }
}
