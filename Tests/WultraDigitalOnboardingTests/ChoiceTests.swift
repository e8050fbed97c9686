// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import PowerAuthPeer
import Testing
import WultraPowerAuthNetworking
import WultraWire

@testable import WultraDigitalOnboarding

@Suite("Onboarding app: what the user is told before they try")
struct ChoiceTests {
  typealias Fail = WDOVerificationService.Fail

  let server = OnboardingPeer()

  private func activated() async throws -> WDOVerificationService {
    WDOVerificationService(networking: server.networking(try await server.phone.activated()))
  }

  @Test("a choice that is less than the server needs is refused when it is made, and the one before stays")
  func tooFew() async throws {
    let service = try await activated()
    let store = try #require(server.phone.store as? MemorySecureStore)
    server.set { $0.requirements = Wultra.DocumentRequirements(primary: [.idCard], distinctCount: 2) }
    for types in [[WDODocumentType.idCard], [.idCard, .idCard], [.passport, .driversLicense], []] {
      let failure = await fail { () async throws(Fail) in
        _ = try await service.documentsSetSelectedTypes(types: types)
      }
      #expect(failure?.cause.reason == .wdo_verification_tooFewDocuments)
      #expect(failure?.state?.description == "WDOVerificationState.documentsToScanSelect")
      #expect(store.contents["wdocp_default"] == nil)
    }
    let enough = try await service.documentsSetSelectedTypes(types: [.passport, .idCard])
    #expect(enough.state.description == "WDOVerificationState.scanDocument")
    // Without an answer the choice is the user's, as in the published SDK.
    server.override(.configuration, "", status: 500)
    let other = try await service.documentsSetSelectedTypes(types: [.passport])
    #expect(other.state.description == "WDOVerificationState.scanDocument")
  }

  @Test("the state of the code tells from the start how many may be tried, where the server counts")
  func attempts() async throws {
    let service = try await activated()
    server.at(.otpVerification, .verificationPending)
    for left in [nil, 5, 3] as [Int?] {
      server.set { $0.attemptsLeft = left }
      guard case .otp(let told) = try await service.status() else {
        Issue.record("no code is asked for")
        return
      }
      #expect(told == left)
    }
  }
}
