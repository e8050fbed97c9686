// SPDX-License-Identifier: Apache-2.0

public import PowerAuth2
internal import WultraWire

/// What an activation by an onboarding process is made of (wultra-onboarding.md §2).
public protocol WDOActivationData: Sendable {
  /// Of the process.
  var processId: String { get }
  /// What PowerAuth's server is told.
  func asAttributes() -> [String: String]
}

/// A process and the code that the user was sent.
struct OnboardingActivationData: WDOActivationData {
  let processId: String
  let otp: String

  func asAttributes() -> [String: String] {
    ["processId": processId, "otpCode": otp, "credentialsType": Wultra.credentialsType]
  }
}

extension PowerAuthSDK {
  /// Creates an activation by an onboarding process.
  /// - Throws: when the data has no attributes.
  @preconcurrency @discardableResult
  public func createActivation(
    data: any WDOActivationData, name: String,
    callback: @escaping @MainActor @Sendable (Result<PowerAuthActivationResult, any Error>) -> Void
  ) throws -> (any PowerAuthOperationTask)? {
    let activation = try PowerAuthActivation(identityAttributes: data.asAttributes(), name: name)
    return createActivation(activation) { result, error in
      if let result {
        callback(.success(result))
      } else {
        callback(.failure(error ?? WDOError("PowerAuth gave neither a result nor an error.")))
      }
    }
  }
}
