// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import PowerAuth2
public import PowerAuthCore

/// The published calls. Each reports once, also when its operation is cancelled; then with reason `canceled`.
extension WPNNetworkingService {
  /// Posts without a proof.
  /// - Parameters:
  ///   - headers: go before those of the service.
  ///   - encryptor: encrypts the request; for this one only.
  ///   - timeoutInterval: seconds; nil for the configuration's.
  ///   - progressCallback: gets growing fractions of the bytes that have left, on any thread.
  ///   - completionQueue: where the completion is called.
  /// - Returns: the call under way, to be cancelled or watched.
  @preconcurrency @discardableResult
  public func post<Request, Response>(
    data: Request, to endpoint: WPNEndpointBasic<Request, Response>, with headers: [String: String]? = nil,
    encryptedWith encryptor: PowerAuthCoreEciesEncryptor? = nil, timeoutInterval: TimeInterval? = nil,
    progressCallback: (@Sendable (Double) -> Void)? = nil, completionQueue: DispatchQueue = .main,
    completion: @escaping @Sendable (Response?, WPNError?) -> Void
  ) -> Operation {
    start(
      data, endpoint, .none, headers, encryptor, timeoutInterval, progressCallback, completionQueue, completion)
  }

  /// Posts with a signature.
  @preconcurrency @discardableResult
  public func post<Request, Response>(
    data: Request, signedWith authentication: PowerAuthAuthentication,
    to endpoint: WPNEndpointSigned<Request, Response>, with headers: [String: String]? = nil,
    encryptedWith encryptor: PowerAuthCoreEciesEncryptor? = nil, timeoutInterval: TimeInterval? = nil,
    progressCallback: (@Sendable (Double) -> Void)? = nil, completionQueue: DispatchQueue = .main,
    completion: @escaping @Sendable (Response?, WPNError?) -> Void
  ) -> Operation {
    start(
      data, endpoint, .signature(authentication, uriId: endpoint.uriId), headers, encryptor, timeoutInterval,
      progressCallback, completionQueue, completion)
  }

  /// Posts with a token, which is made with these factors if it is not there.
  @preconcurrency @discardableResult
  public func post<Request, Response>(
    data: Request, signedWith authentication: PowerAuthAuthentication,
    to endpoint: WPNEndpointSignedWithToken<Request, Response>, with headers: [String: String]? = nil,
    encryptedWith encryptor: PowerAuthCoreEciesEncryptor? = nil, timeoutInterval: TimeInterval? = nil,
    progressCallback: (@Sendable (Double) -> Void)? = nil, completionQueue: DispatchQueue = .main,
    completion: @escaping @Sendable (Response?, WPNError?) -> Void
  ) -> Operation {
    start(
      data, endpoint, .token(authentication, name: endpoint.tokenName), headers, encryptor, timeoutInterval,
      progressCallback, completionQueue, completion)
  }

  private func start<Endpoint: WPNEndpoint>(
    _ data: Endpoint.RequestData, _ endpoint: Endpoint, _ proof: Call.Proof, _ headers: [String: String]?,
    _ encryptor: PowerAuthCoreEciesEncryptor?, _ timeout: TimeInterval?, _ progress: (@Sendable (Double) -> Void)?,
    _ queue: DispatchQueue, _ completion: @escaping Endpoint.Completion
  ) -> Operation {
    let call: Call
    do throws(WPNError) {
      call = try Call(data, endpoint, proof, headers, encryptor, timeout, progress, by: jsonEncoder)
    } catch {
      let failure = error
      queue.async { completion(nil, failure) }
      return Operation()
    }
    let decoder = jsonDecoder
    return line(call) { outcome in
      queue.async {
        do throws(WPNError) {
          completion(try outcome.get().read(as: Endpoint.ResponseData.self, by: decoder), nil)
        } catch {
          completion(nil, error)
        }
      }
    }
  }
}

extension Call {
  init<Endpoint: WPNEndpoint>(
    _ data: Endpoint.RequestData, _ endpoint: Endpoint, _ proof: Proof, _ headers: [String: String]?,
    _ encryptor: PowerAuthCoreEciesEncryptor?, _ timeout: TimeInterval?, _ progress: (@Sendable (Double) -> Void)?,
    by encoder: JSONEncoder
  ) throws(WPNError) {
    let body: Data
    do { body = try encoder.encode(data) } catch {
      let failure = WPNError(reason: .network_invalidRequestObject, error: error)
      WPNLogger.log(failure)
      throw failure
    }
    self.init(
      path: endpoint.endpointURLPath, proof: proof, body: body, headers: headers ?? [:], encryptor: encryptor,
      e2ee: endpoint.e2ee, timeout: timeout, progress: progress)
  }
}
