// SPDX-License-Identifier: Apache-2.0

public import RubixWire

extension RubixOnboarding {
  /// The application as it stands (§6.3).
  public func me() async throws(RubixError) -> OnboardingView { try await send(call("GET", "auth/me")) }

  /// Corrects the spelling of the name, the phone number or the e-mail address, before they are verified (§6.3).
  public func updateMe(_ request: UpdateMeRequest) async throws(RubixError) -> OnboardingView {
    try await send(call("PUT", "auth/me", body: request))
  }

  /// Every call of the application with its state (§6.15).
  public func steps() async throws(RubixError) -> StepGraph { try await send(call("GET", "steps")) }

  /// Countries, for addresses, taxes and nationalities (§6.15).
  public func countries() async throws(RubixError) -> CountryList { try await send(call("GET", "reference/countries")) }

  /// Currencies (§6.15).
  public func currencies() async throws(RubixError) -> CurrencyList {
    try await send(call("GET", "reference/currencies"))
  }
}
