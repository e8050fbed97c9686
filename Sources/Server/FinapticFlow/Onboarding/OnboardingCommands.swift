// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Storage

/// The calls about an application that are one transaction (finaptic §3.1).
struct OnboardingCommands: Sendable {
  typealias Caller = OnboardingService.Caller
  typealias Answer = FinapticAPI.ApplicationResponse

  let core: CoreDependencies
  let applications: OnboardingService
  /// Whether tax residents of another country and citizens of the United States are turned away (§5.6).
  let refusesForeignTaxResidents: Bool

  // MARK: Begin, look, end

  /// - Parameter id: made before, so that a transaction that runs again makes one application.
  func initiate(
    _ request: FinapticAPI.InitiateApplicationRequest, id: OnboardingApplication.ID, by caller: Caller,
    in tx: any SQLTransaction
  ) throws -> Answer {
    guard let name = request.bundleId?.trimmingCharacters(in: .whitespacesAndNewlines), !name.isEmpty else {
      throw Problem.finapticFields([.init("/bundleId", "required", "A bundle is required.")])
    }
    guard let bundle = ProductBundle.named(name, in: try BundleStore(tx).offered(by: caller.tenant.id)) else {
      throw Problem.finapticFields([.init("/bundleId", "unknown", "There is no such bundle.")])
    }
    if let customer = request.customerId?.trimmingCharacters(in: .whitespacesAndNewlines), !customer.isEmpty {
      guard let customer = customer.canonicalUUID else {
        throw Problem.finapticFields([.init("/customerId", "malformed", "This is not a UUID.")])
      }
      guard let own = caller.signedIn?.customer, own == customer else {
        throw Problem.finaptic(.permissionDenied, "The customer is not the one who is signed in.")
      }
    }
    let profiles = ClientProfileStore(tx, vault: core.vault)
    let isVerified = try caller.signedIn?.customer.flatMap { try profiles.find($0)?.isVerified } ?? false
    let application = OnboardingApplication(
      id: id, tenant: caller.tenant.id, user: caller.signedIn?.user, customer: nil, bundle: bundle.id,
      needsKYC: bundle.needsKYC && !isVerified, status: .newApplication, createdAt: core.world.now(),
      content: .init())
    try OnboardingStore(tx, vault: core.vault).insert(application)
    try core.note(
      "application.initiated", id.rawValue, by: caller.actor,
      ["bundle": bundle.id, "tenant": "\(caller.tenant.id)"], in: tx)
    return try applications.response(application, in: tx)
  }

  func status(of name: String?, for caller: Caller, in tx: any SQLTransaction) throws -> Answer {
    try applications.response(applications.find(name, for: caller, in: tx), in: tx)
  }

  func cancel(_ name: String?, by caller: Caller, in tx: any SQLTransaction) throws -> Answer {
    var application = try applications.find(name, for: caller, in: tx)
    try applications.move(&application, on: .cancelled, by: caller.actor, in: tx)
    return try applications.response(application, in: tx)
  }

  // MARK: Updates

  /// Changes the content of an application. A change of the person that evidence was checked against deletes the
  /// evidence (§5.2).
  /// - Precondition: the update is checked.
  func update<Update: OnboardingUpdate>(
    _ update: Update, by caller: Caller, in tx: any SQLTransaction
  ) throws -> Answer {
    var application = try applications.find(update.onboardingApplicationId, for: caller, in: tx)
    let (before, kind) = (application.content, Update.kind)
    try update.write(to: &application.content)
    if application.content.isOfAnother(person: before) { application.content.evidence = .init() }
    application.codes = []
    try applications.move(&application, on: kind.event, by: caller.actor, facts: ["update": kind.rawValue], in: tx)
    return try applications.response(application, in: tx)
  }

  // MARK: Accept

  func accept(_ name: String?, by caller: Caller, in tx: any SQLTransaction) throws -> Answer {
    var application = try applications.find(name, for: caller, in: tx)
    // Accepted before: a repetition creates nothing and answers the same (§5.2).
    if application.status == .applicationAccepted || application.status == .applicationProcessed {
      return try applications.response(application, in: tx)
    }
    let event: ApplicationEvent =
      application.needsKYC || application.status == .kycSuccess ? .accepted : .acceptedUnverified
    guard applicationFlow.allows(event, from: application.status) else {
      throw OnboardingService.outOfOrder(application.status)
    }
    try applications.requirements(application, in: tx).requireForAcceptance()
    guard let reason = refusal(of: application) else {
      try applications.move(&application, on: event, by: caller.actor, in: tx)
      return try applications.response(application, in: tx)
    }
    application.codes = [.unspecified]
    try applications.move(&application, on: .policyRefused, by: caller.actor, in: tx)
    return try applications.response(application, .refused(reason: reason), in: tx)
  }

  /// The one policy that is known (§5.6), in words for the applicant.
  private func refusal(of application: OnboardingApplication) -> String? {
    guard refusesForeignTaxResidents, let residency = application.content.residency else { return nil }
    let isForeign =
      residency.isCanadianTaxResident == false || residency.otherResidences?.isEmpty == false
      || residency.citizenship == "US"
    return isForeign
      ? "Tax residents of other countries and citizens of the United States are not accepted at this time." : nil
  }
}

extension OnboardingApplication.Content {
  /// Whether names, date of birth or home are other ones than before.
  fileprivate func isOfAnother(person before: Self) -> Bool {
    func person(_ content: Self) -> [String?] {
      let personal = content.personal
      return [personal?.firstName, personal?.middleName, personal?.lastName, personal?.dateOfBirth]
    }
    return person(self) != person(before) || home != before.home
  }
}
