import PowerAuth2
import WultraDigitalOnboarding
import WultraPowerAuthNetworking

// The sample of docs/sdk/wultra-digital-onboarding.md. That it compiles is the test; it is never called.

private struct Credentials: Codable {
  let clientNumber: String
  let birthDate: String
}

/// "In ten lines"
func embed(typedCode: String, pin: String, show: (WDOVerificationState) -> Void) async throws {
  let powerAuth = PowerAuthSDK(
    configuration: PowerAuthConfiguration(
      baseEndpointUrl: "https://bank.example/enrollment-server", configuration: "ARDDj6EB…"))
  let config = WPNConfig(baseUrl: "https://bank.example/enrollment-onboarding-server")

  let activation = WDOActivationService(powerAuth: powerAuth, config: config)
  try await activation.start(credentials: Credentials(clientNumber: "1234", birthDate: "1990-01-01"))
  _ = try await activation.activate(otp: typedCode)
  try powerAuth.persistActivation(withPassword: pin)

  let verification = WDOVerificationService(powerAuth: powerAuth, config: config)
  for try await state in verification.states() { show(state) }
}
