// SPDX-License-Identifier: Apache-2.0

public import Foundation
package import SaltEdgeAuthenticator
public import SaltEdgeCore
internal import SaltEdgeWire

/// What every call of a connection needs.
open class SEBaseAuthenticatedRequestData: Redacted {
  /// Base of the bank's API, as its configuration says.
  public let url: URL
  /// Names the connection's keys.
  public let connectionGuid: GUID
  public let accessToken: AccessToken
  /// In which language the bank shall answer, a BCP 47 tag.
  public let appLanguage: ApplicationLanguage

  public init(url: URL, connectionGuid: GUID, accessToken: AccessToken, appLanguage: ApplicationLanguage) {
    self.url = url
    self.connectionGuid = connectionGuid
    self.accessToken = accessToken
    self.appLanguage = appLanguage
  }

  /// With the connection's private key.
  /// - Throws: `keyMissing`: nothing is ever sent unsigned.
  package var access: ServiceAccess {
    get throws(AuthenticatorError) {
      let key = try SEAuthenticatorPlatform.current.key(SETagHelper.create(for: connectionGuid))
      return ServiceAccess(baseURL: url, accessToken: accessToken, key: key, language: appLanguage)
    }
  }
}

/// And about which entity.
open class SEBaseAuthenticatedWithIdRequestData: SEBaseAuthenticatedRequestData {
  public let entityId: ID

  public init(
    url: URL, connectionGuid: GUID, accessToken: AccessToken, appLanguage: ApplicationLanguage, entityId: ID
  ) {
    self.entityId = entityId
    super.init(url: url, connectionGuid: connectionGuid, accessToken: accessToken, appLanguage: appLanguage)
  }
}

/// And what the customer decided.
public class SEConfirmAuthorizationRequestData: SEBaseAuthenticatedWithIdRequestData {
  /// As it was shown.
  public let authorizationCode: String?
  /// `GEO:<lat>;<lon>` in decimal degrees; nil when it is not known.
  public let geolocation: String?
  /// `biometrics`, `passcode` or `unknown`.
  public let authorizationType: String

  public init(
    url: URL, connectionGuid: GUID, accessToken: AccessToken, appLanguage: ApplicationLanguage, authorizationId: ID,
    authorizationCode: String?, geolocation: String?, authorizationType: String
  ) {
    self.authorizationCode = authorizationCode
    self.geolocation = geolocation
    self.authorizationType = authorizationType
    super.init(
      url: url, connectionGuid: connectionGuid, accessToken: accessToken, appLanguage: appLanguage,
      entityId: authorizationId)
  }
}
