// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import PowerAuthCore

/// Proofs of the user's factors over something (powerauth.md §5).
extension PowerAuthSDK {
  /// The header that signs a request. It may ask the user for biometry: not to be called on the main thread then.
  /// - Parameters:
  ///   - method: of HTTP.
  ///   - uriId: what the server calls the resource; not necessarily its path.
  ///   - body: byte for byte as it is sent; in the clear, if the request is encrypted.
  /// - Throws: `missingActivation`, `activationPending`, `wrongParameter`, and the biometry codes.
  public func requestSignature(
    with authentication: PowerAuthAuthentication, method: String, uriId: String, body: Data?
  ) throws -> PowerAuthAuthorizationHttpHeader {
    try access.now { client in
      try client.signRequest(authentication, method: method, uriId: uriId, body: body ?? Data())
    }
  }

  /// The header that signs a `GET` with its query.
  public func requestGetSignature(
    with authentication: PowerAuthAuthentication, uriId: String, params: [String: String]?
  ) throws -> PowerAuthAuthorizationHttpHeader {
    let query = CanonicalQuery.body(of: (params ?? [:]).map { ($0.key, $0.value) })
    return try requestSignature(with: authentication, method: "GET", uriId: uriId, body: query)
  }

  /// A signature in digits for the user to type elsewhere, such as for a payment scanned off a screen.
  /// - Parameter nonce: Base64 of 16 bytes, out of what was scanned.
  public func offlineSignature(
    with authentication: PowerAuthAuthentication, uriId: String, body: Data?, nonce: String
  ) throws -> String {
    try access.now { client in
      try client.signOffline(authentication, uriId: uriId, body: body ?? Data(), nonce: nonce)
    }
  }

  /// Whether a server made this signature of the data.
  /// - Parameters:
  ///   - signature: Base64 of DER.
  ///   - masterKey: with the key of the whole application; otherwise with that of the activation.
  public func verifyServerSignedData(_ data: Data, signature: String, masterKey: Bool) -> Bool {
    guard let client = access.client, let signature = Data(base64Encoded: signature),
      let key = masterKey ? client.setup.application.masterPublicKey : client.session.activation?.serverPublicKey
    else { return false }
    return key.isValidSignature(signature, for: data)
  }

  /// Lines up an operation that makes signed requests, behind those of this SDK: requests then reach the server in the
  /// order of their counters.
  /// - Returns: false without an activation; the operation is not run then.
  public func executeOperation(onSerialQueue operation: Operation) -> Bool {
    guard let client = access.client, client.session.activation != nil else { return false }
    client.queue.add(operation)
    return true
  }

  /// Lines up work that makes signed requests. Its turn lasts until it cancels the task that it is given.
  /// - Returns: nil without an activation; the work is not done then.
  @discardableResult
  public func executeBlock(
    onSerialQueue work: @escaping @Sendable (any PowerAuthOperationTask) -> Void
  ) -> (any PowerAuthOperationTask)? {
    guard let client = access.client, client.session.activation != nil else { return nil }
    return client.queue.add(work)
  }
}
