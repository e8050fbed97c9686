// SPDX-License-Identifier: Apache-2.0

import Foundation
import SEAuthenticator
import SEAuthenticatorV2
import Testing

extension Published {
  @Suite("Published surface: names")
  struct NamesTests {
    @Test("aliases stand for what they are published as")
    func aliases() {
      let texts: [String] = [
        ApiVersion("1"), AccessToken("a"), GUID("b"), ID("c"), PushToken("d"), ConnectQuery("e"),
        ApplicationLanguage("en"), KeyTag("f"),
      ]
      #expect(texts.count == 8)
      let done: SuccessBlock = {}
      let _: SuccessClosure = done
      let failed: FailureBlock = { (_: String) in }
      let _: SimpleFailureClosure = failed
      let _: FullFailureClosure = { (_: [String: Any]) in }
      let answered: RequestSuccessBlock = { (_: [String: Any]?) in }
      let _: RequestSuccessClosure = answered
      let nobody: SEHTTPResponse<SEEncryptedListResponse> = nil
      #expect(nobody == nil)
    }

    @Test("helpers have their labels and types")
    func helpers() {
      let _: (URL) -> Bool = SEConnectHelper.isValid(deepLinkUrl:)
      let _: (URL) -> Bool = SEConnectHelper.isValidAction(deepLinkUrl:)
      let _: (URL) -> Bool = SEConnectHelper.shouldStartInstantActionFlow(url:)
      let urls: [(URL) -> URL?] = [
        SEConnectHelper.returnToUrl(from:), SEConnectHelper.connectUrl(from:), SEConnectHelper.configuration(from:),
        SEConnectHelper.сonfiguration(from:),
      ]
      let texts: [(URL) -> String?] = [
        SEConnectHelper.apiVersion(from:), SEConnectHelper.actionId(from:), SEConnectHelper.providerId(from:),
        SEConnectHelper.actionGuid(from:), SEConnectHelper.connectQuery(from:),
      ]
      #expect(urls.count == 4 && texts.count == 5)
      let _: (KeyTag) -> KeyPair? = SECryptoHelper.createKeyPair(with:)
      let _: (String, Bool, String) -> SEKey? = SECryptoHelper.createKey(from:isPublic:tag:)
      let _: (KeyTag) -> Bool = SECryptoHelper.deleteKeyPair(with:)
      let pems: [(String) -> String?] = [SECryptoHelper.privateKeyToPem(tag:), SECryptoHelper.publicKeyToPem(tag:)]
      let bytes: [(String) throws -> Data] = [
        SECryptoHelper.publicKeyData(for:), SECryptoHelper.privateKeyData(for:),
      ]
      let keys: [(String) throws -> SEKey] = [SECryptoHelper.publicKey(for:), SECryptoHelper.privateKey(for:)]
      #expect(pems.count == 2 && bytes.count == 2 && keys.count == 2)
      let _: (String, String) throws -> SEEncryptedData = SECryptoHelper.encrypt(_:tag:)
      let _: (any SEBaseEncryptedAuthorizationData, String) throws -> String = SECryptoHelper.decrypt(_:tag:)
      let _: (String, String) throws -> String = SECryptoHelper.decrypt(key:tag:)
      let _: (Int) throws -> Data = SECryptoHelper.generateRandomBytes(count:)
      let _: (String) -> String = SETagHelper.create(for:)
      let _: ([String: Any]) -> Data? = ParametersSerializer.createBody(parameters:)
    }

    @Test("errors have all their cases, and print none of what they are about")
    func errors() {
      let errors: [any Error] = [
        SECryptoHelperError.errorGeneratingRandomBytes, SECryptoHelperError.errorCreatingData(fromBase64: "secret"),
        SECryptoHelperError.couldNotEncryptChunk(at: 1), SECryptoHelperError.couldNotDecryptChunk(at: 1),
        SEAesCipherError.couldNotCreateData(from: "secret"),
        SEAesCipherError.couldNotCreateString(fromBase64: "secret"),
        SEAesCipherError.couldNotCreateEncryptedData(fromBase64: "secret"),
        SEAesCipherError.couldNotCreateDecodedString(fromData: "secret"), SEAesCipherError.noKeyProvided,
        SEAesCipherError.noIvProvided, SEAesCipherError.ivByteArrayIsNotValid, SEAesCipherError.keyByteArrayIsNotValid,
        SESecKeyHelperError.couldNotObtainKey(for: "secret"), SESecKeyHelperError.couldNotObtainKeyData(for: "secret"),
        SESecKeyHelperError.couldNotAddToKeychain,
      ]
      for error in errors { #expect(!"\(error) \(error.localizedDescription)".contains("secret")) }
    }

    @Test("requests of a connection are of one family")
    func requests() throws {
      let url = try #require(URL(string: "https://bank.example"))
      let decision = SEConfirmAuthorizationRequestData(
        url: url, connectionGuid: "g", accessToken: "t", appLanguage: "en", authorizationId: "1",
        authorizationCode: nil, geolocation: nil, authorizationType: "unknown")
      let withID: SEBaseAuthenticatedWithIdRequestData = decision
      let base: SEBaseAuthenticatedRequestData = withID
      #expect(base.url == url && base.connectionGuid == "g" && base.accessToken == "t" && base.appLanguage == "en")
      #expect(withID.entityId == "1" && decision.authorizationCode == nil && decision.geolocation == nil)
      #expect(decision.authorizationType == "unknown")
    }

    @Test("keys of JSON are spelt as the wire has them")
    func keys() {
      #expect(SENetKeys.encryptedRsaPublicKey == "enc_rsa_public_key" && SENetKeys.scaServiceUrl == "sca_service_url")
      #expect(SENetKeys.actionUuid == "action_uuid" && SENetKeys.tppName == "tpp_name" && SENetKeys.ip == "ip")
    }
  }
}
