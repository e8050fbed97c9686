// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import GatehouseUI
public import SaltEdgeAuthenticator

/// Carries out what the screens want done: each effect is a call of the SDK, each answer an event.
public actor AuthenticatorPerformer {
  /// Hands an event to the driver.
  public typealias Send = ScreenDriver<AuthenticatorScreens>.Send

  let authenticator: Authenticator
  let signIn: SignInPresenter
  private let ports: AuthenticatorPorts
  private let clock: ClientClock
  /// By what the app was opened; good for one confirmation.
  private var opening: UserPresence?
  /// How often the app was locked by the screens.
  private var locks = 0

  /// - Parameter signIn: the one whose page the authenticator was set up with.
  public init(
    _ authenticator: Authenticator, signIn: SignInPresenter, ports: AuthenticatorPorts, clock: ClientClock = .live
  ) {
    (self.authenticator, self.signIn, self.ports, self.clock) = (authenticator, signIn, ports, clock)
  }

  /// Carries one effect out.
  public func perform(_ effect: AuthenticatorEffect, _ send: @escaping Send) async {
    switch effect {
    case .askLock, .lock, .wipe, .unlock, .createPasscode, .changePasscode, .useBiometrics, .touch, .watchLock:
      await guarding(effect, send)
    case .watchList, .watch, .open, .confirm, .deny: await deciding(effect, send)
    case .loadConnections, .rename, .remove, .loadConsents, .revoke: await keeping(effect, send)
    case .read, .connect, .reconnect, .endPage, .find, .submit: await connecting(effect, send)
    case .keepLanguage(let language): await ports.keepLanguage(language)
    case .closeSoon:
      do { try await clock.pause(for: ports.finalsShown) } catch { return }
      await send(.authorization(.closingDue))
    case .leave(let address): await ports.leave(address)
    case .endList, .endWatch, .endConnect, .endLockWatch, .cancelClosing: break
    }
  }

  // MARK: The lock

  private func guarding(_ effect: AuthenticatorEffect, _ send: Send) async {
    switch effect {
    case .askLock: await tellLock(send)
    case .lock:
      (opening, locks) = (nil, locks + 1)
      await authenticator.lock()
      await tellLock(send)
    case .wipe:
      opening = nil
      await answer(send) { () async throws(AuthenticatorError) in
        try await self.authenticator.wipe()
        return .wiped
      } or: {
        [.presence(.failed($0)), .settings(.failed($0))]
      }
    case .unlock(let presence):
      await answer(send) { () async throws(AuthenticatorError) in
        .presence(.outcome(try await self.unlock(presence)))
      } or: {
        [.presence(.failed($0))]
      }
    case .createPasscode(let passcode, let again):
      await answer(send) { () async throws(AuthenticatorError) in
        .passcode(.outcome(try await self.authenticator.createPasscode(passcode.digits, again: again.digits)))
      } or: {
        [.passcode(.failed($0))]
      }
    case .changePasscode(let current, let passcode, let again):
      await answer(send) { () async throws(AuthenticatorError) in
        .passcode(
          .outcome(
            try await self.authenticator.changePasscode(
              current: current.digits, to: passcode.digits, again: again.digits)))
      } or: {
        [.passcode(.failed($0))]
      }
    case .useBiometrics(let uses):
      await answer(send) { () async throws(AuthenticatorError) in
        try await self.authenticator.useBiometrics(uses)
        return .settings(.biometricsKept(uses))
      } or: {
        [.settings(.failed($0))]
      }
    case .touch:
      await authenticator.touch()
      // It came too late: the screens close at once, and not only with the next call.
      if await authenticator.idleLeft() == nil { await tellLock(send) }
    case .watchLock: await watchLock(send)
    default: break
    }
  }

  /// Every touch puts off when the lock is due, so it is asked again after each wait.
  private func watchLock(_ send: Send) async {
    while let rest = await authenticator.idleLeft() {
      do { try await clock.pause(for: rest) } catch { return }
    }
    await tellLock(send)
  }

  private func tellLock(_ send: Send) async {
    await answer(send) { () async throws(AuthenticatorError) in
      .lockState(
        try await self.authenticator.lockState(), offersBiometrics: try await self.authenticator.offersBiometrics(),
        hasBiometrics: self.authenticator.hasBiometrics())
    } or: {
      [.failed($0)]
    }
  }

  /// What opened the app may confirm what it was opened for. An app that was locked while the user was asked stays
  /// locked.
  private func unlock(_ presence: Presence) async throws(AuthenticatorError) -> LockOutcome {
    let locksBefore = locks
    let outcome: LockOutcome
    switch presence {
    case .passcode(let passcode): outcome = try await authenticator.unlock(with: .passcode(passcode.digits))
    case .biometrics: outcome = try await authenticator.unlock(with: .biometrics)
    case .opening:
      guard let opening else { throw AuthenticatorError(.outOfOrder, .userPresenceMissing) }
      self.opening = nil
      return .passed(opening)
    }
    guard case .passed(let proof) = outcome else { return outcome }
    guard locks == locksBefore else {
      await authenticator.lock()
      throw AuthenticatorError(.outOfOrder, .appLocked)
    }
    opening = proof
    return outcome
  }

  // MARK: Authorizations

  private func deciding(_ effect: AuthenticatorEffect, _ send: Send) async {
    switch effect {
    case .watchList:
      do throws(AuthenticatorError) {
        var updates = authenticator.authorizationUpdates.makeAsyncIterator()
        while let snapshot = try await updates.next(isolation: self) {
          await send(.list(.listed(snapshot.authorizations, failures: snapshot.failures)))
        }
      } catch { await send(.list(.failed(error))) }
    case .watch(let id):
      do throws(AuthenticatorError) {
        var updates = authenticator.updates(of: id).makeAsyncIterator()
        while let authorization = try await updates.next(isolation: self) {
          await send(.authorization(.shown(authorization)))
        }
      } catch { await send(.authorization(.failed(id, error))) }
    case .open(let push):
      await answer(send) { () async throws(AuthenticatorError) in
        .authorization(.shown(try await self.authenticator.authorization(for: push)))
      } or: {
        [.authorization(.failed(nil, $0))]
      }
    case .confirm(let authorization, let presence): await confirm(authorization, presence, send)
    case .deny(let authorization):
      await answer(send) { () async throws(AuthenticatorError) in
        .authorization(.shown(try await self.authenticator.deny(authorization)))
      } or: {
        [.authorization(.failed(authorization.id, $0))]
      }
    default: break
    }
  }

  private func confirm(_ authorization: Authorization, _ presence: Presence, _ send: Send) async {
    await answer(send) { () async throws(AuthenticatorError) in
      let outcome = try await self.unlock(presence)
      guard case .passed(let proof) = outcome else { return .authorization(.presence(.outcome(outcome))) }
      self.spend(proof)
      return .authorization(.shown(try await self.authenticator.confirm(authorization, by: proof)))
    } or: {
      [.authorization(.failed(authorization.id, $0))]
    }
  }

  private func spend(_ proof: UserPresence) { if opening == proof { opening = nil } }

  /// Sends what a call answered, or what its failure means.
  func answer(
    _ send: Send, _ call: () async throws(AuthenticatorError) -> AuthenticatorEvent,
    or failed: (AuthenticatorError) -> [AuthenticatorEvent]
  ) async {
    do throws(AuthenticatorError) { await send(try await call()) } catch {
      for event in failed(error) { await send(event) }
    }
  }
}

/// What the screens need of the device beside the authenticator's own ports.
public struct AuthenticatorPorts: Sendable {
  /// Keeps the language that the user chose; services are asked in it from the next start on.
  public var keepLanguage: @Sendable (ScreenLanguage) async -> Void
  /// Goes where the user came from: opens the address, or, without one, lets the system bring the last app back. A
  /// program of a terminal ends.
  public var leave: @Sendable (URL?) async -> Void
  /// How long a decision is shown before its screen closes (specification §10.6).
  public var finalsShown = Duration.seconds(4)

  /// Creates the value from its members.
  public init(
    keepLanguage: @escaping @Sendable (ScreenLanguage) async -> Void, leave: @escaping @Sendable (URL?) async -> Void
  ) {
    (self.keepLanguage, self.leave) = (keepLanguage, leave)
  }
}
