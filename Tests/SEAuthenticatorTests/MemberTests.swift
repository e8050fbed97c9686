// SPDX-License-Identifier: Apache-2.0

import Foundation
import SEAuthenticator
import SEAuthenticatorV2
import Testing

extension Published {
  /// Every member that the published modules give their apps, with the type that it has there: whether a member is
  /// optional decides whether an app compiles. From the sources of saltedge/sca-authenticator-ios @0c20882.
  @Suite("Published surface: types of members")
  struct MemberTests {
    @Test("what is decrypted has the published members, optional where they are")
    func contents() {
      let _: [KeyPath<SEConsentData, String?>] = [\.id, \.userId]
      let _: [KeyPath<SEConsentData, String>] = [\.connectionId, \.tppName, \.consentType]
      let _: [KeyPath<SEConsentData, Date>] = [\.createdAt, \.expiresAt]
      let _: KeyPath<SEConsentData, [SEAccount]> = \.accounts
      let _: KeyPath<SEConsentData, SEConsentSharedData?> = \.sharedData
      let _: ([String: Any], String?, String) -> SEConsentData? = SEConsentData.init(_:_:_:)
      let _: KeyPath<SEAccount, String> = \.name
      let _: [KeyPath<SEAccount, String?>] = [\.accountNumber, \.sortCode, \.iban]
      let _: ([String: Any]) -> SEAccount? = SEAccount.init(_:)
      let _: [KeyPath<SEConsentSharedData, Bool?>] = [\.balance, \.transactions]
      let _: ([String: Bool]?) -> SEConsentSharedData? = SEConsentSharedData.init(_:)

      let _: [KeyPath<SEAuthorizationData, String>] = [\.id, \.connectionId, \.title, \.description, \.apiVersion]
      let _: [KeyPath<SEAuthorizationData, Date>] = [\.createdAt, \.expiresAt]
      let _: KeyPath<SEAuthorizationData, String?> = \.authorizationCode
      let _: [KeyPath<SEAuthorizationDataV2, String>] = [\.id, \.connectionId, \.title, \.apiVersion]
      let _: [KeyPath<SEAuthorizationDataV2, Date>] = [\.createdAt, \.expiresAt]
      let _: KeyPath<SEAuthorizationDataV2, String?> = \.authorizationCode
      let _: KeyPath<SEAuthorizationDataV2, [String: Any]> = \.description
      let _: KeyPath<SEAuthorizationDataV2, AuthorizationStatus> = \.status
    }

    @Test("what is encrypted has the published members, optional where they are")
    func encrypted() {
      let _: [KeyPath<SEEncryptedData, String>] = [\.data, \.key, \.iv]
      let _: [WritableKeyPath<SEEncryptedData, String?>] = [\.connectionId, \.entityId]
      let _: [KeyPath<SEEncryptedAuthorizationData, String>] = [\.id, \.data, \.key, \.iv]
      let _: [WritableKeyPath<SEEncryptedAuthorizationData, String?>] = [\.connectionId, \.entityId]
      let _: KeyPath<SEEncryptedAuthorizationData, AuthorizationStatus> = \.status
      let _: WritableKeyPath<SEEncryptedDataResponse, SEEncryptedData> = \.data
      let _: WritableKeyPath<SEEncryptedListResponse, [SEEncryptedData]> = \.data
      let _: KeyPath<SEEncryptedAuthorizationDataResponse, SEEncryptedAuthorizationData> = \.data
      let _: KeyPath<SEEncryptedAuthorizationsListResponse, [SEEncryptedAuthorizationData]> = \.data
    }

    @Test("answers have the published members, optional and to be changed where they are")
    func answers() {
      let _: [KeyPath<SEProviderResponse, String>] = [\.name, \.code]
      let _: [WritableKeyPath<SEProviderResponse, String>] = [\.version, \.supportEmail]
      let _: WritableKeyPath<SEProviderResponse, URL> = \.baseUrl
      let _: WritableKeyPath<SEProviderResponse, URL?> = \.logoUrl
      let _: KeyPath<SEProviderResponse, Bool?> = \.geolocationRequired
      let _: [KeyPath<SEProviderResponseV2, String>] = [\.name, \.providerId, \.apiVersion]
      let _: [WritableKeyPath<SEProviderResponseV2, String>] = [\.supportEmail, \.publicKey]
      let _: WritableKeyPath<SEProviderResponseV2, URL> = \.baseUrl
      let _: WritableKeyPath<SEProviderResponseV2, URL?> = \.logoUrl
      let _: KeyPath<SEProviderResponseV2, Bool?> = \.geolocationRequired
      let _: KeyPath<SECreateConnectionResponse, String> = \.id
      let _: [KeyPath<SECreateConnectionResponse, String?>] = [\.accessToken, \.connectUrl]
      let _: [KeyPath<SECreateConnectionResponseV2, String>] = [\.id, \.authenticationUrl]
      let _: KeyPath<SERevokeConnectionResponse, Bool> = \.success
      let _: KeyPath<SERevokeConnectionResponseV2, String> = \.connectionId
      let _: KeyPath<SEConfirmAuthorizationResponse, String> = \.id
      let _: KeyPath<SEConfirmAuthorizationResponse, Bool> = \.success
      let _: KeyPath<SEConfirmAuthorizationResponseV2, String> = \.id
      let _: KeyPath<SEConfirmAuthorizationResponseV2, AuthorizationStatus> = \.status
      let _: KeyPath<SESubmitActionResponse, Bool> = \.success
      let _: [WritableKeyPath<SESubmitActionResponse, String?>] = [\.authorizationId, \.connectionId]
      let _: [WritableKeyPath<SESubmitActionResponseV2, String?>] = [\.authorizationId, \.connectionId]
      let _: KeyPath<SERevokeConsentResponse, String> = \.consentId
      let _: KeyPath<SERevokeConsentResponse, Bool> = \.success
      let _: KeyPath<SERevokeConsentResponseV2, String> = \.id
    }

    @Test("requests have the published members, optional where they are")
    func requests() {
      let _: KeyPath<SEBaseAuthenticatedRequestData, URL> = \.url
      let _: [KeyPath<SEBaseAuthenticatedRequestData, String>] = [\.connectionGuid, \.accessToken, \.appLanguage]
      let _: KeyPath<SEBaseAuthenticatedWithIdRequestData, String> = \.entityId
      let _: [KeyPath<SEConfirmAuthorizationRequestData, String?>] = [\.authorizationCode, \.geolocation]
      let _: KeyPath<SEConfirmAuthorizationRequestData, String> = \.authorizationType
      let _: [KeyPath<SECreateConnectionRequestData, String>] = [\.providerCode, \.publicKey]
      let _: KeyPath<SEActionRequestData, String> = \.guid
      let _: [KeyPath<SEActionRequestDataV2, String>] = [\.providerId, \.actionId, \.connectionId]
      let _: KeyPath<SECreateConnectionParams, String> = \.providerId
      let _: [KeyPath<SECreateConnectionParams, String?>] = [\.pushToken, \.connectQuery]
      let _: KeyPath<SECreateConnectionParams, SEEncryptedData> = \.encryptedRsaPublicKey
    }
  }
}
