// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import RubixOnboarding

@Suite("Onboarding client: calls and their answers")
struct CallTests {
  @Test("registering keeps the tokens of the headers before it returns")
  func register() async throws {
    let device = Device.fresh()
    await device.bank.on(
      "POST auth/register",
      .json(Sample.view(), headers: ["X-Access-Token": "A1", "X-Refresh-Token": "R1"]))
    let view = try await device.app().register(Sample.registration)
    #expect(view.lastStep == .registrationInitiated)
    #expect(try await device.store.load() == Device.tokens)
    let request = try #require(await device.bank.requests.first)
    #expect(request.url.absoluteString == "https://bank.example/api/v1/onboarding/auth/register")
    #expect(request.headers["x-access-token"] == nil)
    #expect(request.headers["x-tenant-id"] == "utopia")
    #expect(request.headers["x-channel-id"] == "mobile")
    for header in ["x-correlation-id", "idempotency-key"] {
      #expect(request.headers[header].flatMap { UUID(uuidString: $0) } != nil)
    }
  }

  @Test("a replayed registration that comes without tokens is made anew under a fresh key")
  func replayedRegistration() async throws {
    let device = Device.fresh()
    await device.bank.on(
      "POST auth/register", .json(Sample.view(), headers: ["Idempotency-Replayed": "true"]),
      .json(Sample.view(), headers: ["x-access-token": "A1", "x-refresh-token": "R1"]))
    _ = try await device.app().register(Sample.registration)
    #expect(Set(await device.bank.keys("POST auth/register")).count == 2)
  }

  @Test("a registration without tokens is not taken for one")
  func registrationWithoutTokens() async throws {
    let device = Device.fresh()
    await device.bank.on("POST auth/register", .json(Sample.view()))
    await #expect(throws: RubixError.decoding("x-access-token")) {
      try await device.app().register(Sample.registration)
    }
    #expect(try await device.store.load() == nil)
  }

  @Test("without tokens no call leaves the device")
  func noTokens() async throws {
    let device = Device.fresh()
    await #expect(throws: RubixError.sessionLost) { try await device.app().verifyDocuments() }
    #expect(await device.bank.requests.isEmpty)
  }

  @Test("two calls have two keys, and only POSTs have one")
  func keys() async throws {
    let device = try await Device.registered()
    await device.bank.on("POST otp/email/send", .json(Sample.sent))
    await device.bank.on("GET auth/me", .json(Sample.view()))
    let app = device.app()
    _ = try await app.sendOTP(.email)
    _ = try await app.sendOTP(.email)
    _ = try await app.me()
    #expect(Set(await device.bank.keys("POST otp/email/send")).count == 2)
    #expect(await device.bank.keys("GET auth/me") == [nil])
  }

  @Test("a first attempt that is still being worked on is waited for")
  func inProgress() async throws {
    let device = try await Device.registered()
    await device.bank.on(
      "POST otp/sms/send", .failure(TransportError(.timedOut)),
      .problem(409, "step-in-progress", headers: ["retry-after": "2"]), .json(Sample.sent))
    #expect(try await device.app().sendOTP(.sms).sendsLeft == 4)
    #expect(Set(await device.bank.keys("POST otp/sms/send")).count == 1)
    #expect(device.pauses.last.map { $0 >= .seconds(2) } == true)
  }

  @Test("retries end, and the failure is told")
  func bounded() async throws {
    let device = try await Device.registered()
    await device.bank.on("POST documents/verification", .failure(TransportError(.timedOut)))
    await #expect(throws: RubixError.transport(TransportError(.timedOut))) {
      try await device.app().verifyDocuments()
    }
    #expect(await device.bank.count("POST documents/verification") == RetryPolicy().attemptsMax)
  }

  @Test("reading a document is polled as often as the server says, each time as a call of its own")
  func processPolls() async throws {
    let device = try await Device.registered()
    let reading = FakeBank.Outcome.json(Sample.document("PROCESSING"), headers: ["retry-after": "3"])
    await device.bank.on("POST documents/passport/process", reading, reading, .json(Sample.document("PROCESSED")))
    #expect(try await device.app().process(.passport).status == .processed)
    #expect(device.pauses == [.seconds(3), .seconds(3)])
    #expect(Set(await device.bank.keys("POST documents/passport/process")).count == 3)
  }

  @Test("polling ends at its maximum with what is known, and no wait exceeds its maximum")
  func pollsBounded() async throws {
    let device = try await Device.registered()
    await device.bank.on(
      "POST documents/passport/process", .json(Sample.document("PROCESSING"), headers: ["retry-after": "900"]))
    await device.bank.on("POST aml/screening", .json(#"{"status":"pending","screened_on":null}"#))
    await device.bank.on("GET aml/screening", .json(#"{"status":"pending","screened_on":null}"#))
    let app = device.app(policy: OnboardingPolicy(pollsMax: 4))
    #expect(try await app.process(.passport).status == .processing)
    #expect(await device.bank.count("POST documents/passport/process") == 4)
    #expect(device.pauses == Array(repeating: .seconds(10), count: 3))
    #expect(try await app.screenAML().status == .pending)
    #expect(await device.bank.count("GET aml/screening") == 4)
  }

  @Test("a screening is asked for once, then looked at until it is answered")
  func screeningPolls() async throws {
    let device = try await Device.registered()
    let pending = FakeBank.Outcome.json(#"{"status":"pending","screened_on":null}"#)
    await device.bank.on("POST aml/screening", pending)
    await device.bank.on(
      "GET aml/screening", pending, .json(#"{"status":"clean","screened_on":"2026-11-21T06:00:00Z"}"#))
    #expect(try await device.app().screenAML().status == .clean)
    #expect(await device.bank.count("POST aml/screening") == 1)
    #expect(await device.bank.count("GET aml/screening") == 2)
  }

  @Test("a problem keeps its code, errors, tries and expected steps")
  func problem() async throws {
    let device = try await Device.registered()
    await device.bank.on(
      "POST otp/sms/verify",
      .problem(
        422, "otp-mismatch",
        #","attempts_left":3,"expected_steps":["/otp/sms/verify"],"last_step":7,"x":{},"errors":"#
          + #"[{"field":"/code","code":"mismatch","message":"m"}]"#))
    do {
      _ = try await device.app().verifyOTP(.sms, code: "000000")
      Issue.record("a wrong code was accepted")
    } catch {
      guard case .problem(let problem) = error else { throw error }
      #expect(problem.code == .otpMismatch)
      #expect(problem.attemptsLeft == 3)
      #expect(problem.expectedSteps == ["/otp/sms/verify"])
      #expect(problem.errors?.first?.field == "/code")
      // RFC 9457 §3.1: a member of the wrong type counts as absent.
      #expect(problem.lastStep == nil)
    }
  }

  @Test("a refusal that is no problem document becomes one", arguments: [403, 404, 500])
  func foreignRefusal(status: Int) async throws {
    let device = try await Device.registered()
    await device.bank.on(
      "GET steps",
      .success(TransportResponse(status: status, headers: ["content-type": "text/html"], body: Data("<h1>".utf8))))
    do {
      _ = try await device.app().steps()
      Issue.record("a refusal was taken for an answer")
    } catch {
      guard case .problem(let problem) = error else { throw error }
      #expect(problem.status == status)
      #expect(problem.code.rawValue == "http-\(status)")
    }
  }

  @Test("an answer of another shape says where it differs, and nothing of what it holds")
  func decoding() async throws {
    let device = try await Device.registered()
    await device.bank.on(
      "GET documents", .json(#"{"documents":[{"id":"secret","type":"PASSPORT","status":"PROCESSED"}]}"#))
    do {
      _ = try await device.app().documents()
      Issue.record("a view without its date was accepted")
    } catch {
      #expect(error == .decoding("documents.Index 0.created_on"))
    }
  }

  @Test("unknown members are ignored, and an unknown step survives as it is")
  func unknown() async throws {
    let device = try await Device.registered()
    let next =
      #"[{"step":"RBX_ONB_STEP_VOICE_ENROLLED","method":"POST","path":"/voices/enroll","optional":false,"x":1}]"#
    await device.bank.on(
      "GET auth/me",
      .json(Sample.view(lastStep: "RBX_ONB_STEP_FUTURE", next: next, more: #""mood":{"a":[1]},"#)))
    let view = try await device.app().me()
    #expect(view.lastStep == OnboardingStep(rawValue: "RBX_ONB_STEP_FUTURE"))
    #expect(!view.lastStep.isKnown)
    let again = try WireJSON.decode(OnboardingView.self, from: WireJSON.encode(view))
    #expect(again == view)
    #expect(view.nextSteps.first?.screen == .updateRequired)
  }

  @Test("an upload carries the image as base64, tells its progress and has time")
  func upload() async throws {
    let device = try await Device.registered()
    await device.bank.on(
      "POST documents/nationality-id-back/upload",
      .json(
        """
        {"id":"d-1","type":"NATIONAL_ID_BACK_SIDE","status":"PROCESSING","side":"back",
         "image":{"width":1920,"height":1200,"sha256":"00"},"quality":{"sharpness":212.4,"glare":0.01,"crop":"ok"},
         "created_on":"2026-11-21T06:00:00Z"}
        """, status: 201))
    let image = Data([0xFF, 0xD8, 0xFF, 0xE0])
    try await confirmation { told in
      _ = try await device.app().upload(.nationalIDBack, file: image) { progress in
        #expect(progress.fraction == 1)
        told()
      }
    }
    let request = try #require(await device.bank.requests.first)
    #expect(request.body == Data(#"{"file":"/9j/4A=="}"#.utf8))
    #expect(request.deadline == OnboardingPolicy().uploadDeadline)
  }

  @Test("no booked call is nil, not an error")
  func noAppointment() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET agents/appointments/current", .problem(404, "not-found"), .json(Sample.appointment()))
    let app = device.app()
    #expect(try await app.currentAppointment() == nil)
    #expect(try await app.currentAppointment()?.status == .scheduled)
  }

  @Test("a call for help is named in the query and in the body")
  func helpCall() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET agents/appointments/current", .json(Sample.appointment()))
    await device.bank.on("POST agents/appointments/current/cancel", .json(Sample.appointment()))
    let app = device.app()
    _ = try await app.currentAppointment(reason: .help)
    _ = try await app.cancelAppointment(reason: .help)
    let requests = await device.bank.requests
    #expect(requests.suffix(2).first?.url.query() == "reason=help")
    #expect(requests.last?.body.map { String(decoding: $0, as: UTF8.self) } == #"{"reason":"help"}"#)
  }

  @Test("times and preferences travel as a query")
  func query() async throws {
    let device = try await Device.registered()
    await device.bank.on("GET agents/slots", .json(#"{"slots":[],"time_zone":"Asia/Kuwait"}"#))
    let from = try #require(WireDate("2026-11-22"))
    _ = try await device.app().slots(from: from, to: from, gender: .female, language: "ar+x")
    #expect(
      await device.bank.requests.first?.url.query
        == "from=2026-11-22&to=2026-11-22&gender=F&language=ar%2Bx")
  }
}
