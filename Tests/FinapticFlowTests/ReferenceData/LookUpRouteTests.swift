// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic: lists of codes and suggestions, over the router")
struct LookUpRouteTests {
  private static func ask(
    _ app: AccountTestApp, _ method: FinapticMethod, _ body: some Encodable, key: String? = nil, token: String? = nil
  ) async throws -> AccountTestApp.Answer {
    var headers = ["X-Client-Key": key ?? app.key]
    if let token { headers["Authorization"] = "Bearer \(token)" }
    return try await app.call(.post, method.path, try WireJSON.encode(body), headers: headers)
  }

  @Test("a list in either language, to every caller with a client key")
  func lists() async throws {
    try await AccountTestApp.run { app in
      for (locale, text) in [("EN_CA", "Travelling"), ("fr-CA", "Voyages")] {
        let answer = try await Self.ask(
          app, .getReferenceDataByType,
          FinapticAPI.ReferenceDataRequest(dataType: "ACCOUNT_PURPOSE", locale: locale))
        let data = try answer.view(FinapticAPI.ReferenceDataResponse.self).data
        #expect(data.count == 8 && data.contains { $0.code == "ACCOUNT_PURPOSE_TRAVELLING" && $0.value == text })
        #expect(data.allSatisfy { $0.dataType == "ACCOUNT_PURPOSE" && $0.locale.count == 5 })
      }
      let states = try await Self.ask(
        app, .getReferenceDataByType, FinapticAPI.ReferenceDataRequest(dataType: "STATE_FR", locale: "EN_CA"))
      #expect(try states.view(FinapticAPI.ReferenceDataResponse.self).data.isEmpty)
      let wrong = try await Self.ask(
        app, .getReferenceDataByType, FinapticAPI.ReferenceDataRequest(dataType: "STATE", locale: "EN_US"))
      #expect(wrong.refusal == "400 INVALID_ARGUMENT INVALID_ARGUMENT")
      #expect(wrong.error?.details?.fieldViolations?.map(\.field) == ["dataType", "locale"])
      let nobody = try await Self.ask(
        app, .getReferenceDataByType, FinapticAPI.ReferenceDataRequest(dataType: "COUNTRY", locale: "EN_CA"),
        key: "7f3f0d1e-0000-4000-8000-000000000000")
      #expect(nobody.refusal == "401 UNAUTHENTICATED UNAUTHENTICATED")
    }
  }

  @Test("the configuration says the version of the lists")
  func version() async throws {
    try await AccountTestApp.run { app in
      let answer = try await app.call(
        .get, FinapticAPI.configurationPath, headers: ["X-Client-Key": app.key])
      let configuration = try answer.view(FinapticAPI.Configuration.self)
      #expect(configuration.referenceDataVersion == app.service.dependencies.library.catalogue.version)
    }
  }

  @Test("suggestions are for an application of the tenant, ten a second")
  func suggestions() async throws {
    try await AccountTestApp.run { app in
      let begun = try await Self.ask(
        app, .initiateApplication, FinapticAPI.InitiateApplicationRequest(bundleId: "prepaidV1"))
      let id = try begun.view(FinapticAPI.ApplicationResponse.self).basicDetails.applicationId
      func ask(_ id: String?, _ pattern: String?, _ type: String? = "HOME", key: String? = nil) async throws
        -> AccountTestApp.Answer
      {
        try await Self.ask(
          app, .getSuggestions,
          FinapticAPI.AddressSuggestionsRequest(onboardingApplicationId: id, pattern: pattern, addressType: type),
          key: key)
      }
      func found(_ answer: AccountTestApp.Answer) throws -> [FinapticAPI.Address] {
        try answer.view(FinapticAPI.AddressSuggestionsResponse.self).suggestions
      }
      let home = try found(try await ask(id, "123"))
      #expect(home.count == 10 && home.allSatisfy { $0.type == "HOME" && $0.country == "Canada" })
      #expect(try found(try await ask(id, "123 copperleaf", "WORK")).allSatisfy { $0.type == "WORK" })
      for pattern in ["12", " ", nil] { #expect(try found(try await ask(id, pattern)).isEmpty) }
      let wrong = try await ask("42", "123", "BARN")
      #expect(wrong.error?.details?.fieldViolations?.map(\.field) == ["onboardingApplicationId", "addressType"])
      #expect(try await ask("7f3f0d1e-0000-4000-8000-000000000000", "123").code == "NOT_FOUND")
      #expect(try await ask(id, "123", key: app.otherKey).code == "NOT_FOUND")
      // Five were answered in this second.
      for _ in 0..<5 { #expect(try await ask(id, "123").code == nil) }
      let much = try await ask(id, "123")
      #expect(much.code == "RESOURCE_EXHAUSTED" && much.status == 429)
      app.clock.advance(by: .seconds(1))
      #expect(try await ask(id, "123").code == nil)
    }
  }
}
