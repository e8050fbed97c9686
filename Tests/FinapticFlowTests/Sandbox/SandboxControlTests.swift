// SPDX-License-Identifier: Apache-2.0

import Identity
import Foundation
import GatehouseWire
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: test controls of a sandbox")
struct SandboxControlTests {
  /// A client of the controls, and an application.
  private struct SandboxClient {
    let app: AccountTestApp
    let basic: String
    let application: String

    init(_ app: AccountTestApp) async throws {
      self.app = app
      let issued = try await app.app.addFinapticClient(.sandbox, "test", tenant: AccountTestApp.tenant, by: "operator")
      basic = Self.basic(issued)
      let begun = try await app.call(
        .post, FinapticMethod.initiateApplication.path,
        try WireJSON.encode(FinapticAPI.InitiateApplicationRequest(bundleId: "kycV1")),
        headers: ["X-Client-Key": app.key])
      application = try begun.view(FinapticAPI.ApplicationResponse.self).basicDetails.applicationId
    }

    static func basic(_ issued: IssuedSecret) -> String {
      "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    }

    func control(_ name: String, _ body: String = "", as basic: String? = nil) async throws -> AccountTestApp.Answer {
      try await app.call(
        .post, "\(SandboxRoutes.base)/\(name)", Data(body.utf8), headers: ["Authorization": basic ?? self.basic])
    }

    func armed() async throws -> String {
      try await app.call(.get, "\(SandboxRoutes.base)/faults", headers: ["Authorization": basic]).json
    }

    func contact(key: String? = nil) async throws -> AccountTestApp.Answer {
      try await app.call(
        .post, FinapticMethod.updateContactDetails.path,
        try WireJSON.encode(
          FinapticAPI.UpdateContactDetailsRequest(
            onboardingApplicationId: application, customerContactDetails: .init(customerEmail: "a@b.ca"))),
        headers: ["X-Client-Key": key ?? app.key])
    }
  }

  @Test("the next call answers an error of any code, as often as it was armed, and nothing has changed")
  func error() async throws {
    try await AccountTestApp.run { app in
      let client = try await SandboxClient(app)
      let armed = try await client.control(
        "faults", #"{"method": "onboarding/updateContactDetails", "kind": "error", "code": "UNAVAILABLE", "times": 2}"#)
      #expect(armed.status == 200)
      for _ in 0..<2 { #expect(try await client.contact().refusal == "503 UNAVAILABLE UNAVAILABLE") }
      let answer = try await client.contact().view(FinapticAPI.ApplicationResponse.self)
      #expect(answer.basicDetails.onboardingApplicationStatus == "Data Collection")
      #expect(try await client.armed().contains("[]"))
    }
  }

  @Test("the next call answers FAILED with the application as it stands")
  func failed() async throws {
    try await AccountTestApp.run { app in
      let client = try await SandboxClient(app)
      #expect(
        try await client.control("faults", #"{"method": "onboarding/updateContactDetails", "kind": "failed"}"#).status
          == 200)
      let details = try await client.contact().view(FinapticAPI.ApplicationResponse.self).basicDetails
      #expect(details.requestStatus == "FAILED" && details.onboardingApplicationStatus == "New Application")
      #expect(details.applicationId == client.application && details.remainingAllowedRetries == 3)
      let again = try await client.contact().view(FinapticAPI.ApplicationResponse.self).basicDetails
      #expect(again.requestStatus == "OK" && again.onboardingApplicationStatus == "Data Collection")
    }
  }

  @Test("the next connection ends in the middle of the answer")
  func dropped() async throws {
    try await AccountTestApp.run { app in
      let client = try await SandboxClient(app)
      #expect(
        try await client.control("faults", #"{"method": "onboarding/updateContactDetails", "kind": "drop"}"#).status
          == 200)
      await #expect(throws: (any Error).self) { try await client.contact() }
      #expect(try await client.contact().status == 200)
    }
  }

  @Test(
    "what cannot be armed",
    arguments: [
      (#"{}"#, ["method", "kind"]), (#"{"method": "onboarding/dance", "kind": "drop"}"#, ["method"]),
      (#"{"method": "onboarding/acceptApplication", "kind": "error"}"#, ["code"]),
      (#"{"method": "onboarding/acceptApplication", "kind": "error", "code": "SOUR"}"#, ["code"]),
      (#"{"method": "onboarding/acceptApplication", "kind": "drop", "code": "ABORTED"}"#, ["code"]),
      (#"{"method": "authentication/signIn", "kind": "failed"}"#, ["kind"]),
      (#"{"method": "authentication/signIn", "kind": "drop", "times": 101}"#, ["times"]),
    ])
  func refused(body: String, fields: [String]) async throws {
    try await AccountTestApp.run { app in
      let answer = try await SandboxClient(app).control("faults", body)
      #expect(answer.status == 400)
      #expect(answer.error?.details?.fieldViolations?.map(\.field) == fields)
    }
  }

  @Test("faults are the tenant's own, end by themselves, and by a reset")
  func bounds() async throws {
    try await AccountTestApp.run { app in
      let client = try await SandboxClient(app)
      let fault = #"{"method": "onboarding/updateContactDetails", "kind": "error", "code": "INTERNAL", "times": 9}"#
      #expect(try await client.control("faults", fault).status == 200)
      // A tenant with real customers meets none: there it is no application of theirs.
      #expect(try await client.contact(key: app.otherKey).code == "NOT_FOUND")
      #expect(try await client.contact().code == "INTERNAL")
      app.clock.advance(by: .hours(1))
      #expect(try await client.contact().code == nil)
      #expect(try await client.control("faults", fault).status == 200)
      #expect(try await client.control("reset").status == 200)
      #expect(try await client.armed().contains("[]"))
      #expect(try await client.contact().code == nil)
    }
  }

  @Test("others are refused: no client, a client of another kind, a tenant with real customers")
  func rights() async throws {
    try await AccountTestApp.run { app in
      let client = try await SandboxClient(app)
      let fault = #"{"method": "onboarding/acceptApplication", "kind": "drop"}"#
      #expect(try await client.control("faults", fault, as: "Basic eDp5").status == 401)
      let other = try await app.app.serviceClients.add(
        "other", tenant: "finaptic-\(AccountTestApp.tenant)", scopes: [.manage], by: "test")
      #expect(try await client.control("faults", fault, as: SandboxClient.basic(other)).code == "PERMISSION_DENIED")
      let real = try await app.app.serviceClients.add(
        "real", tenant: "finaptic-\(AccountTestApp.otherTenant)", scopes: [.sandbox], by: "test")
      for name in ["faults", "messages", "reset"] {
        #expect(try await client.control(name, fault, as: SandboxClient.basic(real)).code == "PERMISSION_DENIED")
      }
      await #expect(throws: Problem.self) {
        try await app.app.addFinapticClient(.sandbox, "x", tenant: AccountTestApp.otherTenant, by: "operator")
      }
    }
  }

  @Test("only mail to a user of the tenant can be read")
  func messages() async throws {
    try await AccountTestApp.run { app in
      let client = try await SandboxClient(app)
      #expect(try await app.signUp().status == 200)
      #expect(try await app.signUp("other@finaptic.com", username: "Other", key: app.otherKey).status == 200)
      try await app.settle()
      let own = try await client.control("messages", #"{"email": "sample@finaptic.com"}"#)
      #expect(own.status == 200 && own.json.contains("/finaptic/pages/"))
      for email in ["other@finaptic.com", "nobody@finaptic.com"] {
        #expect(try await client.control("messages", #"{"email": "\#(email)"}"#).json.contains("[]"))
      }
      #expect(try await client.control("messages", "{}").status == 400)
    }
  }
}
