// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Kit
import RubixWire
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: a registration as the published text has it")
struct SeedRegistrationTests {
  @Test("without an e-mail address the application goes on, and asks for one before it is confirmed")
  func withoutEmail() async throws {
    let app = try await AgentTestApp()
    let body = #"{"device_id":"device-0123456789","platform":"ios","contact_no":"+96550001234"}"#
    let (answer, tokens) = try await app.registration.register(
      RequestContent(bytes: Data(body.utf8)), tenant: app.tenant, address: nil, idempotencyKey: nil)
    let view = try answer.view(OnboardingView.self)
    #expect(view.status == .pending && view.lastStep == .registrationInitiated && view.customer.email == nil)
    let email = view.nextSteps.first { $0.path == "/otp/email/send" }
    #expect(email?.reason == "email-missing")
    let customer = Customer(
      identity: try await app.rubix.sessions.verify(tokens.access, tenant: app.tenant.id), tenant: app.tenant)
    let refusal = try await problem { try await app.contacts.send(.email, app.request(customer)) }
    #expect(refusal?.code == "validation-failed" && refusal?.fields.first?.pointer == "/email")
    let change = try AgentTestApp.content(UpdateMeRequest(email: "erika@example.com"))
    let changed = try await app.registration.updateMe(change, by: customer)
    #expect(changed.nextSteps.first { $0.path == "/otp/email/send" }?.reason == nil)
    let code = try await app.code(.email, of: customer)
    _ = try await app.contacts.verify(.email, app.request(customer, VerifyOTPRequest(code: code)))
    #expect(try await app.application(of: customer).email == .confirmed)
  }
}
