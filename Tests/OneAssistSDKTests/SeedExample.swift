// SPDX-License-Identifier: Apache-2.0

import OneAssistSDK
import Testing

// The example of the seed "iOS SDK Integration Document", word for word. What it leaves open is filled in and said in a
// comment that begins with "Filled in". That this file compiles is the test; `SeedExampleTests` plays it, too.

// Filled in: the placeholders.
private let (AUTH_TOKEN, ACTIVATION_CODE, PINCODE) = ("token", FakeServer.code, "560001")
private let (ADDRESS, SECONDARY_DEVICE_MOBILE_NUMBER) = (TestPhone.address, "9123456780")

// Filled in: where there is no UIKit, what the example takes from it.
#if canImport(UIKit)
  import UIKit
#else
  class UIViewController: OASecureScreenHost {
    private(set) var presented: UIAlertController?
    private var events: (@Sendable (OASecureScreenEvent) -> Void)?
    func present(_ alert: UIAlertController, animated: Bool, completion: (() -> Void)?) { presented = alert }
    func present(_ content: OASecureScreenContent, events: @escaping @Sendable (OASecureScreenEvent) -> Void) {
      self.events = events
    }
    func update(_ content: OASecureScreenContent) { if content.code != nil { events?(.closed) } }
    func dismiss() async {}
  }

  @MainActor
  class UIAlertController {
    enum Style { case alert }
    let (title, message): (String, String)
    init(title: String, message: String, preferredStyle: Style) { (self.title, self.message) = (title, message) }
    func addAction(_ action: UIAlertAction) {}
  }

  @MainActor
  class UIAlertAction {
    enum Style { case `default` }
    init(title: String, style: Style, handler: (() -> Void)?) {}
  }
#endif

// Filled in: the class around it, and which of the calls are made.
final class ExampleViewController: UIViewController {
  var activationHelper = OAActivation()

  // Filled in: what the callback was called with.
  private(set) var stages: [OAAction] = []
  var whenCalled: () -> Void = {}

  func initialize() {
    // Intialization
    activationHelper.initializeSDK(
      token: AUTH_TOKEN, isDebugMode: true,
      completion: handleSDKCallback)
    activationHelper.initializeSDK(
      token: AUTH_TOKEN,
      completion:
        handleSDKCallback)
  }

  func call(_ step: Int) {
    // Filled in: the first name of the last call's argument.
    let VIEW_CONTROLLER_REF = self
    switch step {
    case 1:
      // Activation
      activationHelper.startActivation(
        for: ACTIVATION_CODE,
        completion:
          handleSDKCallback)
    case 2:
      // Fetch Device Id
      activationHelper.fetchDeviceId(
        pincode: PINCODE, address: ADDRESS,
        completion: handleSDKCallback)
    case 3:
      activationHelper.fetchDeviceId(completion: handleSDKCallback)
    case 4:
      // Submit Basic Detail
      activationHelper.submitBasicDetails(
        pincode: PINCODE, address: ADDRESS,
        completion: handleSDKCallback)
    case 5:
      // Send Upload link
      activationHelper.sendUploadLink(
        SECONDARY_DEVICE_MOBILE_NUMBER,
        completion: handleSDKCallback)
    default:
      // Open Secure Screen
      activationHelper.openSecureScreen(
        onViewController:
          VIEW_CONTROLLER_REF, completion: handleSDKCallback)
    }
  }

  // Callback handler
  func handleSDKCallback(status: Bool, stage: OAAction, error: OAError?) {
    // Filled in: for the test.
    stages.append(stage)
    defer { whenCalled() }
    if status {
      switch stage {
      case .initializedSDK:
        // Client can show UI that will call startActivation or may call startActivation here if ACTIVATION_CODE exists
        // Filled in: a statement, in every case.
        break
      case .fetchDeviceId:
        // Client can show UI that will call fetchDeviceId or call fetchDeviceId here
        break
      case .provideUserBasicDetail:
        // Client can show UI that will call submitBasicDetails or call submitBasicDetails here if PINCODE and ADDRESS is
        // already taken from user.
        break
      case .sendUploadLink:
        // Client will show UI that will call sendUploadLink
        break
      case .sendUploadLinkOrOpenSecureScreen:
        // Client will show UI that will call openSecureScreen and sendUploadLink
        break
      case .secureScreenDismissed:
        // Client can call membership api to update the membership
        break
      case .completed:
        // Activation Flow Completed
        break
      }
    } else if let error = error {
      // Filled in: the document's page break left `"Error \((error.)\ errorCode)"`.
      let alert = UIAlertController(
        title: "Error \(error.errorCode)", message: error.localizedDescription, preferredStyle: .alert)
      alert.addAction(UIAlertAction(title: "ok", style: .default, handler: nil))
      present(alert, animated: true, completion: nil)
    }
  }
}
