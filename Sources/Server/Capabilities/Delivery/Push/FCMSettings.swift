// SPDX-License-Identifier: Apache-2.0

import Foundation
import JWTKit

/// How notifications reach Google's devices: a service account of the Firebase project (HTTP v1).
package struct FCMSettings: Sendable {
  package static let production = "https://fcm.googleapis.com"

  let key: Insecure.RSA.PrivateKey
  let keyID: String
  let account: String
  let project: String
  /// Where access tokens are asked for.
  let tokenURL: String
  let base: String

  /// - Parameters:
  ///   - account: the service account's JSON file as it was downloaded.
  ///   - base: another address than Google's; HTTPS.
  /// - Throws: `PushSettingsError`.
  package init(account: Data, base: String = production) throws {
    guard let file = try? JSONDecoder().decode(AccountFile.self, from: account), file.type == "service_account" else {
      throw PushSettingsError.account
    }
    guard let key = try? Insecure.RSA.PrivateKey(pem: file.private_key) else { throw PushSettingsError.key }
    guard file.project_id.wholeMatch(of: #/[a-z0-9.:\-]{1,64}/#) != nil else {
      throw PushSettingsError.value("project_id")
    }
    (self.key, keyID, self.account, project) = (key, file.private_key_id, file.client_email, file.project_id)
    tokenURL = try PushSettingsError.checked(file.token_uri)
    self.base = try PushSettingsError.checked(base)
  }

  private struct AccountFile: Decodable {
    let type: String
    let project_id: String
    let private_key_id: String
    let private_key: String
    let client_email: String
    let token_uri: String
  }
}
