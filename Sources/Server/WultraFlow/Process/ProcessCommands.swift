// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Kit
import PowerAuthCore
import Storage
import WultraWire

/// Who calls with what every copy of an app knows.
package struct ApplicationCaller: Sendable {
  package let tenant: String
  /// BCP 47.
  package let language: String
  package let clientAddress: String?

  package init(tenant: String, language: String, clientAddress: String? = nil) {
    self.tenant = tenant
    self.language = language
    self.clientAddress = clientAddress
  }
}

/// The process before and around the activation (wultra-onboarding.md §2).
package struct ProcessCommands: Sendable {
  /// Beginnings by one identification, as those from one network: what they cost is a look-up and a message.
  static let startsByIdentification = RateLimit("wultra-start", 30, per: .hours(1))

  let dossiers: Dossiers
  let adapter: OnboardingAdapter
  private var core: CoreDependencies { dossiers.core }

  /// Begins a process, or goes on with the one of the same identification. A person whom the institution does not know
  /// gets the same answers after the same work; no message leaves.
  package func start(
    _ request: Wultra.StartRequest<JSONValue>, by caller: ApplicationCaller
  ) async throws -> Wultra.ProcessState {
    let identification = try Identification(request.identification)
    let digest = identification.digest(tenant: caller.tenant, by: core.vault)
    _ = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      if let address = caller.clientAddress, let startsMax = dossiers.policy.startsPerNetwork {
        let network = core.vault.digest(ClientNetwork.of(address), for: "wultra network")
        let limit = RateLimit("wultra-start-address", startsMax, per: .minutes(10))
        try core.limits.spend(limit, by: network, isTold: false, in: tx)
      }
      try core.limits.spend(Self.startsByIdentification, by: digest, isTold: false, in: tx)
    }
    let answer = try await dossiers.asking {
      try await adapter.lookUp(
        UserLookup(
          identification: identification.value, processId: nil, language: caller.language, fdsData: request.fdsData))
    }
    let person =
      switch answer {
      case .known(let user, let consentRequired):
        OnboardingProcess.Person(user: user, language: caller.language, consentRequired: consentRequired)
      case .unknown: OnboardingProcess.Person(user: nil, language: caller.language, consentRequired: true)
      }
    // What was begun at the same time counts too: no row is shared that would tell of it.
    return try await core.database.write(retrying: .outdatedOrDuplicate, .serializable) { tx in
      try begin(person, digest: digest, by: caller, in: tx)
    }.get()
  }

  private func begin(
    _ person: OnboardingProcess.Person, digest: String, by caller: ApplicationCaller, in tx: any SQLTransaction
  ) throws -> Decided<Wultra.ProcessState> {
    let store = ProcessStore(tx, vault: core.vault)
    if let running = try store.activating(digest, tenant: caller.tenant) {
      var dossier = Dossier(process: running)
      if try dossiers.lapse(&dossier, in: tx) {
        // Its time was over: another one begins.
      } else if let user = running.person.user, user != person.user {
        try dossiers.fail(&dossier, .userLookupFailed, in: tx)
        try dossiers.save(&dossier, in: tx)
      } else {
        let user = running.person.user
        dossier.process.person = person
        // A person who was unknown or too frequent when it began stays so: a new id would reveal it.
        dossier.process.person.user = user
        // Asked for again too soon, the code that was sent is still the one.
        _ = try promise(&dossier.process, resend: true, in: tx)
        try dossiers.save(&dossier, in: tx)
        try dossiers.audit("process.resumed", dossier.process, by: "customer", in: tx)
        return .answer(dossier.process.view(dossiers.policy))
      }
    }
    return try create(person, digest: digest, by: caller, in: tx)
  }

  private func create(
    _ person: OnboardingProcess.Person, digest: String, by caller: ApplicationCaller, in tx: any SQLTransaction
  ) throws -> Decided<Wultra.ProcessState> {
    let now = core.world.now()
    var dossier = Dossier(
      // Who holds a process's id may end the process, so no part of it is the time.
      process: OnboardingProcess(
        id: .init(rawValue: core.world.randomUUID()), tenant: caller.tenant, status: .activating,
        identificationDigest: digest,
        person: person, createdAt: now,
        deadline: now + min(dossiers.policy.activationLifetime, dossiers.policy.processLifetime)))
    let store = ProcessStore(tx, vault: core.vault)
    try store.insert(dossier.process)
    try dossiers.audit("process.started", dossier.process, by: "customer", facts: ["tenant": caller.tenant], in: tx)
    let begun = try store.countBegun(dossier.process, since: now - dossiers.policy.processWindow)
    guard begun.byIdentification <= dossiers.policy.processesMax else {
      try dossiers.fail(&dossier, .tooManyProcessesPerUser, in: tx)
      try dossiers.save(&dossier, in: tx)
      return .refused(.tooManyProcesses)
    }
    // A caller who spells one person in many ways would learn from a refusal that the person exists.
    if begun.byUser > dossiers.policy.processesMax { dossier.process.person.user = nil }
    _ = try promise(&dossier.process, resend: false, in: tx)
    try dossiers.save(&dossier, in: tx)
    return .answer(dossier.process.view(dossiers.policy))
  }

  /// Promises a new activation code; also for an unknown person, where it is not sent.
  /// - Returns: false when it is too soon for another; the one before it stays good then.
  private func promise(
    _ process: inout OnboardingProcess, resend: Bool, in tx: any SQLTransaction
  ) throws -> Bool {
    do {
      let promised = try dossiers.passcodes.request(process.activationBinding, in: tx)
      process.passcode = promised.id
      try core.outbox.enqueue(
        PasscodeDelivery.topic, subject: process.id.rawValue,
        payload: PasscodeDelivery.Order(
          passcode: promised.id.rawValue, destination: process.activationBinding.destination, kind: .activation,
          resend: resend
        ).text, in: tx)
      return true
    } catch let problem as Problem where problem.category == .rateLimited {
      return false
    }
  }

  /// - Throws: `Problem` ONBOARDING_FAILED when there is no such process.
  package func status(_ id: String, by caller: ApplicationCaller) async throws -> Wultra.ProcessState {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      var dossier = try find(id, by: caller, in: tx)
      _ = try dossiers.lapse(&dossier, in: tx)
      return dossier.process.view(dossiers.policy)
    }
  }

  /// - Throws: `Problem` ONBOARDING_OTP_FAILED when it is too soon.
  package func resendOTP(_ id: String, by caller: ApplicationCaller) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Void> in
      var dossier = try find(id, by: caller, in: tx)
      guard try !dossiers.lapse(&dossier, in: tx), dossier.process.status == .activating else {
        return .refused(.onboardingFailed)
      }
      dossier.process.person.language = caller.language
      guard try promise(&dossier.process, resend: true, in: tx) else { return .refused(.otpFailed) }
      try dossiers.save(&dossier, in: tx)
      try dossiers.audit("process.codeResent", dossier.process, by: "customer", in: tx)
      return .answer(())
    }.get()
  }

  /// Ends the process and removes its activation, so that no later call of the device is answered as if the process
  /// went on; may be repeated. What is finished stays: the id of a process is no proof of the device.
  package func cleanUp(_ id: String, by caller: ApplicationCaller) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Void> in
      var dossier = try find(id, by: caller, in: tx)
      guard dossier.process.status != .finished else { return .refused(.onboardingFailed) }
      try dossiers.fail(&dossier, .canceledProcess, by: "customer", removesActivationAt: core.world.now(), in: tx)
      try dossiers.save(&dossier, in: tx)
      try dossiers.removeActivation(of: dossier.process, in: tx)
      return .answer(())
    }.get()
  }

  /// A code in clear, in sandboxes.
  package func otpDetail(
    _ request: Wultra.OTPDetailRequest, by caller: ApplicationCaller
  ) async throws -> Wultra.OTPDetail {
    guard dossiers.policy.isSandbox else { throw Problem.notFound }
    return try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let dossier = try find(request.processId, by: caller, in: tx)
      let (passcode, binding) =
        request.otpType == .activation
        ? (dossier.process.passcode, dossier.process.activationBinding)
        : (dossier.verification?.passcode, dossier.verification?.binding)
      guard let passcode, let binding,
        let issued = try dossiers.passcodes.issue(passcode, to: binding.destination, in: tx)
      else { throw Problem.otpFailed }
      return Wultra.OTPDetail(otpCode: issued.code, processId: dossier.process.id.rawValue)
    }
  }

  package func configuration() -> Wultra.Configuration {
    Wultra.Configuration(
      onboarding: Wultra.Switch(enabled: adapter.isConfigured),
      documents: Wultra.DocumentRequirements(
        primary: dossiers.policy.primaryDocuments.map(\.wire), distinctCount: dossiers.policy.distinctDocuments))
  }

  private func find(_ id: String, by caller: ApplicationCaller, in tx: any SQLTransaction) throws -> Dossier {
    guard let process = try ProcessStore(tx, vault: core.vault).find(.init(rawValue: id.lowercased())),
      process.tenant == caller.tenant
    else { throw Problem.onboardingFailed }
    return try dossiers.dossier(process, in: tx)
  }
}
