// SPDX-License-Identifier: Apache-2.0

public import Dispatch
internal import GatehouseTransport

/// How a call ends: whether it did what it was asked for, what comes next, and why not.
///
/// After a success `stage` is the next action and `error` is nil. After a failure `error` says why, and `stage` is where
/// the flow stands still: the last stage that was delivered with success.
public typealias OAActivationCompletion = (_ success: Bool, _ stage: OAAction, _ error: OAError?) -> ()

/// Activates one membership on this device, step by step (specification §2.4, §4).
///
/// Every call is answered once. Calls are worked on one after the other, in the order in which they were made; answers
/// come on the main queue, or on the one that was given. May be used from any thread.
public final class OAActivation: Sendable {
  let queue: CallQueue
  private let configuration: OAConfiguration
  private let ports: ActivationPorts

  /// For this device, answering on the main queue, with the server that the app's `Info.plist` names.
  public convenience init() { self.init(configuration: .ofApp()) }

  /// For this device, with the server that the app's `Info.plist` names.
  /// - Parameter completionQueue: where completions are called; `initializeSDK` answers before it returns.
  public convenience init(completionQueue: DispatchQueue) {
    self.init(configuration: .ofApp(), completionQueue: completionQueue)
  }

  /// For this device.
  /// - Parameters:
  ///   - configuration: which server is called, who reads screenshots, and whether IMEIs for tests are taken.
  ///   - completionQueue: where completions are called; `initializeSDK` answers before it returns.
  public convenience init(configuration: OAConfiguration, completionQueue: DispatchQueue = .main) {
    self.init(configuration: configuration, ports: .ofThisDevice()) { answer in completionQueue.async { answer() } }
  }

  /// - Parameter deliver: calls an answer where and when it is to be called; in the order in which it gets them.
  package init(
    configuration: OAConfiguration, ports: ActivationPorts,
    deliver: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    (self.configuration, self.ports) = (configuration, ports)
    queue = CallQueue(deliver: deliver)
  }

  /// This method will set up the SDK with the token generated from generateToken API. What was going on before ends:
  /// calls that were not answered yet are answered with 4006.
  /// - Parameters:
  ///   - token: non-empty token string needed to setup the SDK.
  ///   - isDebugMode: the default endpoint of debug mode instead of production's, plain http, and a log without
  ///     personal data.
  ///   - apiEndPoint: the server to call instead of the configured one: an https address, in debug mode also http.
  ///   - completion: called before this method returns. 1001 for a blank token; 4006 for an invalid address;
  ///     `SERVER_NOT_NAMED` when neither this call nor the configuration names a server. After a failure everything is as
  ///     it was.
  public func initializeSDK(
    token: String, isDebugMode: Bool = false, apiEndPoint: String? = nil, completion: OAActivationCompletion
  ) {
    do throws(OAError) {
      queue.reset(
        to: try Activation(
          token: token, isDebug: isDebugMode, endPoint: apiEndPoint, configuration: configuration, ports: ports))
      completion(true, .initializedSDK, nil)
    } catch {
      completion(false, queue.stage, error)
    }
  }

  /// This method will start the activation flow, or find out where it stands.
  /// - Parameter activationCode: activation code of the pending membership, or the order's identifier.
  public func startActivation(for activationCode: String, completion: @escaping OAActivationCompletion) {
    call(completion) { (activation) async throws(OAError) in try await activation.start(activationCode) }
  }

  /// This method will fetch the device id from the device and move onto the next stage of activation. The user is asked
  /// for a screenshot of the system's sheet of identifiers. If pincode and address are also provided then user doesn't
  /// have to submit these detail again.
  /// - Parameters:
  ///   - pincode: optional param, pincode of the user: six digits.
  ///   - address: optional param, address of the user: 5 to 255 characters. Both or none.
  public func fetchDeviceId(
    pincode: String? = nil, address: String? = nil, completion: @escaping OAActivationCompletion
  ) {
    call(completion) { (activation) async throws(OAError) in
      try await activation.fetchDeviceId(UserDetails(pinCode: pincode, address: address))
    }
  }

  /// This method will submit the basic details of the user.
  /// - Parameters:
  ///   - pincode: pincode of the user
  ///   - address: address of the user
  public func submitBasicDetails(pincode: String, address: String, completion: @escaping OAActivationCompletion) {
    call(completion) { (activation) async throws(OAError) in
      try await activation.submit(UserDetails(pinCode: pincode, address: address))
    }
  }

  /// This method will send the document upload link to secondary device.
  /// - Parameter mobileNumber: mobile number of the secondary device, should not be same as the mobile number with which
  ///   the membership is purchased.
  public func sendUploadLink(_ mobileNumber: String, completion: @escaping OAActivationCompletion) {
    call(completion) { (activation) async throws(OAError) in try await activation.sendLink(to: mobileNumber) }
  }

  /// This method will open the secure screen, and answers when it is closed.
  /// - Parameter viewController: view controller reference on which the screen will be opened. 4006 while one is open,
  ///   and when the view controller is in no window or presents something already: nothing could be shown on it.
  public func openSecureScreen(
    onViewController viewController: OAViewController, completion: @escaping OAActivationCompletion
  ) {
    call(completion, ofScreen: true) { (activation) async throws(OAError) in
      try await activation.openScreen(on: viewController)
    }
  }

  /// Waits for what goes on behind the calls: the upload of the screenshot, and reports about the secure screen.
  package func finishBackgroundTasks() async { await queue.activation?.finishBackgroundTasks() }

  private func call(
    _ completion: @escaping OAActivationCompletion, ofScreen isScreen: Bool = false, _ work: @escaping CallQueue.Work
  ) {
    // The published type says nothing of threads; code that gives a completion expects it on the queue of completions.
    nonisolated(unsafe) let completion = completion
    queue.begin(queue.ticket(), ofScreen: isScreen, work) { completion($0.isSuccess, $0.stage, $0.error) }
  }
}
