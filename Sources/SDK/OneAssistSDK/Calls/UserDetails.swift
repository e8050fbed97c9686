// SPDX-License-Identifier: Apache-2.0

internal import OneAssistCore

/// PIN code and address, as the app gave them. Blank is as good as absent.
struct UserDetails: Sendable, Equatable {
  var pinCode: String?
  var address: String?
  /// Whether what is not given is taken from the order, as version 0.0.5 does (specification §12).
  var isCompletedByOrder = false

  /// White space around does not count.
  init(pinCode: String?, address: String?, isCompletedByOrder: Bool = false) {
    (self.pinCode, self.address) = (pinCode?.strippedOrNil, address?.strippedOrNil)
    self.isCompletedByOrder = isCompletedByOrder
  }

  /// What is there of it, and of the order where that counts.
  func completed(by order: UserDetails) -> UserDetails {
    guard isCompletedByOrder else { return self }
    return UserDetails(pinCode: pinCode ?? order.pinCode, address: address ?? order.address)
  }

  /// Whether nothing is missing.
  var isComplete: Bool { pinCode != nil && address != nil }

  func fault(in call: ActivationCall) -> ArgumentFault? {
    ArgumentFault.ofDetails(pinCode: pinCode, address: address, in: call)
  }
}

extension String {
  /// Without white space around it; nil when nothing is left.
  var strippedOrNil: String? {
    let start = drop(while: \.isWhitespace)
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
    return String(start[...last])
  }
}
