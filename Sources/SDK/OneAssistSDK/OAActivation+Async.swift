// SPDX-License-Identifier: Apache-2.0

extension OAActivation {
  /// See `initializeSDK(token:isDebugMode:apiEndPoint:completion:)`.
  @discardableResult
  public func initializeSDK(
    token: String, isDebugMode: Bool = false, apiEndPoint: String? = nil
  ) async throws(OAError) -> OAAction {
    var outcome = CallOutcome(stage: .initializedSDK)
    initializeSDK(token: token, isDebugMode: isDebugMode, apiEndPoint: apiEndPoint) { _, stage, error in
      outcome = CallOutcome(stage: stage, error: error)
    }
    return try outcome.get()
  }

  /// See `startActivation(for:completion:)`. When the task is cancelled, it throws 4006, as all of these do.
  @discardableResult
  public func startActivation(for activationCode: String) async throws(OAError) -> OAAction {
    try await call { (activation) async throws(OAError) in try await activation.start(activationCode) }
  }

  /// See `fetchDeviceId(pincode:address:completion:)`.
  @discardableResult
  public func fetchDeviceId(pincode: String? = nil, address: String? = nil) async throws(OAError) -> OAAction {
    try await call { (activation) async throws(OAError) in
      try await activation.fetchDeviceId(UserDetails(pinCode: pincode, address: address))
    }
  }

  /// See `submitBasicDetails(pincode:address:completion:)`.
  @discardableResult
  public func submitBasicDetails(pincode: String, address: String) async throws(OAError) -> OAAction {
    try await call { (activation) async throws(OAError) in
      try await activation.submit(UserDetails(pinCode: pincode, address: address))
    }
  }

  /// See `sendUploadLink(_:completion:)`.
  @discardableResult
  public func sendUploadLink(_ mobileNumber: String) async throws(OAError) -> OAAction {
    try await call { (activation) async throws(OAError) in try await activation.sendLink(to: mobileNumber) }
  }

  /// See `openSecureScreen(onViewController:completion:)`. Cancelling the task closes the screen.
  @discardableResult
  public func openSecureScreen(onViewController viewController: OAViewController) async throws(OAError) -> OAAction {
    try await call(ofScreen: true) { (activation) async throws(OAError) in
      try await activation.openScreen(on: viewController)
    }
  }

  private func call(
    ofScreen isScreen: Bool = false, _ work: @escaping CallQueue.Work
  ) async throws(OAError) -> OAAction {
    let (queue, ticket) = (queue, queue.ticket())
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.begin(ticket, ofScreen: isScreen, work) { continuation.resume(returning: $0) }
        // A cancellation before `begin` found nothing to cancel.
        if Task.isCancelled { queue.cancel(ticket) }
      }
    } onCancel: {
      queue.cancel(ticket)
    }
    return try outcome.get()
  }
}
