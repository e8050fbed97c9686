// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire
internal import OneAssistCore
internal import OneAssistWire

/// Which exchange with the server it was, and what its failures are called (specification §2.3).
enum CallStep: Sendable, CaseIterable {
  case orderInfo, documents, details, link, upload, recognition, screenKey, screenEvent

  /// When the server does not say why.
  var failure: OAError {
    switch self {
    case .orderInfo: .ERROR_GET_MEMBERSHIP_DETAILS
    case .documents: .ERROR_GET_REQ_DOC_DETAILS
    case .details: .ERROR_UPDATE_USER_DETAILS
    case .link: .ERROR_SEND_UPLOAD_LINK
    case .recognition: .ERROR_UNABLE_TO_DO_OCR
    case .upload, .screenKey, .screenEvent: .ERROR_UNKNOW
    }
  }

  /// Words by which servers say that a token is over (rule 5).
  private static let sessionOver: Set<String> = [
    "AUTH_005", "AUTH_006", "GATEWAY_003", "WS.POST.LOGIN.INVALID.SESSION",
  ]
  private static let unauthorized = 401

  /// What an answer brings.
  ///
  /// 1. A session that is over, by status or by code, is AUTH_005 (rule 5 of §2.3).
  /// 2. A status that changed meanwhile is the error of that status (§4.4).
  /// 3. A code that is the step's own is the step's error. A message with another code of the server's is both; without
  ///    one it has the code of the step (rules 2 and 3).
  /// 4. A failure that says nothing, and an answer that cannot be read, is the step's own error (rule 4).
  func read<Answer: Codable & Sendable & Equatable>(
    _ response: TransportResponse, as _: Answer.Type
  ) throws(CallFailure) -> Answer {
    let envelope = try? WireJSON.decode(OneAssist.Envelope<Answer>.self, from: response.body)
    let first = envelope?.errors.first
    let code = first?.errorCode?.strippedOrNil
    if response.status == Self.unauthorized || Self.sessionOver.contains(code ?? "") {
      throw CallFailure(error: .sessionOver)
    }
    if response.isSuccess, envelope?.isSuccess == true, let data = envelope?.data { return data }
    let taskStatus = envelope?.extra?.taskInfo?.status
    if code == "MEMBERSHIP_STATUS_CHANGED", let status = taskStatus.flatMap(MembershipStatus.init(rawValue:)),
      let error = OAError(refusedBy: status)
    {
      throw CallFailure(error: error, status: taskStatus)
    }
    // The server's word for it is the step's own, such as 3001 for an activation code that it does not know.
    if let code, code == failure.errorCode { throw CallFailure(error: failure, status: taskStatus) }
    if let message = first?.message?.strippedOrNil {
      throw CallFailure(error: .ERROR_API(code: code ?? failure.errorCode, description: message), status: taskStatus)
    }
    if let envelope, envelope.status?.lowercased() == "failure", let message = envelope.message?.strippedOrNil {
      throw CallFailure(error: .ERROR_API(code: failure.errorCode, description: message), status: taskStatus)
    }
    throw CallFailure(error: failure, status: taskStatus)
  }

  /// No answer came (rule 1).
  func failure(_ error: TransportError) -> CallFailure {
    guard error.code != .cancelled else { return CallFailure(error: .ERROR_UNABLE_TO_PROCESS_DESC) }
    return CallFailure(error: .sdk(failure.errorCode, text: error.textName))
  }
}

/// Why an exchange with the server did not bring what it was for.
struct CallFailure: Error, Equatable {
  let error: OAError
  /// Where the membership stands, if the server said so.
  var status: String?
}

extension TransportError {
  /// The name of its text in `OAErrorTexts`.
  fileprivate var textName: String {
    switch code {
    case .offline: "offline"
    case .timedOut: "timed-out"
    case .unreachable: "unreachable"
    case .connectionLost: "connection-lost"
    case .insecure, .clearText: "insecure"
    default: "unusable"
    }
  }
}
