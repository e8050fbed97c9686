// SPDX-License-Identifier: Apache-2.0

// Names of version 0.0.5, so that an app that was written for it compiles (specification §12). Codes and rules are those
// of 0.0.1.

/// Where the user lives, as version 0.0.5 takes it.
@available(*, deprecated, message: "Give pincode and address.")
public struct OAAddressInfo: Sendable, Equatable {
  /// Six digits.
  public var pinCode: String?
  /// 5 to 255 characters.
  public var address: String?

  /// Creates the value from its members.
  public init(pinCode: String? = nil, address: String? = nil) { (self.pinCode, self.address) = (pinCode, address) }
}

extension OAActivation {
  /// See `fetchDeviceId(pincode:address:completion:)`. What is not given is taken from the order.
  @available(*, deprecated, renamed: "fetchDeviceId(pincode:address:completion:)")
  public func fetchDeviceId(addressInfo: OAAddressInfo?, completion: @escaping OAActivationCompletion) {
    let details = UserDetails(pinCode: addressInfo?.pinCode, address: addressInfo?.address, isCompletedByOrder: true)
    later(completion) { (activation) async throws(OAError) in try await activation.fetchDeviceId(details) }
  }

  /// See `submitBasicDetails(pincode:address:completion:)`. What is not given is taken from the order.
  @available(*, deprecated, renamed: "submitBasicDetails(pincode:address:completion:)")
  public func submitBasicDetails(addressInfo: OAAddressInfo?, completion: @escaping OAActivationCompletion) {
    let details = UserDetails(pinCode: addressInfo?.pinCode, address: addressInfo?.address, isCompletedByOrder: true)
    later(completion) { (activation) async throws(OAError) in try await activation.submit(details) }
  }

  private func later(_ completion: @escaping OAActivationCompletion, _ work: @escaping CallQueue.Work) {
    // As in `call`: the published type says nothing of threads.
    nonisolated(unsafe) let completion = completion
    queue.begin(queue.ticket(), work) { completion($0.isSuccess, $0.stage, $0.error) }
  }
}

extension OAError {
  /// See `ERROR_EMPTY_ACTIVATION_CODE`.
  @available(*, deprecated, renamed: "ERROR_EMPTY_ACTIVATION_CODE")
  public static var ERROR_EMPTY_ORDER_UUID: OAError { .ERROR_EMPTY_ACTIVATION_CODE }

  /// See `ERROR_UNABLE_TO_PROCESS_DESC`.
  @available(*, deprecated, renamed: "ERROR_UNABLE_TO_PROCESS_DESC")
  public static var ERROR_INTERNAL_ERROR: OAError { .ERROR_UNABLE_TO_PROCESS_DESC }
}
