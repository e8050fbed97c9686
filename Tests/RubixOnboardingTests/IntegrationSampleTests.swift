import Foundation
import RubixOnboarding
import Testing

/// The ten lines that an app needs, as the README shows them; here they are compiled and run.
@Suite("Onboarding client: the sample of the README")
struct IntegrationSampleTests {
  @Test("ten lines start or resume an onboarding")
  func sample() async throws {
    let device = Device.fresh()
    await device.bank.on(
      "POST auth/register", .json(Sample.view(), headers: ["x-access-token": "A1", "x-refresh-token": "R1"]))
    let next = #"[{"step":null,"method":"POST","path":"/sessions","optional":false}]"#
    await device.bank.on("GET auth/me", .json(Sample.view(next: next)))
    let (bank, secureStore, transport) = (
      try #require(URL(string: "https://bank.example")), device.secrets, device.bank.transport
    )
    var shown: [String] = []

    let onboarding = RubixOnboarding(
      baseURL: bank, tokenStore: SecureTokenStore(secureStore), transport: transport)
    if try await onboarding.resume() == .startFresh {
      _ = try await onboarding.register(Sample.registration)
    }
    switch try await onboarding.resume() {
    case .startFresh: shown.append("welcome")
    case .continue(let step): shown.append("\(step.screen)")
    case .waiting(let reason): shown.append("please wait: \(reason)")
    case .finished(let status): shown.append("finished: \(status)")
    }

    #expect(shown == ["session"])
  }
}
