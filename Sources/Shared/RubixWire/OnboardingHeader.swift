// SPDX-License-Identifier: Apache-2.0

/// Names of the headers of the Rubix dialect (rubix-onboarding §1.1).
public enum OnboardingHeader {
  /// JWT access token: in the answer of register and refresh, in the request of everything else.
  public static let accessToken = "x-access-token"
  /// Opaque refresh token: in the answer of register and refresh, in the request of refresh only.
  public static let refreshToken = "x-refresh-token"
  /// One UUID per request, echoed in the answer.
  public static let correlationID = "x-correlation-id"
  /// `mobile` or `web`.
  public static let channelID = "x-channel-id"
  /// The institution; the default one when absent.
  public static let tenantID = "x-tenant-id"
  /// One UUID per intended change (§5.2).
  public static let idempotencyKey = "Idempotency-Key"
  /// `true` on a stored answer (§5.2).
  public static let idempotencyReplayed = "Idempotency-Replayed"
}
