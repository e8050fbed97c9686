// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import HTTP
import Identity
import Kit
import PowerAuthCore
import Storage

/// What other servers of an institution ask. Whatever belongs to another tenant is not there.
struct BackEndCommands: Sendable {
  let database: any SQLDatabase
  let activations: Activations
  let answers: IdempotentAnswers

  /// Whose key seals what is kept of an answer; nil for an answer that names no user. No key is made for it: an answer
  /// may be late, after the erasure of its user.
  func subject(of view: any Encodable, for client: ServiceClient) -> KeySubject? {
    (view as? any UserAnswer)?.user.map { KeySubject(activations.keySubject(of: $0, tenant: client.tenant).id) }
  }

  // MARK: Activations

  func applications(of client: ServiceClient) async throws -> ApplicationListView {
    try client.require(.manage)
    let applications = try await activations.applications.list(tenant: client.tenant)
    return ApplicationListView(
      applications: applications.map {
        .init(
          application_id: $0.id.rawValue, name: $0.name, protocol_version_min: $0.protocolMin.rawValue,
          created_at: .init($0.createdAt))
      })
  }

  func initiate(
    _ content: RequestContent, by client: ServiceClient, _ write: IdempotentAnswers.Write
  ) async throws -> InitiatedView {
    try client.require(.manage)
    let asked = try content.decode(as: InitiateRequest.self)
    let application = try await application(asked.application_id, of: client)
    let prepared = try await activations.prepare(
      InitiateActivation(
        application: application.id, user: asked.user_id, validity: asked.validity_seconds.map { .seconds($0) },
        otp: asked.otp, otpCheck: asked.otp_check?.check,
        commitsItself: asked.auto_commit ?? false, flags: asked.flags ?? [],
        maxFailedAttempts: asked.max_failed_attempts, externalID: asked.external_id))
    let view = InitiatedView(prepared.initiated)
    let user = subject(of: view, for: client)
    try await database.write { [activations, answers] tx in
      try activations.insert(prepared, by: client.activationActor, in: tx)
      _ = try answers.keep(view, status: 201, about: user, for: write, in: tx)
    }
    return view
  }

  func issueRecovery(
    _ content: RequestContent, by client: ServiceClient, _ write: IdempotentAnswers.Write
  ) async throws -> IssuedRecoveryView {
    try client.require(.manage)
    let asked = try content.decode(as: IssueRecoveryRequest.self)
    let application = try await application(asked.application_id, of: client)
    return try await database.write { [activations, answers] tx in
      let view = IssuedRecoveryView(
        try activations.issueRecoveryCode(
          user: asked.user_id, application: application.id, puks: asked.puk_count ?? 1, by: client.activationActor,
          in: tx))
      _ = try answers.keep(view, status: 201, for: write, in: tx)
      return view
    }
  }

  func search(_ content: RequestContent, by client: ServiceClient) async throws -> ActivationListView {
    try client.require(.manage)
    let asked = try content.decode(as: SearchRequest.self)
    var application: PowerAuthApplication.ID?
    if let id = asked.application_id { application = try await self.application(id, of: client).id }
    let found = try await activations.list(user: asked.user_id, application: application, tenant: client.tenant)
    return ActivationListView(activations: found.map { ActivationView($0) })
  }

  func detail(_ id: String, by client: ServiceClient) async throws -> ActivationView {
    try client.require(.manage)
    return ActivationView(try await activation(id, of: client))
  }

  func commit(_ id: String, _ content: RequestContent, by client: ServiceClient) async throws -> ActivationView {
    try client.require(.manage)
    let (found, asked) = (try await activation(id, of: client), try content.decode(as: CommitRequest.self))
    return ActivationView(try await activations.commit(found.id, otp: asked.otp, by: client.activationActor))
  }

  func block(_ id: String, _ content: RequestContent, by client: ServiceClient) async throws -> ActivationView {
    try client.require(.manage)
    let (found, asked) = (try await activation(id, of: client), try content.decode(as: BlockRequest.self))
    return ActivationView(try await activations.block(found.id, reason: asked.reason, by: client.activationActor))
  }

  func unblock(_ id: String, _ content: RequestContent, by client: ServiceClient) async throws -> ActivationView {
    try client.require(.manage)
    _ = try content.decode(as: EmptyObject.self)
    let found = try await activation(id, of: client)
    return ActivationView(try await activations.unblock(found.id, by: client.activationActor))
  }

  func remove(_ id: String, _ content: RequestContent, by client: ServiceClient) async throws -> ActivationView {
    try client.require(.manage)
    let (found, asked) = (try await activation(id, of: client), try content.decode(as: RemoveRequest.self))
    return ActivationView(
      try await activations.remove(
        found.id, revokingRecovery: asked.revoke_recovery_codes ?? false, by: client.activationActor))
  }

  /// - Parameter page: of the lines after a sequence, the first so many.
  func history(_ id: String, _ page: HistoryPage, by client: ServiceClient) async throws -> HistoryView {
    try client.require(.manage)
    let lines = try await activations.history(
      try await activation(id, of: client).id, after: page.after, limit: page.limit)
    return HistoryView(
      lines: lines.map {
        .init(sequence: $0.sequence, at: .init($0.at), actor: $0.actor, action: $0.action, facts: $0.facts)
      })
  }

  /// How a list of flags is meant.
  enum FlagChange: String, CaseIterable, Sendable { case set, add, remove }

  func flags(
    _ change: FlagChange, _ id: String, _ content: RequestContent, by client: ServiceClient
  ) async throws -> ActivationView {
    try client.require(.manage)
    let (found, flags) = (try await activation(id, of: client).id, try content.decode(as: FlagsRequest.self).flags)
    let actor = client.activationActor
    let changed =
      switch change {
      case .set: try await activations.setFlags(flags, of: found, by: actor)
      case .add: try await activations.addFlags(flags, to: found, by: actor)
      case .remove: try await activations.removeFlags(flags, from: found, by: actor)
      }
    return ActivationView(changed)
  }

  // MARK: Whose it is

  /// - Throws: `Problem` not-found, also for another tenant's.
  func activation(_ id: String, of client: ServiceClient) async throws -> Activation {
    guard let id = id.canonicalUUID else { throw Problem.notFound }
    let found = try await activations.find(Activation.ID(rawValue: id))
    guard found.tenant == client.tenant else { throw Problem.notFound }
    return found
  }

  func application(_ id: String, of client: ServiceClient) async throws -> PowerAuthApplication {
    guard let id = id.canonicalUUID else { throw Problem.notFound }
    let found = try await activations.applications.find(.init(rawValue: id))
    guard found.tenant == client.tenant else { throw Problem.notFound }
    return found
  }
}

extension ServiceClient {
  var activationActor: ActivationActor { .client(id.rawValue) }
}
