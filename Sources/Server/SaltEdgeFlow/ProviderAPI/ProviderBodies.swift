// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeWire

// What a bank sends to the provider API, and what it gets. Members are in snake case and read strictly.

struct AuthorizationRequest: Decodable, Sendable {
  struct Payment: Decodable, Sendable {
    let payee: String
    let amount: String
    let currency: String
    let account: String?
    let reference: String?
    let date: String?
  }

  struct Origin: Decodable, Sendable {
    let device: String?
    let location: String?
    let ip: String?
  }

  let reference: String
  /// Absent: the user who scans its QR code.
  let user_id: String?
  let title: String
  let text: String?
  let payment: Payment?
  let origin: Origin?
  let expires_in_seconds: Int?
  /// Absent: it does. False is for signing in with a device, where picking up is all it takes.
  let needs_confirmation: Bool?
}

struct OperationView: Codable, Sendable {
  let id: String
  let reference: String
  let state: String
  let user_id: String?
  let title: String
  let amount: String?
  let currency: String?
  let payee: String?
  let created_at: String
  let expires_at: String
  let ended_at: String?
  let connection_id: String?
  let authorization_type: String?

  init(_ operation: Operation) {
    (id, reference, state) = (operation.id.rawValue, operation.reference, operation.state.rawValue)
    (user_id, title) = (operation.content.user, operation.content.title)
    (amount, currency) = (operation.content.payment?.amount, operation.content.payment?.currency)
    payee = operation.content.payment?.payee
    (created_at, expires_at) = (operation.createdAt.rfc3339, operation.expiresAt.rfc3339)
    ended_at = operation.endedAt?.rfc3339
    connection_id = operation.evidence?.connection ?? operation.content.pickedUpOn
    authorization_type = operation.evidence?.authorizationType
  }
}

/// An answer that names a customer and what they are asked. It is kept, for repetitions, under the customer's key.
protocol UserAnswer {
  /// As the bank names them.
  var user: String? { get }
}

extension OperationView: UserAnswer {
  var user: String? { user_id }
}

extension OpenedView: UserAnswer {
  var user: String? { authorization.user_id }
}

struct OpenedView: Codable, Sendable {
  let authorization: OperationView
  /// On how many devices it is shown.
  let devices: Int
  /// To be shown as QR codes, when it waits to be picked up.
  let link_v1: String?
  let link_v2: String?
}

struct EvidenceView: Codable, Sendable {
  let authorization: OperationView
  /// What the code binds, by name.
  let attributes: [String: String]
  let salt: Data
  let authorization_code: String
  let connection_id: String
  let api_version: Int
  let decided_at: String
  /// The very text that the device decrypted.
  let shown: String
  /// Base64.
  let signed: Data
  let signature: String
  let public_key: String
  let authorization_type: String?
  let geolocation: String?
  /// In v2 what was signed is encrypted for the bank: this is the text that its key opens it to, the code among it. The
  /// signature does not say whether it confirms or denies: that is the service's word.
  let confirmation: String?
}

struct ConnectLinkRequest: Decodable, Sendable {
  let user_id: String
  /// 1 or 2; absent is 2.
  let api_version: Int?
  /// Whether the bank names to its customer what is being connected before the device gets its token; absent: it gets
  /// it at once.
  let needs_approval: Bool?
}

struct LinkReference: Decodable, Sendable {
  let connect_query: String
}

/// A link that needs approval.
struct LinkView: Codable, Sendable {
  /// `offered` while no device came with it, `asked`, `approved` or `refused`.
  let state: String
  let connection: ConnectionView?
  /// Where the token goes.
  let return_url: String?

  init(_ grant: ConnectLinkGrant, _ connection: SaltEdgeConnection?) {
    state =
      switch connection?.state {
      case nil: "offered"
      case .authenticating: grant.isApproved ? "approved" : "asked"
      case .valid: "approved"
      case .failed, .revoked: "refused"
      }
    self.connection = connection.map { ConnectionView($0) }
    return_url = connection?.returnURL
  }
}

struct ConnectLinkView: Codable, Sendable {
  let link: String
  let connect_query: String
  let expires_at: String
}

struct UserRequest: Decodable, Sendable {
  let user_id: String
}

struct SessionRequest: Decodable, Sendable {
  let session: String
  let user_id: String
}

struct SessionReference: Decodable, Sendable {
  let session: String
}

struct RedirectView: Codable, Sendable {
  let redirect_url: String
}

struct ConnectionView: Codable, Sendable {
  let id: String
  let api_version: Int
  let state: String
  let platform: String
  let created_at: String
  let token_expires_at: String?
}

/// A device that waits for its customer to sign in on the bank's page.
struct SessionView: Codable, Sendable {
  let connection: ConnectionView
  /// Where the token goes.
  let return_url: String
  let expires_at: String
}

struct ConnectionListView: Codable, Sendable {
  let connections: [ConnectionView]
}

struct ConsentRequest: Decodable, Sendable {
  struct Account: Decodable, Sendable {
    let name: String
    let account_number: String?
    let sort_code: String?
    let iban: String?
  }

  struct SharedData: Decodable, Sendable {
    let balance: Bool?
    let transactions: Bool?
  }

  let reference: String
  let user_id: String
  let consent_type: String
  let tpp_name: String
  let accounts: [Account]
  let shared_data: SharedData?
  let expires_at: String
}

struct ConsentView: Codable, Sendable {
  let reference: String
  /// open or revoked.
  let state: String
  let devices: Int
}

/// Of a webhook: a device that its customer took out, or whose access expired.
struct RevokedConnectionView: Codable, Sendable {
  let connection: ConnectionView
  let user_id: String?
}

/// Of a webhook: a consent that its customer took back.
struct RevokedConsentView: Codable, Sendable {
  let consent: ConsentView
  let user_id: String?
}

struct ProviderView: Codable, Sendable {
  let id: String
  let code: String
  let name: String
  let kind: String
  let public_key: String
  let service_public_key: String
  /// Of the key that is going to follow; absent when none is prepared.
  let next_service_public_key: String?
  let configuration_url_v1: String?
  let configuration_url_v2: String
}
