// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Storage

/// Finds applications and moves them.
struct OnboardingService: Sendable {
  let core: CoreDependencies
  let policy: FinapticPolicy
  let retries: RetryRule

  /// Who asks about an application.
  struct Caller: Sendable {
    let tenant: FinapticTenant
    let signedIn: FinapticSignedIn?
    let actor: String

    init(_ context: some FinapticCaller) {
      (tenant, signedIn, actor) = (context.tenant, context.signedIn, context.actor)
    }
  }

  // MARK: Finding

  /// - Throws: `Problem` invalid argument for what is no id; not found; permission denied for another user's.
  func find(_ name: String?, for caller: Caller, in tx: any SQLTransaction) throws -> OnboardingApplication {
    let id = try Self.id(name)
    guard let application = try OnboardingStore(tx, vault: core.vault).find(id),
      application.tenant == caller.tenant.id
    else { throw Self.unknown }
    if let owner = application.user, owner != caller.signedIn?.user { throw Self.foreign }
    return application
  }

  static func id(_ name: String?) throws -> OnboardingApplication.ID {
    guard let name = name?.trimmingCharacters(in: .whitespacesAndNewlines), !name.isEmpty else {
      throw Problem.finapticFields([.init("/onboardingApplicationId", "required", "An application's id is required.")])
    }
    guard let id = name.canonicalUUID else {
      throw Problem.finapticFields([.init("/onboardingApplicationId", "malformed", "This is not a UUID.")])
    }
    return .init(rawValue: id)
  }

  func bundle(of application: OnboardingApplication, in tx: any SQLTransaction) throws -> ProductBundle {
    guard let bundle = try BundleStore(tx).find(application.bundle, of: application.tenant) else {
      throw Problem.unexpected
    }
    return bundle
  }

  func requirements(
    _ application: OnboardingApplication, in tx: any SQLTransaction
  ) throws -> OnboardingRequirements {
    OnboardingRequirements(
      application: application, bundle: try bundle(of: application, in: tx),
      terms: try TenantStore(tx).documents(of: application.tenant, publicURL: policy.publicURL))
  }

  // MARK: Changing

  /// - Throws: `Problem` failed precondition for a move that the status does not know; `SQLError.outdated`.
  func move(
    _ application: inout OnboardingApplication, on event: ApplicationEvent, by actor: String,
    facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws {
    try core.mover.move(
      &application, on: event, of: ApplicationMachine(core: core), by: actor, facts: facts, in: tx)
  }

  // MARK: Showing

  /// - Parameter codes: why the call's validation failed; nil for what the status still says.
  func response(
    _ application: OnboardingApplication, codes: [FailureCode]? = nil, _ outcome: OnboardingViews.Outcome = .done,
    in tx: any SQLTransaction
  ) throws -> FinapticAPI.ApplicationResponse {
    let views = OnboardingViews(
      bundle: try bundle(of: application, in: tx),
      terms: try TenantStore(tx).documents(of: application.tenant, publicURL: policy.publicURL), retries: retries)
    return .init(basicDetails: views.details(application, codes: codes, outcome))
  }

  // MARK: Refusals

  static let unknown = Problem.finaptic(.notFound, "There is no such application.")
  static let foreign = Problem.finaptic(.permissionDenied, "The application belongs to another user.")

  static func outOfOrder(_ status: ApplicationStatus) -> Problem {
    .finaptic(.failedPrecondition, "The application's status, \(status.rawValue), does not allow this call.")
  }
}
