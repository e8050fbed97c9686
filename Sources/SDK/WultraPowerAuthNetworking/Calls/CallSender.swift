// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuth2
internal import PowerAuthCore

/// Sends calls: proves, encrypts, and reads what comes back (wultra-onboarding.md §1).
struct CallSender: Sendable {
  let powerAuth: PowerAuthSDK
  let config: WPNConfig
  let transport: HTTPTransport
  let acceptLanguage: String
  let delegate: (any WPNResponseDelegate)?

  /// 1. The server's time is made known: encryption and tokens carry it.
  /// 2. The body is proved in the clear, then encrypted.
  /// 3. A signature says whose request it is, so that the encryption need not; any other proof does not.
  func send(_ call: Call) async throws(WPNError) -> Reply {
    guard let url = config.url(of: call.path) else { throw WPNError(reason: .network_invalidRequestObject) }
    try await synchronizeTime()
    // Before the proof: a signature that is not sent would use up a value of the counter.
    let encryptor = try await encryptor(for: call)
    var headers = standardHeaders
    if let proof = try await proof(of: call) { headers[proof.key] = proof.value }
    var body = call.body
    if let encryptor {
      body = try await seal(body, with: encryptor)
      if !call.isSigned, let data = encryptor.associatedMetaData { headers[data.httpHeaderKey] = data.httpHeaderValue }
    }
    for (name, value) in call.headers { headers[name] = value }
    let request = TransportRequest(
      method: "POST", url: url, headers: headers, body: body, deadline: deadline(of: call))
    let response: TransportResponse
    do throws(TransportError) {
      response = try await transport.send(request, progress: call.progress.map(risingProgress))
    } catch {
      throw WPNError(transport: error)
    }
    return reply(response, from: url, openedBy: encryptor)
  }

  /// Gets an answer that goes on, in the open and without a body.
  /// - Returns: nil on a network that takes answers whole only.
  func open(_ call: Call) async throws(WPNError) -> TransportStream? {
    guard let url = config.url(of: call.path) else { throw WPNError(reason: .network_invalidRequestObject) }
    try await synchronizeTime()
    var headers = standardHeaders
    headers["Content-Type"] = nil
    if let proof = try await proof(of: call) { headers[proof.key] = proof.value }
    for (name, value) in call.headers { headers[name] = value }
    do throws(TransportError) {
      return try await transport.open(
        TransportRequest(method: "GET", url: url, headers: headers, deadline: deadline(of: call)))
    } catch {
      if error.code == .unsupported { return nil }
      throw WPNError(transport: error)
    }
  }

  private func deadline(of call: Call) -> Duration {
    let seconds = call.timeout ?? config.timeoutIntervalForRequest
    // `max` gives its first argument when it cannot compare, as with what is no number.
    return .milliseconds(Int64(min(max(0.001, seconds), 3600) * 1000))
  }

  private var standardHeaders: TransportHeaders {
    var headers: TransportHeaders = [
      "Accept": "application/json", "Content-Type": "application/json", "Accept-Language": acceptLanguage,
    ]
    headers["User-Agent"] = config.userAgent.value
    return headers
  }

  private func synchronizeTime() async throws(WPNError) {
    let service = powerAuth.timeSynchronizationService
    guard !service.isTimeSynchronized else { return }
    do { try await service.synchronizeTime() } catch {
      throw WPNError.powerAuth(error)
    }
  }

  private func proof(of call: Call) async throws(WPNError) -> PowerAuthAuthorizationHttpHeader? {
    do {
      switch call.proof {
      case .none: return nil
      case .signature(let factors, let uriId):
        return try await powerAuth.signature(factors, uriId: uriId, body: call.body)
      case .token(let factors, let name):
        _ = try await powerAuth.tokenStore.requestAccessToken(withName: name, authentication: factors)
        return try await powerAuth.tokenStore.generateAuthorizationHeader(withName: name)
      }
    } catch {
      throw WPNError.powerAuth(error, otherwise: .network_signError)
    }
  }

  /// The call's own, or one of the scope that its endpoint names.
  private func encryptor(for call: Call) async throws(WPNError) -> PowerAuthCoreEciesEncryptor? {
    // This networking sends every member of the configured version.
    if let given = call.encryptor { return given.configured ?? given }
    do {
      switch call.e2ee {
      case .notEncrypted: return nil
      case .applicationScope: return try await powerAuth.eciesEncryptorForApplicationScope()
      case .activationScope: return try await powerAuth.eciesEncryptorForActivationScope()
      }
    } catch {
      throw WPNError.powerAuth(error)
    }
  }

  /// Encrypts; an encryptor without a key at hand gets one first.
  private func seal(
    _ body: Data, with encryptor: PowerAuthCoreEciesEncryptor
  ) async throws(WPNError) -> Data {
    var cryptogram = encryptor.encryptRequest(body)
    if cryptogram == nil {
      do {
        if encryptor.associatedMetaData?.activationIdentifier == nil {
          _ = try await powerAuth.eciesEncryptorForApplicationScope()
        } else {
          _ = try await powerAuth.eciesEncryptorForActivationScope()
        }
      } catch {
        throw WPNError.powerAuth(error)
      }
      cryptogram = encryptor.encryptRequest(body)
    }
    guard let cryptogram, let key = cryptogram.key, let encrypted = cryptogram.body, let mac = cryptogram.mac else {
      throw WPNError(reason: .network_invalidRequestObject)
    }
    let request = ECIESRequest(
      temporaryKeyIdentifier: cryptogram.temporaryKeyId, ephemeralPublicKey: key, encryptedData: encrypted, mac: mac,
      nonce: cryptogram.nonce, timestamp: cryptogram.timestamp == 0 ? nil : cryptogram.timestamp)
    do { return try WPNJSON.encode(request) } catch {
      throw WPNError(reason: .network_invalidRequestObject, error: error)
    }
  }

  private func reply(
    _ response: TransportResponse, from url: URL, openedBy encryptor: PowerAuthCoreEciesEncryptor?
  ) -> Reply {
    let head = WPNError.Answer(
      url: url, status: response.status,
      headers: Dictionary(response.headers.all.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
    guard let encryptor else {
      delegate?.responseReceived(from: url, statusCode: response.status, body: response.body)
      return Reply(head: head, body: response.body)
    }
    let (plain, wasEncrypted) = Reply.open(response.body, with: encryptor)
    if wasEncrypted, let plain {
      delegate?.encryptedResponseReceived(
        from: url, statusCode: response.status, body: response.body, decrypted: plain)
    } else {
      delegate?.responseReceived(from: url, statusCode: response.status, body: response.body)
    }
    return Reply(head: head, body: plain)
  }
}

extension PowerAuthSDK {
  /// A signature, which may show a dialog: not on a thread that Swift's tasks run on then.
  fileprivate func signature(
    _ factors: PowerAuthAuthentication, uriId: String, body: Data
  ) async throws -> PowerAuthAuthorizationHttpHeader {
    guard factors.useBiometry else {
      return try requestSignature(with: factors, method: "POST", uriId: uriId, body: body)
    }
    return try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .userInitiated).async {
        continuation.resume(
          with: Result { try self.requestSignature(with: factors, method: "POST", uriId: uriId, body: body) })
      }
    }
  }
}
