// SPDX-License-Identifier: Apache-2.0

import Kit
import SaltEdgeWire

extension Problem {
  /// A refusal of the Authenticator's wire (saltedge-authenticator §6).
  static func saltEdge(_ errorClass: SaltEdge.ErrorClass) -> Problem {
    let (category, detail): (Category, String) =
      switch errorClass {
      case .accessTokenMissing: (.badRequest, "Access Token is missing.")
      case .signatureMissing: (.badRequest, "Signature is missing.")
      case .signatureExpired: (.badRequest, "Expired Signature.")
      case .invalidSignature: (.badRequest, "Invalid Signature.")
      case .connectionNotFound: (.unauthenticated, "Authenticator Connection Not Found.")
      case .connectionRevoked: (.unauthenticated, "Authenticator Connection Is Revoked.")
      case .userNotFound: (.unauthenticated, "User Not Found.")
      case .authorizationNotFound: (.notFound, "Authorization Not Found.")
      case .actionNotFound: (.notFound, "Action Not Found.")
      case .consentNotFound: (.notFound, "Consent Not Found.")
      case .actionExpired: (.badRequest, "Action is expired and cannot be done.")
      case .actionClosed: (.badRequest, "Action is closed and cannot be done.")
      case .tooManyRequests: (.rateLimited, "Too many requests; try again later.")
      default: (.badRequest, "Wrong Request Format.")
      }
    return Problem(category, errorClass.rawValue, detail)
  }

  /// What a bank is told of a connection that is not there, or not any more: 401 would say that the bank itself is not
  /// known (§6).
  static let noSuchConnection = Problem(
    .notFound, SaltEdge.ErrorClass.connectionNotFound.rawValue, "Connection Not Found.")

  /// Without the reason, which would quote the caller's bytes.
  static let wrongFormat = saltEdge(.wrongRequestFormat)
}
