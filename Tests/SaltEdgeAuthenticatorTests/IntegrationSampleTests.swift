// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeAuthenticator
import Testing

/// The lines that an app needs, as docs/sdk/saltedge-authenticator.md shows them; here they are compiled and run, with
/// what is public and nothing else.
@Suite("Authenticator: the sample of its page")
struct IntegrationSampleTests {
  @Test("a bank is connected by its QR code, and what it asks is confirmed")
  func sample() async throws {
    let phone = Phone()
    phone.service.put(FakeService.v1Entry("444", created: phone.now))
    phone.service.showPage("https://bank.example/login")
    let (store, transport, clock) = (phone.store, phone.service.transport, phone.clock)
    let scanned = FakeService.v1Link.text
    let device = DeviceDescription(app: "Mine", version: "1.0", build: "1", model: "iPhone", system: "iOS 18")
    let webView = WebView(end: "\(ReturnRedirect.returnURL)?id=333&access_token=v1-token-333")

    let shown = try await confirmFirst(
      scanned: scanned, passcode: "1234", device: device, webView: { await webView.show($0) }, store: store,
      transport: transport, clock: clock)

    #expect(shown == .confirmed)
  }

  @Test("the page shows these very lines")
  func page() throws {
    let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
    let root = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(contentsOf: root.appending(path: "docs/sdk/saltedge-authenticator.md"), encoding: .utf8)
    let source = try String(contentsOf: file, encoding: .utf8)
    func lines(_ text: String, from start: String, to end: String) throws -> [String] {
      let begin = try #require(text.firstRange(of: "\(start)\n"))
      let rest = text[begin.upperBound...]
      let stop = try #require(rest.firstRange(of: end))
      return rest[..<stop.lowerBound].split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
    #expect(
      try lines(page, from: "```swift\nimport SaltEdgeAuthenticator", to: "```")
        == lines(source, from: "// sample", to: "// end"))
  }

  /// The app's.
  private struct WebView: Sendable {
    let end: String

    func show(_ page: SignInRequest) async -> String? { page.decision(on: end) == .end ? end : nil }
  }
}

// sample
/// Connects the bank of a scanned code and confirms the first thing that it asks.
func confirmFirst(
  scanned: String, passcode: String, device: DeviceDescription, webView: @escaping SignInPage.Show,
  store: any DirectSecureStore, transport: HTTPTransport = .live(), clock: ClientClock = .live
) async throws -> AuthorizationState? {
  let setup = AuthenticatorSetup(device: device, signInPage: SignInPage { await webView($0) })
  let authenticator = Authenticator(setup, store: store, transport: transport, clock: clock)
  if try await authenticator.lockState() == .noPasscode {
    _ = try await authenticator.createPasscode(passcode, again: passcode)
  }
  if case .connect(let link) = authenticator.link(scanned) { try await authenticator.connect(link) }
  for try await snapshot in authenticator.authorizationUpdates {
    guard let authorization = snapshot.authorizations.first(where: { $0.state == .pending }) else { continue }
    guard case .passed(let proof) = try await authenticator.unlock(with: .passcode(passcode)) else { continue }
    return try await authenticator.confirm(authorization, by: proof).state
  }
  return nil
}
// end
