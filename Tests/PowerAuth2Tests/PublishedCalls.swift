// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuth2
import PowerAuthCore

// What an app does by the published documentation of the SDK 1.8 and 1.9 for iOS, chapter by chapter, with its names
// and labels. Without `@testable`. That this file compiles is the test; the functions are never called.

/// Configuration.
func configureShared() {
  let configuration = PowerAuthConfiguration(
    instanceId: "your-app", baseEndpointUrl: "https://localhost:8080/demo-server", configuration: "ARDDj6EB…")
  PowerAuthSDK.initSharedInstance(configuration)
  let keychainConfiguration = PowerAuthKeychainConfiguration()
  keychainConfiguration.linkBiometricItemsToCurrentSet = true
  keychainConfiguration.allowBiometricAuthenticationFallbackToDevicePasscode = true
  PowerAuthSDK.initSharedInstance(
    configuration, keychainConfiguration: keychainConfiguration, clientConfiguration: nil)
  _ = PowerAuthSDK(
    configuration: configuration, keychainConfiguration: keychainConfiguration, clientConfiguration: nil)
}

/// Request interceptors, debugging, detection of a debug build.
func configureClient() -> PowerAuthClientConfiguration {
  let basicAuth = PowerAuthBasicHttpAuthenticationRequestInterceptor(username: "user", password: "password")
  let customHeader = PowerAuthCustomHeaderRequestInterceptor(headerKey: "X-CustomHeader", value: "123456")
  let clientConfiguration = PowerAuthClientConfiguration()
  clientConfiguration.requestInterceptors = [basicAuth, customHeader]
  clientConfiguration.defaultRequestTimeout = 10
  PowerAuthLogSetEnabled(true)
  PowerAuthLogSetVerbose(true)
  if PowerAuthSystem.isInDebug() { print("debug") }
  return clientConfiguration
}

/// Activation, by a code, by credentials, by a recovery code, with everything that can be added.
func activate() throws {
  let activation = try PowerAuthActivation(activationCode: "45AWJ-BVACS-SBWHS-ABANA", name: "phone")
    .with(extras: "EXTRA_FLAGS")
    .with(customAttributes: ["isNowPrimaryActivation": true, "otherActivationIds": ["e43f5f99", "41dd704c"]])
    .with(additionalActivationOtp: "12345")
  _ = try PowerAuthActivation(identityAttributes: ["username": "john.doe@example.com"], name: "phone")
  _ = try PowerAuthActivation(recoveryCode: "55555-55555-55555-55YMA", recoveryPuk: "0123456789", name: "phone")
  PowerAuthSDK.sharedInstance().createActivation(activation) { (result, error) in
    if let error = error as NSError? {
      if let responseError = (error.userInfo[PowerAuthErrorDomain] as? PowerAuthRestApiErrorResponse)?.responseObject {
        let currentRecoveryPukIndex = responseError.currentRecoveryPukIndex
        if currentRecoveryPukIndex > 0 { print(currentRecoveryPukIndex) }
      }
    } else {
      print(result?.activationFingerprint ?? "", result?.activationRecovery?.puk ?? "")
    }
  }
  try PowerAuthSDK.sharedInstance().persistActivation(withPassword: "1234")
  try PowerAuthSDK.sharedInstance().persistActivation(withPassword: PowerAuthCorePassword(string: "1234"))
  let auth = PowerAuthAuthentication.persistWithPasswordAndBiometry(password: "1234")
  try PowerAuthSDK.sharedInstance().persistActivation(with: auth)
}

/// Validation of what users type and scan.
func validate(_ scannedCode: String) -> String? {
  guard let otp = PowerAuthActivationCodeUtil.parse(fromActivationCode: scannedCode) else { return nil }
  guard let signature = otp.activationSignature else { return nil }
  let isServers = PowerAuthSDK.sharedInstance().verifyServerSignedData(
    otp.activationCode.data(using: .utf8)!, signature: signature, masterKey: true)
  guard isServers, PowerAuthActivationCodeUtil.validateActivationCode(otp.activationCode) else { return nil }
  guard PowerAuthActivationCodeUtil.validateRecoveryCode("R:VVVVV-VVVVV-VVVVV-VTFVA"),
    PowerAuthActivationCodeUtil.validateRecoveryPuk("0123456789")
  else { return nil }
  var result: String = ""
  for codepoint in scannedCode.unicodeScalars {
    let newCodepoint = PowerAuthActivationCodeUtil.validateAndCorrectTypedCharacter(codepoint.value)
    if newCodepoint != 0 { result.append(Character(UnicodeScalar(newCodepoint)!)) } else { return nil }
  }
  return result
}

/// The status of the activation.
func fetchStatus() {
  guard PowerAuthSDK.sharedInstance().hasValidActivation() else { return }
  PowerAuthSDK.sharedInstance().fetchActivationStatus { status, error in
    guard let status = status else { return }
    switch status.state {
    case .pendingCommit: print("waiting for commit")
    case .active: print("active")
    case .blocked: print("blocked")
    case .removed: PowerAuthSDK.sharedInstance().removeActivationLocal()
    case .deadlock: PowerAuthSDK.sharedInstance().removeActivationLocal()
    case .created: fallthrough
    default: print("unknown")
    }
    print(status.failCount, status.maxFailCount, status.remainingAttempts, status.customObject ?? [:])
  }
}

/// Signatures, one after another.
func sign(_ data: Data, nonce: String) throws {
  let sdk = PowerAuthSDK.sharedInstance()
  let auth = PowerAuthAuthentication.possessionWithPassword(password: "1234")
  _ = PowerAuthAuthentication.possession()
  _ = PowerAuthAuthentication.possessionWithBiometry()
  _ = PowerAuthAuthentication.possessionWithBiometry(prompt: "Please authenticate with biometry to log in.")
  let signature = try sdk.requestSignature(with: auth, method: "POST", uriId: "/payment/create", body: data)
  print(signature.key, signature.value)
  _ = try sdk.requestGetSignature(with: auth, uriId: "/payment/create", params: ["param1": "value1"])
  _ = try sdk.offlineSignature(with: auth, uriId: "/confirm/offline/operation", body: data, nonce: nonce)
  _ = sdk.verifyServerSignedData(data, signature: signature.value, masterKey: false)
  guard sdk.executeOperation(onSerialQueue: BlockOperation {}) else { return }
  sdk.executeBlock(onSerialQueue: { internalTask in internalTask.cancel() })
  sdk.signData(withDevicePrivateKey: auth, data: data) { (signature, error) in print(error == nil) }
}

/// Passwords, and a keyboard for PINs of the app's own.
final class EnterPinScene {
  let desiredPinLength = 4
  var pin: PowerAuthCoreMutablePassword!

  func onEnterScene() { pin = PowerAuthCoreMutablePassword() }
  func onLeaveScene() { pin = nil }
  func onDeleteButtonAction() { pin.removeLastCharacter() }

  func onPinButtonAction(pinCharacter: Character) {
    pin.addCharacter(pinCharacter.unicodeScalars.first!.value)
    if pin.length() == desiredPinLength { onContinueAction(pin: pin) }
  }

  func onContinueAction(pin: PowerAuthCorePassword) {
    PowerAuthSDK.sharedInstance().changePassword(from: pin, to: PowerAuthCorePassword(string: "2468")) { (error) in
      print(error == nil)
    }
    PowerAuthSDK.sharedInstance().validatePassword(password: "1234") { (error) in print(error == nil) }
    _ = PowerAuthSDK.sharedInstance().unsafeChangePassword(from: "1234", to: "2468")
    print(pin.isEqual(to: PowerAuthCorePassword(data: Data(base64Encoded: "bmJ1c3IxMjMK")!)))
  }
}

enum PasswordComplexity: Int {
  case weak = 0
  case strong = 2
}

func superPasswordValidator(passwordPtr: UnsafePointer<Int8>, size: Int) -> PasswordComplexity {
  size < 8 ? .weak : .strong
}

extension PowerAuthCorePassword {
  func validateComplexity() -> PasswordComplexity {
    let validationResult = self.validateComplexity { ptr, size in
      return superPasswordValidator(passwordPtr: ptr, size: size).rawValue
    }
    return PasswordComplexity(rawValue: validationResult) ?? .weak
  }
}

/// Biometry.
func biometry() {
  print(PowerAuthKeychain.canUseBiometricAuthentication)
  switch PowerAuthKeychain.supportedBiometricAuthentication {
  case .touchID: print("Touch ID")
  case .faceID: print("Face ID")
  case .none: print("none")
  }
  let biometryInfo = PowerAuthKeychain.biometricAuthenticationInfo
  switch biometryInfo.biometryType {
  case .touchID, .faceID, .none: break
  }
  switch biometryInfo.currentStatus {
  case .notSupported, .notAvailable, .notEnrolled, .lockout, .available: break
  }
  let sdk = PowerAuthSDK.sharedInstance()
  guard !sdk.hasBiometryFactor() else { return }
  sdk.addBiometryFactor(password: "1234") { (error) in print(error == nil) }
  sdk.removeBiometryFactor()
  _ = sdk.authenticateUsingBiometry(withPrompt: "Authenticate to sign in") { authentication, error in
    guard let error = error as NSError?, error.domain == PowerAuthErrorDomain else { return }
    if error.powerAuthErrorCode == .biometryCancel { print("cancelled") }
  }
}

/// End-to-end encryption, as 1.9 has it.
func encrypt(_ payload: Data, response: [String: Any]) {
  PowerAuthSDK.sharedInstance().eciesEncryptorForApplicationScope { encryptor, error in
    guard let encryptor = encryptor, let cryptogram = encryptor.encryptRequest(payload) else { return }
    let requestPayload = cryptogram.requestPayload()
    guard let metadata = encryptor.associatedMetaData else { return }
    print(requestPayload.count, metadata.httpHeaderKey, metadata.httpHeaderValue)
  }
  let responseCryptogram = PowerAuthCoreEciesCryptogram()
  responseCryptogram.bodyBase64 = response["encryptedData"] as? String
  _ = PowerAuthCoreEciesCryptogram(responsePayload: response)
}

/// The vault, recovery, tokens, the clock, removal.
func theRest() {
  let sdk = PowerAuthSDK.sharedInstance()
  let auth = PowerAuthAuthentication.possessionWithPassword(password: "1234")
  sdk.fetchEncryptionKey(auth, index: UInt64(1000)) { (encryptionKey, error) in print(encryptionKey?.count ?? 0) }
  guard sdk.hasActivationRecoveryData() else { return }
  sdk.activationRecoveryData(auth) { recoveryData, error in print(recoveryData?.recoveryCode ?? "") }
  sdk.confirmRecoveryCode("VVVVV-VVVVV-VVVVV-VTFVA", authentication: auth) { alreadyConfirmed, error in
    print(alreadyConfirmed)
  }
  let tokenStore = sdk.tokenStore
  let task = tokenStore.requestAccessToken(withName: "MyToken", authentication: .possession()) { (token, error) in
    if let header = token?.generateHeader() { print([header.key: header.value]) }
  }
  task?.cancel()
  tokenStore.generateAuthorizationHeader(withName: "MyToken") { header, error in print(header?.key ?? "") }
  if !tokenStore.hasLocalToken(withName: "MyToken") {
    tokenStore.removeAccessToken(withName: "MyToken") { (removed, error) in print(removed) }
  }
  tokenStore.removeLocalToken(withName: "MyToken")
  tokenStore.removeAllLocalTokens()
  if !sdk.timeSynchronizationService.isTimeSynchronized {
    _ = sdk.timeSynchronizationService.synchronizeTime(callback: { error in }, callbackQueue: .main)
  }
  sdk.removeActivation(with: auth) { (error) in print(error == nil) }
}

/// Errors: every case by name.
func handle(_ error: (any Error)?) {
  guard let error = error as NSError? else { return }
  switch error.powerAuthErrorCode {
  case .NA, .networkError, .signatureError, .invalidActivationState, .invalidActivationCode, .invalidActivationData,
    .missingActivation, .activationPending, .biometryNotAvailable, .biometryCancel, .biometryFailed,
    .operationCancelled, .encryption, .wrongParameter, .invalidToken, .watchConnectivity, .protocolUpgrade,
    .pendingProtocolUpgrade, .externalPendingOperation, .timeSynchronization:
    break
  default:
    print("unknown")
  }
}
