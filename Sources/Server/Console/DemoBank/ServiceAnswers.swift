// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the provider API is sent and answers, as far as the demonstration bank has a use for it.
enum ServiceAnswers {
  struct Provider: Decodable, Sendable {
    let configuration_url_v1: String?
    let configuration_url_v2: String
  }

  struct LinkRequest: Encodable, Sendable {
    let user_id: String
    let api_version: Int
  }

  struct Link: Decodable, Sendable {
    let link: String
    let expires_at: String
  }

  struct SessionRequest: Encodable, Sendable {
    let session: String
    let user_id: String?
  }

  struct Session: Decodable, Sendable {
    let connection: Device
    let return_url: String
  }

  struct Redirect: Decodable, Sendable {
    let redirect_url: String
  }

  struct CustomerRequest: Encodable, Sendable {
    let user_id: String
  }

  struct Device: Decodable, Sendable {
    let id: String
    let api_version: Int
    let platform: String
    let created_at: String
  }

  struct Devices: Decodable, Sendable {
    let connections: [Device]
  }

  struct Request: Encodable, Sendable {
    struct Payment: Encodable, Sendable {
      let payee: String
      let amount: String
      let currency: String
      let account: String
      let reference: String?
      let date: String
    }

    struct Origin: Encodable, Sendable {
      let device: String
    }

    let reference: String
    let user_id: String?
    let title: String
    let text: String?
    let payment: Payment?
    let origin: Origin?
    let expires_in_seconds: Int
    let needs_confirmation: Bool
  }

  struct Authorization: Decodable, Sendable {
    let id: String
    let reference: String
    let state: String
    let user_id: String?
    let amount: String?
    let currency: String?
    let payee: String?
    let expires_at: String
  }

  struct Opened: Decodable, Sendable {
    let authorization: Authorization
    let devices: Int
    let link_v1: String?
    let link_v2: String?
  }

  struct Evidence: Decodable, Sendable {
    let connection_id: String
    let api_version: Int
    let decided_at: String
    let shown: String
    let authorization_type: String?
    let signature: String
  }

  /// Of whatever kind.
  struct Notice: Decodable, Sendable {
    let type: String
  }

  struct Event: Decodable, Sendable {
    let data: Authorization
  }
}
