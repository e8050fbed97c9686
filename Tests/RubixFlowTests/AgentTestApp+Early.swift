// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import RubixWire
import Kit
import Storage
import TestSupport

@testable import RubixFlow

/// The earlier half of the flow in the same application: customers who register themselves and confirm their contacts.
extension AgentTestApp {
  static let device = "device-0123456789"

  var registration: RegistrationCommands { rubix.registration(limits: .init()) }
  var contacts: ContactCommands { rubix.contacts }
  var capture: CaptureCommands {
    rubix.capture(evidence: EvidenceReader(), liveness: .inconclusive)
  }

  /// The same store through another connection, as a second process has it.
  func secondNode(moves: FlowMoves = .uncounted) throws -> RubixService {
    RubixService(
      core: CoreDependencies(
        database: try store.reopened(), world: core.world, vault: core.vault, blobs: core.blobs, moves: moves),
      tenants: rubix.tenants, sessions: rubix.sessions, agentSessions: rubix.agentSessions)
  }

  func registerRequest(
    device: String = AgentTestApp.device, contactNo: String = "+96550001234", email: String? = "erika@example.com"
  ) -> RegisterRequest {
    RegisterRequest(
      deviceID: device, platform: .ios, contactNo: contactNo, email: email, firstName: "Erika",
      lastName: "Mustermann",
      consents: [ConsentCode.terms, .biometrics].map {
        ConsentGrant(code: $0, version: "1", acceptedAt: clock.now.wire)
      })
  }

  /// Someone who has just registered.
  func registered(_ request: RegisterRequest? = nil) async throws -> Customer {
    let (_, tokens) = try await registration.register(
      Self.content(request ?? registerRequest()), tenant: tenant, address: nil, idempotencyKey: nil)
    return Customer(
      identity: try await rubix.sessions.verify(tokens.access, tenant: tenant.id), tenant: tenant)
  }

  /// Asks for a code and sends it, as the worker would.
  func code(_ channel: OTPChannel, of customer: Customer) async throws -> String {
    _ = try await contacts.send(channel, request(customer))
    let items = try await core.database.read { try OutboxStore($0).pending() }
    let mine = items.last { $0.topic == "rubix.sendPasscode" && $0.subject == customer.id.rawValue }
    guard let item = mine else { throw Problem.notFound }
    let order = try JSONDecoder().decode(SendPasscode.self, from: Data(item.payload.utf8))
    let application = try await application(of: customer)
    let issued = try await core.database.write { [rubix] tx in
      try rubix.passcodes.issue(
        .init(rawValue: order.passcode), to: ContactCommands.destination(channel, application) ?? "", in: tx)?.code
    }
    guard let issued else { throw Problem.notFound }
    return issued
  }

  func count(_ statement: SQL) async throws -> Int {
    try await core.database.read { try $0.first(statement)?.get("n") ?? 0 }
  }
}

/// Runs `count` copies of a call at once and collects how each ended.
func race<Value: Sendable>(
  _ count: Int, _ body: @escaping @Sendable (_ number: Int) async throws -> Value
) async throws -> [Result<Value, Problem>] {
  try await withThrowingTaskGroup(of: Result<Value, Problem>.self) { group in
    for number in 0..<count {
      group.addTask {
        do { return .success(try await body(number)) } catch let problem as Problem { return .failure(problem) }
      }
    }
    return try await group.reduce(into: []) { $0.append($1) }
  }
}

extension [Result<StepAnswer, Problem>] {
  var answers: [StepAnswer] { compactMap { try? $0.get() } }
  /// Codes of the problems that were thrown.
  var refusals: [String] {
    compactMap { result in
      if case .failure(let problem) = result { problem.code } else { nil }
    }
  }
}
