// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuth2
import TestSupport
import Testing
import WultraDigitalOnboarding
import WultraPowerAuthNetworking

// Every sample of the seed "Verifying User" (July 2024), word for word. What it leaves open is filled in and said in a
// comment that begins with "Filled in". A `let` that the seed only declares is given its value on a line of its own.
// That this file compiles is the test; the functions are never called.

/// "When is the verification needed?"
func whenIsVerificationNeeded(_ configured: PowerAuthSDK) {
  let powerAuth: PowerAuthSDK  // configured and activated PowerAuth instance
  // Filled in: the instance.
  powerAuth = configured

  powerAuth.fetchActivationStatus { status, error in
    if let error = error {
      // handle error
      // Filled in: a use, or Swift warns.
      _ = error
    } else if let status = status {
      // note that `needVerification` property is an extension
      // from the `WultraDigitalOnboarding` space
      if status.needVerification {
        // navigate to the verification flow
        // and call `WDOVerificationService.status`
      } else {
        // handle PA status
      }
    }
  }
}

/// "Creating an instance", with a PowerAuthSDK.
func createWithPowerAuth(_ configuration: PowerAuthConfiguration) -> WDOVerificationService {
  // Filled in: `....` is the configuration.
  let powerAuth = PowerAuthSDK(configuration: configuration)
  let verification = WDOVerificationService(
    powerAuth: powerAuth,
    config: WPNConfig(baseUrl: "https://sever.my/path/")
  )
  // Filled in: a use, or Swift warns.
  return verification
}

/// "Creating an instance", with a WPNNetworkingService.
func createWithNetworking(_ configuration: PowerAuthConfiguration) -> WDOVerificationService {
  // Filled in: `....` is the configuration.
  let powerAuth = PowerAuthSDK(configuration: configuration)
  let networking = WPNNetworkingService(
    powerAuth: powerAuth,  // configured PowerAuthSDK instance
    config: WPNConfig(baseUrl: "https://sever.my/path/"),
    serviceName: "MyProjectNetworkingService",  // for better debugging
    acceptLanguage: "en"  // more info in "Language Configuration" docs section
  )
  let verification = WDOVerificationService(
    networking: networking
  )
  // Filled in: a use, or Swift warns.
  return verification
}

/// "Getting the verification status".
func gettingTheStatus(_ configured: WDOVerificationService) {
  let verification: WDOVerificationService  // configured instance
  // Filled in: the instance.
  verification = configured
  verification.status { result in
    switch result {
    case .success(let state):
      // handle `WDOVerificationState` state and navigate to the expected screen
      // Filled in: a use, of the type that the seed names.
      let _: WDOVerificationState = state
      break
    case .failure(let error):
      if let state = error.state {
        // show expected screen based on the state
        // Filled in: a use, or Swift warns.
        _ = state
      } else {
        // navigate to error screen and show the error in
        // error.cause
        // Filled in: a use, of the name that the seed names.
        _ = error.cause
      }
    }
  }
}

/// "Getting the user consent", the text.
func gettingTheConsent(_ configured: WDOVerificationService) {
  let verification: WDOVerificationService  // configured instance
  // Filled in: the instance.
  verification = configured
  verification.consentGet { result in
    switch result {
    case .success(let state):
      // state will be in the `consent` case here - display the consent screen
      // Filled in: a use, or Swift warns.
      _ = state
      break
    case .failure(let error):
      if let state = error.state {
        // show expected screen based on the state
        // Filled in: a use, or Swift warns.
        _ = state
      } else {
        // navigate to the error screen and show the error in
        // error.cause
      }
    }
  }
}

/// "Getting the user consent", the approval.
func approvingTheConsent(_ configured: WDOVerificationService) {
  let verification: WDOVerificationService  // configured instance
  // Filled in: the instance.
  verification = configured
  verification.consentApprove { result in
    switch result {
    case .success(let state):
      // state will be in the `documentsToScanSelect` case here - display the document selector
      // Filled in: a use, or Swift warns.
      _ = state
      break
    case .failure(let error):
      if let state = error.state {
        // show expected screen based on the state
        // Filled in: a use, or Swift warns.
        _ = state
      } else {
        // navigate to the error screen and show the error in
        // error.cause
      }
    }
  }
}

/// "Set document types to scan".
func selectingDocuments(_ configured: WDOVerificationService) {
  let verification: WDOVerificationService  // configured instance
  // Filled in: the instance.
  verification = configured
  let documentsToScan: [WDODocumentType] = [.idCard, .driversLicense]
  verification.documentsSetSelectedTypes(types: documentsToScan) { result in
    switch result {
    case .success(let state):
      // state will be in the `scanDocument` case here - display the document scanner
      // Filled in: a use, or Swift warns.
      _ = state
      break
    case .failure(let error):
      if let state = error.state {
        // show expected screen based on the state
        // Filled in: a use, or Swift warns.
        _ = state
      } else {
        // navigate to the error screen and show the error in
        // error.cause
      }
    }
  }
}

/// "Configuring the Document Scan SDK", as the seed prints it.
func configuringTheScanner(_ configured: WDOVerificationService) {
  let verification: WDOVerificationService  // configured instance
  // Filled in: the instance.
  verification = configured

  let documentsToScan = [WDODocumentType.idCard, .driversLicense]

  verification.documentsSetSelectedTypes(types: documentsToScan) { result in
    switch result {
    case .success(let result):
      // state will be in the `scanDocument` case here - tell the user to start scanning required documents
      // in the `scanDocument` case, process object `WDOVerificationScanProcess` is present which will
      // tell you the status of each document and also provide you `nextDocumentToScan` - the document that should be scanned next
      // Filled in: a use, of what the comment names.
      if case .scanDocument(let process) = result.state { _ = process.nextDocumentToScan }
      break
    case .failure(let error):
      // handle error
      // Filled in: a use, or Swift warns.
      _ = error
      break
    }
  }
}

/// "Uploading a document".
func uploadingADocument(_ configured: WDOVerificationService, _ image: Data) {
  let verification: WDOVerificationService  // configured instance
  // Filled in: the instance.
  verification = configured

  let passportToUpload = WDODocumentFile(
    // Filled in: `...` is the picture.
    data: Data(image),  // raw image data from the document scanning library/photo camera
    type: WDODocumentType.passport,
    side: WDODocumentSide.front,  // passport has only front side
    originalDocumentId: nil,  // use only when re-uploading the file (for example when first upload was rejected because of a blur)
    dataSignature: nil  // optional, use when provided by the document scanning library
  )

  verification.documentsSubmit(
    types: [passportToUpload],
    progressCallback: { percentUploadProgress in
      // report upload progress
    }
  ) { result in
    switch result {
    case .success(let result):
      // state here will be "processing" - telling you that the file is being processed on the server
      // Filled in: a use, or Swift warns.
      _ = result
      break
    case .failure(let error):
      // handle error
      // Filled in: a use, or Swift warns.
      _ = error
      break
    }
  }
}

/// "Verify OTP".
func verifyingTheOTP(_ configured: WDOVerificationService) {
  let verification: WDOVerificationService  // configured instance
  // Filled in: the instance.
  verification = configured

  let userOTP = "123456"

  verification.verifyOTP(otp: userOTP) { result in
    switch result {
    case .success(let result):
      // React to a new state returned in the result
      // Filled in: a use, or Swift warns.
      _ = result
      break
    case .failure(let error):
      // handle error
      // Filled in: a use, or Swift warns.
      _ = error
      break
    }
  }
}

/// The declarations that the seed prints: every case and member is named here as it is there.
func declared(_ state: WDOVerificationState, _ file: WDODocumentFile, _ document: WDOScannedDocument) -> String {
  let _: (Data, String?, WDODocumentType, WDODocumentSide, String?) = (
    file.data, file.dataSignature, file.type, file.side, file.originalDocumentId
  )
  let _ = WDODocumentFile(scannedDocument: document, data: Data(), side: .front, dataSignature: nil)
  let _ = document.createFileForUpload(side: .back, data: Data())
  return switch state {
  case .intro: "consentGet"
  case .consent(let body): body
  case .documentsToScanSelect: "documentsSetSelectedTypes"
  case .scanDocument(let process): "\(process.nextDocumentToScan?.type.rawValue ?? "-")"
  case .processing(let item): "\(item)"
  case .presenceCheck: "presenceCheckInit"
  case .otp(let remainingAttempts): "\(remainingAttempts ?? 0)"
  case .failed: "restartVerification"
  case .endstate(let reason): "\(reason)"
  case .success: "success"
  }
}

@Suite("The seed's samples")
struct SeedSamplesTests {
  /// Where the specifications are, beside which the seeds are.
  private static let seed = SpecificationFolder.data("../seeds/wultra-digital-onboarding.txt")
    .map { String(decoding: $0, as: UTF8.self) }

  /// How lines of the seed begin that are code of a sample, and not of a declaration.
  private static let code = [
    "let verification", "let powerAuth: ", "let networking", "let documentsToScan", "let userOTP",
    "let passportToUpload", "verification.", "powerAuth.fetch", "powerAuth: powerAuth", "config: WPN", "serviceName",
    "acceptLanguage: ", "networking: networking", "switch result", "case .success", "case .failure", "if let ",
    "if status.", "} else", "type: WDO", "side: WDO", "originalDocumentId: nil,", "dataSignature: nil",
    "types: [passport", "progressCallback: {", ") { result in", "// navigate", "// show", "// handle", "// state will",
    "// in the `scan", "// tell you", "// React", "// report", "// note", "// from the `Wultra", "// and call",
    "// error.cause",
  ]

  @Test("each line of the seed's samples is here, word for word", .enabled(if: seed != nil, "there is no seed here"))
  func verbatim() throws {
    func normal(_ line: Substring) -> String {
      line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let here = Set(try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n").map(normal))
    let lines = try #require(Self.seed).split(separator: "\n").map(normal)
    let samples = lines.filter { line in Self.code.contains { line.hasPrefix($0) } }
    #expect(samples.count >= 100)
    for line in samples { #expect(here.contains(line), "\(line)") }
  }

  @Test("instances are made as the seed makes them, with an address as text")
  func instances() {
    let configuration = PowerAuthConfiguration(
      instanceId: "seed", baseEndpointUrl: "https://sever.my", configuration: "not read by this test")
    #expect(createWithPowerAuth(configuration).acceptLanguage == "en")
    #expect(createWithNetworking(configuration).otpResendPeriodInSeconds == nil)
  }
}
