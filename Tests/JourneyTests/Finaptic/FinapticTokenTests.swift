// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import Foundation
import GatehouseTransport
import GatehouseWire
import RubixWire
import FinapticWire
import Kit
import TestSupport
import Testing

@testable import GatehouseApp

/// Every method of the wire, with tokens that do not let in (finaptic §2.4).
@Suite("Finaptic tokens: every method", .onOneEngine)
struct FinapticTokenTests {
  /// Class U: a user who signed in.
  private static let users: [FinapticMethod] = [
    .finalizeApplicationCreateCustomer, .getUserInfo, .startChat, .sendMessage, .stopContact,
  ]
  /// Class A: a caller with an SDK key.
  private static let anybody: [FinapticMethod] = [
    .initiateApplication, .updatePersonalDetails, .updateContactDetails, .updateAccountDetails, .updateAddresses,
    .updateConsents, .updateCustomerResidency, .updateDisclosures, .updateEmployment, .updateCommunicationPreferences,
    .createFileUploadURL, .validateDocuments, .validateSelfie, .validateApplication, .acceptApplication,
    .cancelApplication, .getApplicationStatus, .getReferenceDataByType, .getSuggestions, .signUp, .signIn,
    .refreshAuthState, .signOut, .resetPassword,
  ]
  /// Class C: customers.
  private static let customers = FinapticMethod.all.filter { !users.contains($0) && !anybody.contains($0) }

  private static let unknown = "00000000-0000-4000-8000-000000000000"
  private static let password = "Quartz7&violet"

  /// The code of a call without content.
  private static func code(
    _ method: FinapticMethod, _ token: String?, in app: FinapticTestApp, key: String? = nil
  ) async throws -> (code: String, message: String) {
    let sdkKey = try FinapticSDKKey(key ?? app.sdkKey)
    let url = try #require(URL(string: "http://127.0.0.1:8080\(method.path)"))
    var headers: TransportHeaders = ["content-type": "application/json"]
    headers[FinapticAPI.clientKeyHeader] = sdkKey.clientKey
    headers["authorization"] = token.map { "Bearer \($0)" }
    let answer = try await app.transport.send(
      TransportRequest(method: "POST", url: url, headers: headers, body: Data("{}".utf8)))
    guard !answer.isSuccess else { return ("OK", "") }
    let body = try WireJSON.decode(FinapticAPI.ErrorBody.self, from: answer.body)
    return (body.details?.errorCode ?? body.code, body.message)
  }

  /// A user who signed up and in, and is no customer.
  private static func user(_ email: String, _ sdk: FinapticSDK) async throws -> AuthState {
    let credential = Credential(email: email, password: password)
    try await sdk.authenticationClient.signUp(request: SignUpRequest(credential: credential))
    return try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
  }

  @Test("without a token, only what anybody may do is done")
  func none() async throws {
    try await FinapticTestApp.run { app in
      for method in Self.users + Self.customers {
        let answer = try await Self.code(method, nil, in: app)
        #expect(answer.code == "UNAUTHENTICATED", "\(method.path)")
      }
      for method in Self.anybody {
        let answer = try await Self.code(method, nil, in: app)
        #expect(answer.code != "UNAUTHENTICATED", "\(method.path)")
      }
    }
  }

  @Test("a token that is changed, of another tenant, signed out or expired, and one that renews, are refused")
  func over() async throws {
    try await FinapticTestApp.run { app in
      let state = try await Self.user("ada@example.ca", try await app.phone())
      let tenants = app.app.finaptic.dependencies.tenants
      try await tenants.add(8, name: "Other", kind: .sandbox, by: "test")
      let other = try await tenants.issueKey("app", tenant: 8, by: "test").sdkKey.text
      let left = try await app.phone()
      let signedOut = try await Self.user("bob@example.ca", left).accessToken
      try await left.authenticationClient.signOut()
      let changed = String(state.accessToken.dropLast(2)) + (state.accessToken.hasSuffix("AA") ? "BB" : "AA")
      for method in Self.users + Self.customers {
        for (what, token) in [
          ("changed", changed), ("to renew", state.refreshToken), ("signed out", signedOut), ("none", "x"),
        ] {
          #expect(try await Self.code(method, token, in: app).code == "UNAUTHENTICATED", "\(method.path) \(what)")
        }
        let elsewhere = try await Self.code(method, state.accessToken, in: app, key: other)
        #expect(elsewhere.code == "UNAUTHENTICATED", "\(method.path)")
      }
      // Good, so far.
      #expect(try await Self.code(.getUserInfo, state.accessToken, in: app).code == "OK")
      app.clock.advance(by: .minutes(15))
      for method in Self.users + Self.customers {
        #expect(try await Self.code(method, state.accessToken, in: app).code == "UNAUTHENTICATED", "\(method.path)")
      }
    }
  }

  @Test("a refresh token that was used before is refused, and ends the session with all its tokens")
  func replayed() async throws {
    try await FinapticTestApp.run { app in
      let sdk = try await app.phone()
      let first = try await Self.user("ada@example.ca", sdk)
      let renewed = try #require(try await sdk.authenticationClient.refreshAuthState())
      #expect(renewed.refreshToken != first.refreshToken)
      let body = FinapticAPI.RefreshTokenRequest(refreshToken: first.refreshToken)
      #expect(try await Self.refresh(body, in: app) == "SIGNIN_ERROR")
      #expect(try await Self.code(.getUserInfo, renewed.accessToken, in: app).code == "UNAUTHENTICATED")
      do throws(FinapticError) {
        _ = try await sdk.authenticationClient.refreshAuthState()
        Issue.record("the session goes on")
      } catch { #expect(error.code == .signinError) }
      #expect(await sdk.authenticationClient.currentAuthState() == nil)
    }
  }

  private static func refresh(_ body: FinapticAPI.RefreshTokenRequest, in app: FinapticTestApp) async throws -> String {
    let url = try #require(URL(string: "http://127.0.0.1:8080\(FinapticMethod.refreshAuthState.path)"))
    let headers: TransportHeaders = [
      "content-type": "application/json", "x-client-key": try FinapticSDKKey(app.sdkKey).clientKey,
    ]
    let answer = try await app.transport.send(
      TransportRequest(method: "POST", url: url, headers: headers, body: try WireJSON.encode(body)))
    return try WireJSON.decode(FinapticAPI.ErrorBody.self, from: answer.body).details?.errorCode ?? ""
  }

  @Test("who is no customer yet is refused what customers do, and a client without a scope what needs it, by its name")
  func roles() async throws {
    try await FinapticTestApp.run { app in
      let state = try await Self.user("ada@example.ca", try await app.phone())
      for method in Self.customers {
        #expect(
          try await Self.code(method, state.accessToken, in: app).code == "PERMISSION_DENIED", "\(method.path)")
      }
      for method in Self.users {
        let code = try await Self.code(method, state.accessToken, in: app).code
        #expect(!["UNAUTHENTICATED", "PERMISSION_DENIED"].contains(code), "\(method.path) \(code)")
      }
      let (sdk, _, account) = try await FinapticApplicant.customer(in: app, email: "bob@example.ca")
      let token = try #require(await sdk.authenticationClient.currentAuthState()).accessToken
      for method in Self.customers where method != .removeAuthorizedUser {
        let code = try await Self.code(method, token, in: app).code
        #expect(!["UNAUTHENTICATED", "PERMISSION_DENIED"].contains(code), "\(method.path) \(code)")
      }
      do throws(FinapticError) {
        _ = try await sdk.onboardingClient.removeAuthorizedUser(
          request: RemoveAuthorizedUserRequest(accountId: account, authorizedUser: Self.unknown))
        Issue.record("it was done without the scope")
      } catch { #expect(error.code == .permissionDenied && error.message.contains("remove:authorized_user")) }
    }
  }
}
