// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

@testable import RubixOnboarding

/// A device with our SDK on it, next to a bank; nothing waits, and what would have been waited is kept.
final class Device: Sendable {
  let bank = FakeBank()
  let store: SecureTokenStore
  let secrets: MemorySecureStore
  private let asked = Mutex<[Duration]>([])

  static let tokens = OnboardingTokens(accessToken: "A1", refreshToken: "R1", deviceID: "device-0123456789")

  private init(_ secrets: MemorySecureStore) {
    self.secrets = secrets
    store = SecureTokenStore(secrets)
  }

  /// A device whose user never registered.
  static func fresh() -> Device { Device(MemorySecureStore()) }

  /// A device with an application under way.
  static func registered() async throws -> Device {
    let device = fresh()
    try await device.store.save(tokens)
    return device
  }

  var pauses: [Duration] { asked.withLock { $0 } }

  /// The app, started anew: nothing in memory.
  func app(tokenStore: (any TokenStore)? = nil, policy: OnboardingPolicy = OnboardingPolicy()) -> RubixOnboarding {
    let clock = ClientClock { (duration) async throws(CancellationError) in
      self.asked.withLock { $0.append(duration) }
    }
    return RubixOnboarding(
      baseURL: URL(string: "https://bank.example")!, tenant: "utopia", tokenStore: tokenStore ?? store,
      transport: bank.transport, clock: clock, randomness: ClientRandomness(unit: { 0.5 }, uuid: { UUID() }),
      policy: policy)
  }
}

/// Views as the server writes them.
enum Sample {
  static func view(
    status: String = "pending", lastStep: String = "RBX_ONB_STEP_REG_INITIATED", next: String = "[]", more: String = ""
  ) -> String {
    """
    {"id":"0d5c","status":"\(status)","last_step":"\(lastStep)","completed_steps":["\(lastStep)"],"next_steps":\(next),
     "customer":{"first_name":null,"last_name":"MUSTERMANN","contact_no":"+9655•••1234","email":"a•••@example.com"},
     "flags":{"is_contact_no_verified":false,"is_email_verified":false,"is_evaluation_verified":null,
              "is_aml_verified":false},
     "session":null,"documents":[],"appointment":null,\(more)
     "created_on":"2026-11-21T06:00:00Z","updated_on":"2026-11-21T06:00:00Z","expires_on":"2027-02-19T06:00:00Z"}
    """
  }

  static let sent =
    #"{"status":"SUCCESS","destination":"+9655•••1234","expires_in":300,"resend_in":60,"code_length":6,"sends_left":4}"#

  static func document(_ status: String) -> String {
    """
    {"id":"d-1","type":"PASSPORT","status":"\(status)","mrz":null,"visual_zone":null,"portrait_id":null,"checks":[]}
    """
  }

  static func appointment(_ status: String = "SCHEDULED") -> String {
    """
    {"id":"p-1","call_time":"2026-11-22T08:00:00Z","duration_minutes":15,"status":"\(status)",
     "join_url_available_from":"2026-11-22T07:55:00Z"}
    """
  }

  static let registration = RegisterRequest(
    deviceID: "device-0123456789", platform: .ios, contactNo: "+96550001234", email: "a@example.com",
    consents: [
      ConsentGrant(code: .terms, version: "2026-01", acceptedAt: WireInstant(millisecondsSince1970: 0)),
      ConsentGrant(code: .biometrics, version: "2026-01", acceptedAt: WireInstant(millisecondsSince1970: 0)),
    ])
}
