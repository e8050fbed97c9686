// SPDX-License-Identifier: Apache-2.0

import Foundation
import RubixOnboarding
import Testing

/// The lines that an app needs, as docs/sdk/rubix-onboarding.md shows them; here they are compiled and run.
@Suite("Onboarding client: the sample of its page")
struct IntegrationSampleTests {
  @Test("its lines start or resume an onboarding")
  func sample() async throws {
    let device = Device.fresh()
    await device.bank.on(
      "POST auth/register", .json(Sample.view(), headers: ["x-access-token": "A1", "x-refresh-token": "R1"]))
    let next = #"[{"step":null,"method":"POST","path":"/sessions","optional":false}]"#
    await device.bank.on("GET auth/me", .json(Sample.view(next: next)))
    let (bank, secureStore, transport) = (
      try #require(URL(string: "https://bank.example")), device.secrets, device.bank.transport
    )

    let shown = try await nextScreen(
      bank: bank, secureStore: secureStore, registration: Sample.registration, transport: transport)

    #expect(shown == "session")
  }

  @Test("the page shows these very lines")
  func page() throws {
    let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/sdk/rubix-onboarding.md"), encoding: .utf8)
    let source = try String(contentsOf: file, encoding: .utf8)
    let sample = try #require(source.components(separatedBy: "\n// sample\n").last)
    #expect(page.contains("import RubixOnboarding\n\n\(sample)```\n"))
  }
}

// sample
/// - Returns: what the app shows next.
func nextScreen(
  bank: URL, secureStore: any SecureStore, registration: RegisterRequest, transport: HTTPTransport = .live()
) async throws -> String {
  let onboarding = RubixOnboarding(baseURL: bank, tokenStore: SecureTokenStore(secureStore), transport: transport)
  if try await onboarding.resume() == .startFresh {
    _ = try await onboarding.register(registration)
  }
  switch try await onboarding.resume() {
  case .startFresh: return "welcome"
  case .continue(let step): return "\(step.screen)"
  case .waiting(let reason): return "please wait: \(reason)"
  case .finished(let status): return "finished: \(status)"
  }
}
