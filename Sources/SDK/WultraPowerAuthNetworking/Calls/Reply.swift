// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// What came back.
struct Reply: Sendable {
  /// Everything but the body.
  let head: WPNError.Answer
  /// The body in the clear; nil when it could not be decrypted.
  let body: Data?

  /// Reads an answer to an encrypted request:
  /// 1. A refusal is in the clear: the server may not even have been able to decrypt (wultra-onboarding.md §1).
  /// 2. Good news counts only when it is encrypted.
  static func open(_ body: Data, with encryptor: PowerAuthCoreEciesEncryptor) -> (plain: Data?, wasEncrypted: Bool) {
    if let envelope = try? WPNJSON.decode(WPNResponseBase.self, from: body) {
      return (envelope.status == .Error ? body : nil, false)
    }
    guard let response = try? WPNJSON.decode(ECIESResponse.self, from: body) else { return (nil, false) }
    let cryptogram = PowerAuthCoreEciesCryptogram()
    cryptogram.body = response.encryptedData
    cryptogram.mac = response.mac
    cryptogram.nonce = response.nonce
    cryptogram.timestamp = response.timestamp ?? 0
    return (encryptor.decryptResponse(cryptogram), true)
  }

  /// The result, if the server did as it was asked:
  /// 1. What does not make sense is `network_invalidResponseObject` with status 200, else `network_errorStatusCode`.
  /// 2. A refusal that says why is `network_generic`, with what the server said.
  /// - Parameter decoder: the service's, or the app's.
  func read<Response: WPNResponseBase>(
    as type: Response.Type, by decoder: JSONDecoder
  ) throws(WPNError) -> Response {
    do throws(WPNError) { return try understood(as: type, by: decoder) } catch {
      WPNLogger.log(error)
      throw error
    }
  }

  private func understood<Response: WPNResponseBase>(
    as type: Response.Type, by decoder: JSONDecoder
  ) throws(WPNError) -> Response {
    let isSuccess = (200..<300).contains(head.status)
    guard let body else { throw unreadable(nil) }
    let response: Response
    do { response = try decoder.decode(type, from: body) } catch { throw unreadable(error) }
    if response.status == .Error {
      throw WPNError(
        reason: .network_generic, error: nil, restApiError: response.responseError, answer: head)
    }
    guard isSuccess else { throw WPNError(reason: .network_errorStatusCode, answer: head) }
    return response
  }

  private func unreadable(_ error: (any Error)?) -> WPNError {
    WPNError(
      reason: head.status == 200 ? .network_invalidResponseObject : .network_errorStatusCode, error: error,
      answer: head)
  }
}
