// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseWire
internal import SaltEdgeCore

/// A connection in the making.
struct Enrolment: Sendable {
  let guid: String
  let createdAt: WireInstant
  let configurationURL: URL
  let connectQuery: String?
  let baseURL: URL?
  /// Of the connection that is made again.
  let name: String?
}

extension Authenticator {
  private static let tokenBytesMax = 4096

  func enrol(_ enrolment: Enrolment, apiVersion: Int) async throws(AuthenticatorError) -> Connection {
    let wipesBefore = wipes
    let bank = try await describe(enrolment.configurationURL, apiVersion: apiVersion)
    let key: RSAPrivateKey
    do throws(SaltEdgeError) { key = try setup.makeKey() } catch { throw AuthenticatorError(.notSent, .apiRequest) }
    let pushToken = try records.load().pushToken
    let (id, answer) = try await ask(enrolment, bank, key: key, pushToken: pushToken)
    let step = try await finish(answer)
    guard case .signedIn(let token, let redirectID) = step else {
      guard case .refused(let errorClass, let message) = step else {
        throw AuthenticatorError(.authentication, .authentication)
      }
      throw EnrolmentStep.error(errorClass: errorClass, message: message)
    }
    let accessToken = try read(token, bank, key)
    // The app may have been locked while the user signed in: what the bank has said yes to is kept all the same, but
    // not when everything was erased meanwhile.
    guard wipes == wipesBefore else { throw AuthenticatorError(.outOfOrder, .appLocked) }
    return try keep(
      enrolment, bank, key: key, id: redirectID ?? id, accessToken: accessToken, pushToken: pushToken)
  }

  private func describe(_ url: URL, apiVersion: Int) async throws(AuthenticatorError) -> BankDescription {
    let bank =
      apiVersion == 2
      ? BankDescription(try await client.send(SaltEdgeV2Calls.configuration(at: url, language: setup.language)))
      : BankDescription(try await client.send(SaltEdgeV1Calls.configuration(at: url, language: setup.language)))
    guard let bank else {
      throw AuthenticatorError(.unreadable(status: 200), .apiResponse, message: "Invalid response")
    }
    return bank
  }

  private func ask(
    _ enrolment: Enrolment, _ bank: BankDescription, key: RSAPrivateKey, pushToken: String?
  ) async throws(AuthenticatorError) -> (id: String, step: EnrolmentStep) {
    let base = enrolment.baseURL ?? bank.connectURL
    // A query is good for once, and a connection without a sign-in lapses.
    let repetition: Repetition = enrolment.connectQuery == nil ? .whereDoneTwiceIsOnce : .whereNothingWasDone
    let delays = setup.policy.repeatDelays
    let (id, step): (String, EnrolmentStep?)
    if let providerKey = bank.providerKey {
      let answer = try await client.send(
        SaltEdgeV2Calls.connect(
          .init(
            providerID: .init(bank.code), returnURL: setup.returnURL, platform: setup.device.platform,
            pushToken: pushToken, connectQuery: enrolment.connectQuery,
            encryptedPublicKey: .init(
              encrypting: Data(key.publicKey.pem.utf8), for: providerKey, randomness: randomness)),
          at: base, language: setup.language), repeating: repetition, after: delays)
      (id, step) = (answer.connectionID.text, EnrolmentStep(answer, returnURL: setup.returnURL))
    } else {
      let answer = try await client.send(
        SaltEdgeV1Calls.connect(
          .init(
            publicKey: key.publicKey.pem, returnURL: setup.returnURL, platform: setup.device.platform,
            // Some services want the member, whatever is in it.
            pushToken: pushToken ?? "", providerCode: bank.code, connectQuery: enrolment.connectQuery),
          at: base, language: setup.language), repeating: repetition, after: delays)
      (id, step) = (answer.id.text, EnrolmentStep(answer, returnURL: setup.returnURL))
    }
    guard let step, !id.isEmpty else {
      throw AuthenticatorError(.unreadable(status: 200), .apiResponse, message: "Invalid response")
    }
    return (id, step)
  }

  /// Shows the page when there is one.
  private func finish(_ step: EnrolmentStep) async throws(AuthenticatorError) -> EnrolmentStep {
    guard case .page(let url) = step else { return step }
    guard let end = await setup.signInPage.show(SignInRequest(url: url, returnURL: setup.returnURL)) else {
      throw AuthenticatorError(.abandoned, .authentication)
    }
    return EnrolmentStep(end: end, returnURL: setup.returnURL) ?? .refused(errorClass: nil, message: nil)
  }

  /// The token as it is sent. In v2 it is encrypted for the key that was just drawn: one that is not is refused, and no
  /// connection kept (§5.3).
  private func read(
    _ token: String, _ bank: BankDescription, _ key: RSAPrivateKey
  ) throws(AuthenticatorError) -> String {
    let plain = bank.providerKey == nil ? token : try? EncryptedAccessToken.decrypt(token, with: key)
    guard let plain, !plain.isEmpty, plain.utf8.count <= Self.tokenBytesMax,
      plain.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { throw AuthenticatorError(.authentication, .invalidAccessToken) }
    return plain
  }

  /// The record first, not active yet: whatever happens between the steps, no key lies there that no record tells of.
  private func keep(
    _ enrolment: Enrolment, _ bank: BankDescription, key: RSAPrivateKey, id: String, accessToken: String,
    pushToken: String?
  ) throws(AuthenticatorError) -> Connection {
    let list = try records.load()
    var connection = Connection(
      id: id, guid: enrolment.guid, name: enrolment.name ?? list.freeName(bank.name, except: enrolment.guid),
      code: bank.code, connectURL: bank.connectURL, logoURL: bank.logoURL, accessToken: accessToken, status: .inactive,
      createdAt: enrolment.createdAt, updatedAt: now, connectedAt: now, apiVersion: bank.apiVersion,
      providerID: bank.apiVersion == 2 ? bank.code : nil, supportEmail: bank.supportEmail,
      managesConsents: bank.managesConsents, requiresGeolocation: bank.requiresGeolocation,
      configurationURL: enrolment.configurationURL, baseURL: enrolment.baseURL, pushToken: pushToken)
    try records.change { [connection] in $0[connection.guid] = connection }
    try keys.keep(key, as: KeyTag.pair(enrolment.guid))
    if let providerKey = bank.providerKey { try keys.keep(providerKey, as: KeyTag.provider(enrolment.guid)) }
    connection.status = .active
    try records.change { [connection] in $0[connection.guid] = connection }
    return connection
  }
}
