// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import FinapticWire
import Synchronization
import Testing

@testable import Finaptic

@Suite("Finaptic: a call")
struct CallTests {
  private let server = PlayedServer()
  private let request = AcceptApplicationRequest(onboardingApplicationId: "a-1")

  @Test("goes to its own path with the client key, and calls back on the main queue, once")
  func shape() async throws {
    server.play(.acceptApplication, PlayedServer.ok(PlayedServer.application("Application Accepted")))
    let sdk = try await server.sdk()
    let count = Mutex(0)
    let mark = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: mark, value: true)
    let isOnMain = await withCheckedContinuation { done in
      sdk.onboardingClient.acceptApplication(request: request) { result in
        count.withLock { $0 += 1 }
        done.resume(returning: DispatchQueue.getSpecific(key: mark) == true && result.error == nil)
      }
    }
    #expect(isOnMain && count.withLock { $0 } == 1)
    let sent = try #require(server.requests(.acceptApplication).first)
    #expect(sent.method == "POST" && sent.url.absoluteString == "https://bank.example" + sent.url.path)
    #expect(sent.url.path == "/finaptic/v1/onboarding/acceptApplication")
    #expect(sent.headers["x-client-key"] == "ck-7" && sent.bearer == nil)
    #expect(sent.text == #"{"onboarding_application_id":"a-1"}"#)
  }

  @Test("is repeated on unavailable only, twice at most, with the same key")
  func repeats() async throws {
    server.play(
      .acceptApplication, PlayedServer.refuse(.unavailable), PlayedServer.fail(.connectionLost),
      PlayedServer.ok(PlayedServer.application()))
    let sdk = try await server.sdk()
    _ = try await sdk.onboardingClient.acceptApplication(request: request)
    let sent = server.requests(.acceptApplication)
    #expect(sent.count == 3 && Set(sent.map(\.idempotencyKey)).count == 1 && sent[0].idempotencyKey != nil)
    #expect(Set(sent.map(\.text)).count == 1)
    #expect(server.pauses.count == 2)
    _ = try await sdk.onboardingClient.acceptApplication(request: request)
    #expect(server.requests(.acceptApplication).last?.idempotencyKey != sent[0].idempotencyKey)

    server.play(.acceptApplication, PlayedServer.refuse(.unavailable))
    let error = await failure { try await sdk.onboardingClient.acceptApplication(request: request) }
    #expect(error?.code == .unavailable && server.requests(.acceptApplication).count == 7)
  }

  @Test(
    "is not repeated on anything else",
    arguments: [
      FinapticCode.invalidArgument, .failedPrecondition, .internal, .resourceExhausted, .deadlineExceeded, .aborted,
      .notFound, .unimplemented,
    ])
  func refusals(code: FinapticCode) async throws {
    server.play(.acceptApplication, PlayedServer.refuse(code))
    let sdk = try await server.sdk()
    let error = await failure { try await sdk.onboardingClient.acceptApplication(request: request) }
    #expect(error?.code.rawValue == code.rawValue && error?.genericCode.rawValue == code.rawValue)
    #expect(server.requests(.acceptApplication).count == 1)
  }

  @Test("waits as long as the server asks for, within its deadline")
  func retryAfter() async throws {
    server.play(
      .acceptApplication, PlayedServer.refuse(.unavailable, retryAfter: 7), PlayedServer.ok(PlayedServer.application()))
    let sdk = try await server.sdk()
    _ = try await sdk.onboardingClient.acceptApplication(request: request)
    #expect(server.pauses.first.map { $0 >= .seconds(7) } == true)
  }

  @Test("has one deadline for all attempts: 30 seconds, 120 where a decision is waited for")
  func deadlines() async throws {
    let server = server
    server.play(
      .cancelApplication, PlayedServer.after({ server.advance(seconds: 12) }, PlayedServer.fail(.unreachable)))
    server.play(.acceptApplication, PlayedServer.fail(.timedOut))
    let sdk = try await server.sdk()
    let late = await failure {
      try await sdk.onboardingClient.cancelApplication(request: CancelApplicationRequest(onboardingApplicationId: "a"))
    }
    #expect(late?.code == .unavailable)
    let attempts = server.requests(.cancelApplication)
    #expect(attempts.first?.deadline == .seconds(30) && attempts.count == 3)
    #expect(attempts.last.map { $0.deadline <= .seconds(6) } == true)
    let error = await failure { try await sdk.onboardingClient.acceptApplication(request: request) }
    #expect(error?.code == .deadlineExceeded)
    #expect(server.requests(.acceptApplication).map(\.deadline) == [.seconds(120)])
  }

  @Test("that only reads takes no idempotency key")
  func reads() async throws {
    server.play(.getReferenceDataByType, PlayedServer.ok(FinapticAPI.ReferenceDataResponse(data: [])))
    let sdk = try await server.sdk()
    for locale in ["en_CA", "en-CA", "EN_CA"] {
      _ = try await sdk.referenceDataClient.getReferenceDataByType(
        request: GetReferenceDataByTypeRequest(dataType: ReferenceDataTypes.state + "CA", locale: locale))
    }
    let sent = server.requests(.getReferenceDataByType)
    #expect(sent.allSatisfy { $0.idempotencyKey == nil })
    #expect(Set(sent.map(\.text)) == [#"{"data_type":"STATE_CA","locale":"EN_CA"}"#])
  }

  @Test("the name that the published sample has is the same call")
  @available(*, deprecated)
  func publishedName() async throws {
    server.play(.getReferenceDataByType, PlayedServer.ok(FinapticAPI.ReferenceDataResponse(data: [])))
    let sdk = try await server.sdk()
    let request = GetReferenceDataByTypeRequest(dataType: ReferenceDataTypes.accountPurpose, locale: "EN_CA")
    let response = try await withCheckedContinuation { done in
      sdk.referenceDataClient.regetReferenceDataByType(request: request) { done.resume(returning: $0) }
    }.get()
    #expect(response.data.isEmpty)
    #expect(server.requests(.getReferenceDataByType).count == 1)
  }

  @Test("says nothing of its values in the log")
  func log() async throws {
    let entries = Mutex<[FinapticLogEntry]>([])
    server.play(.resetPassword, PlayedServer.refuse(.internal, refNumber: "ref-1"))
    let sdk = try await server.sdk { entry in entries.withLock { $0.append(entry) } }
    _ = await failure { try await sdk.authenticationClient.resetPassword(request: ResetRequest(email: "j@doe.ca")) }
    let entry = try #require(entries.withLock { $0.last { $0.method == "authentication/resetPassword" } })
    #expect(entry.code == .internal && entry.refNumber == "ref-1" && entry.attempts == 1)
    #expect("\(entry)" == "authentication/resetPassword INTERNAL 0 ms, 1 sent ref ref-1")
  }
}

/// The error that the call ends with; nil when it succeeds.
func failure(_ call: () async throws -> Any) async -> FinapticError? {
  do {
    _ = try await call()
    return nil
  } catch {
    return error as? FinapticError
  }
}
