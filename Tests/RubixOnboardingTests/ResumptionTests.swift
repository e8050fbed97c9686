// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import RubixOnboarding

@Suite("Onboarding client: resumption")
struct ResumptionTests {
  private func next(_ path: String, _ step: String = "null") -> String {
    #"[{"step":\#(step),"method":"POST","path":"\#(path)","optional":false}]"#
  }

  private func resumed(_ view: String) async throws -> Resumption {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .json(view))
    return try await device.app().resume()
  }

  @Test("no tokens: start afresh, without asking anybody")
  func fresh() async throws {
    let device = Device.fresh()
    #expect(try await device.app().resume() == .startFresh)
    #expect(await device.bank.requests.isEmpty)
  }

  @Test("the first of the server's next steps is what is shown")
  func goOn() async throws {
    let resumption = try await resumed(Sample.view(next: next("/sessions")))
    guard case .continue(let step) = resumption else {
      Issue.record("got \(resumption)")
      return
    }
    #expect(step.step == nil)
    #expect(step.screen == .session)
  }

  @Test("an ended application is finished", arguments: OnboardingStatus.known)
  func ended(status: OnboardingStatus) async throws {
    let resumption = try await resumed(Sample.view(status: status.rawValue))
    switch status {
    case .pending: #expect(resumption == .waiting(.unspecified))
    case .inReview: #expect(resumption == .waiting(.review))
    default: #expect(resumption == .finished(status))
    }
  }

  @Test("what an agent does is waited for; a review that asks for a call goes on")
  func agent() async throws {
    let verification = next("/agents/verification", #""RBX_ONB_STEP_AGENT_VERIFICATION_SUCCESSFUL""#)
    #expect(try await resumed(Sample.view(next: verification)) == .waiting(.agentCall(nil)))
    let review = try await resumed(Sample.view(status: "in_review", next: next("/agents/appointments")))
    guard case .continue(let step) = review else {
      Issue.record("got \(review)")
      return
    }
    #expect(step.screen == .appointment)
  }

  @Test("a booked call is waited for while the server asks for nothing; one for help is no step")
  func booked() async throws {
    func view(_ reason: String, _ status: String) -> String {
      let call =
        #"{"id":"a1","call_time":"2026-11-22T06:00:00Z","duration_minutes":15,"reason":"\#(reason)","#
        + #""status":"\#(status)","join_url_available_from":"2026-11-22T05:55:00Z","join_url":null}"#
      return Sample.view().replacing(#""appointment":null"#, with: #""appointment":\#(call)"#)
    }
    for status in ["SCHEDULED", "IN_CALL"] {
      guard case .waiting(.agentCall(let call?)) = try await resumed(view("verification", status)) else {
        Issue.record("\(status) is not waited for")
        return
      }
      #expect(call.id == "a1")
    }
    #expect(try await resumed(view("verification", "NO_SHOW")) == .waiting(.unspecified))
    #expect(try await resumed(view("help", "SCHEDULED")) == .waiting(.unspecified))
  }

  @Test("without an answer nothing is decided")
  func offline() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET auth/me", .failure(TransportError(.offline)))
    await #expect(throws: RubixError.transport(TransportError(.offline))) { try await device.app().resume() }
  }

  @Test(
    "every path of the table has its screen",
    arguments: [
      ("/sessions", OnboardingScreen.session), ("/faces/selfie/upload", .selfie),
      ("/faces/liveness/upload", .liveness),
      ("/documents/nationality-id-front/upload", .uploadDocument(.nationalIDFront)),
      ("/documents/national-id-front/process", .processDocument(.nationalIDFront)),
      ("/documents/nationality-id-back/process", .processDocument(.nationalIDBack)),
      ("/documents/passport/upload", .uploadDocument(.passport)),
      ("/documents/driving-license/process", .processDocument(.drivingLicense)),
      ("/documents/verification", .verifyDocuments), ("/otp/sms/send", .sendOTP(.sms)),
      ("/otp/email/verify", .verifyOTP(.email)), ("/aml/screening", .screening), ("/compliance/crs", .crs),
      ("/compliance/fatca", .fatca), ("/compliance/kyc", .kyc), ("/agents/appointments", .appointment),
      ("/agents/verification", .agentVerification), ("/documents/residence-permit/upload", .updateRequired),
      ("", .updateRequired),
    ])
  func screens(path: String, screen: OnboardingScreen) {
    #expect(NextStep(method: "POST", path: path).screen == screen)
  }
}
