// SPDX-License-Identifier: Apache-2.0

public import RubixWire

extension RubixOnboarding {
  /// Sends a code to the phone number or the e-mail address (§6.10).
  public func sendOTP(_ channel: OTPChannel) async throws(RubixError) -> SendOTPResponse {
    try await send(call("POST", "otp/\(channel.rawValue)/send"))
  }

  /// Checks the code that the customer typed (§6.10). A wrong one is the problem `otp-mismatch` with `attemptsLeft`.
  public func verifyOTP(_ channel: OTPChannel, code: String) async throws(RubixError) -> VerifyOTPResponse {
    try await send(call("POST", "otp/\(channel.rawValue)/verify", body: VerifyOTPRequest(code: code, type: channel)))
  }

  /// Has the customer screened, and waits for the answer (§6.11).
  /// - Returns: Still `pending` when it took longer than the policy's polls; `resume()` tells later.
  public func screenAML() async throws(RubixError) -> CustomerScreening {
    var response = try await authorized(call("POST", "aml/screening"))
    var screening = try response.decoded(as: CustomerScreening.self)
    var polls = 0
    while screening.status == .pending, polls < policy.pollsMax {
      try await pause(for: pollDelay(after: response))
      response = try await authorized(call("GET", "aml/screening"))
      screening = try response.decoded(as: CustomerScreening.self)
      polls += 1
    }
    return screening
  }
}
