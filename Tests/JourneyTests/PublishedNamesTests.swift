// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import RubixWire
import Testing

/// Names that the published text of the onboarding API gives to members: "verification type (SMS/ email)", "sub-step".
@Suite("Journey: members by their published names", .onOneEngine)
struct PublishedNamesTests {
  private static func send(
    _ path: String, _ body: Data, type: String = "application/json", token: String, in journey: JourneyTestApp
  ) async throws -> TransportResponse {
    var headers: TransportHeaders = ["content-type": type, "idempotency-key": UUID().uuidString.lowercased()]
    headers[OnboardingHeader.accessToken] = token
    return try await journey.transport.send(
      TransportRequest(
        method: "POST", url: JourneyTestApp.address.appending(path: "api/v1/onboarding\(path)"), headers: headers,
        body: body))
  }

  @Test("a code is verified with a verification type, in capitals or not; another one than the path's is refused")
  func verificationType() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      let token = try #require(try await phone.store.load()).accessToken
      func verify(_ members: String) async throws -> TransportResponse {
        try await Self.send("/otp/sms/verify", Data("{\(members)}".utf8), token: token, in: journey)
      }
      _ = try await phone.app.sendOTP(.sms)
      let code = try await journey.code(to: phone.contactNo)
      for refused in [
        #""verification_type":"email""#, #""verification_type":"letter""#, #""verification_type":"SMS","type":"email""#,
      ] {
        #expect(try await verify("\"code\":\"\(code)\",\(refused)").status == 422, "\(refused)")
      }
      #expect(try await verify("\"code\":\"\(code)\",\"verification_type\":\"SMS\"").status == 200)
      #expect(try await phone.app.me().flags.isContactNoVerified)
      for taken in [#""type":"SMS""#, #""type":"sms","verification_type":"SMS""#, #""verification_type":null"#] {
        #expect(try await verify("\"code\":\"\(code)\",\(taken)").status == 200, "\(taken)")
      }
    }
  }

  @Test("selfies are named by their sub-step, in JSON and in forms; two names for one picture are refused")
  func subStep() async throws {
    try await JourneyTestApp.run { journey in
      let phone = JourneyPhone(journey)
      try await phone.register()
      _ = try await phone.app.createSession()
      let token = try #require(try await phone.store.load()).accessToken
      let picture = try JourneyPapers.selfie
      func json(_ members: String) -> Data { Data("{\"file\":\"\(picture.base64EncodedString())\",\(members)}".utf8) }
      let two = json(#""sub_step":"FACE_CAPTURE","sub_type":"FACE_ENROLLMENT""#)
      #expect(try await Self.send("/faces/selfie/upload", two, token: token, in: journey).status == 422)
      let first = json(#""sub_step":"FACE_CAPTURE""#)
      #expect(try await Self.send("/faces/selfie/upload", first, token: token, in: journey).status == 201)
      func form(_ names: String...) -> Data {
        var form = Data()
        for name in names {
          form += Data("--b\r\ncontent-disposition: form-data; name=\"\(name)\"\r\n\r\nFACE_ENROLLMENT\r\n".utf8)
        }
        form += Data("--b\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a.jpg\"\r\n\r\n".utf8)
        return form + picture + Data("\r\n--b--\r\n".utf8)
      }
      let type = "multipart/form-data; boundary=b"
      for (names, status) in [(form("sub_step", "sub_type"), 400), (form("sub_step"), 201)] {
        let answer = try await Self.send("/faces/selfie/upload", names, type: type, token: token, in: journey)
        #expect(answer.status == status)
      }
      #expect(try await phone.app.me().session?.selfies == [.faceCapture, .faceEnrollment])
    }
  }
}
