// SPDX-License-Identifier: Apache-2.0

import GatehouseTransport
import OneAssistSDK
import Testing

@MainActor
@Suite("OneAssistSDK: the example of the document")
struct SeedExampleTests {
  /// Makes one call of the example and waits for its answer on the main queue.
  private func play(_ step: Int, _ example: ExampleViewController) async {
    await withCheckedContinuation { continuation in
      example.whenCalled = { continuation.resume() }
      example.call(step)
    }
  }

  @Test("it goes from the first call to the last")
  func whole() async throws {
    let phone = TestPhone()
    let example = ExampleViewController()
    example.activationHelper = phone.appOnMain()
    // Answered before it returns, twice, at the servers that the app's configuration names.
    example.initialize()
    #expect(example.stages == [.initializedSDK, .initializedSDK])
    for step in [1, 3, 4, 5, 6] { await play(step, example) }
    #expect(
      example.stages.suffix(5) == [
        .fetchDeviceId, .provideUserBasicDetail, .sendUploadLinkOrOpenSecureScreen, .sendUploadLinkOrOpenSecureScreen,
        .secureScreenDismissed,
      ])
  }

  @Test("what fails is shown in an alert, and the flow stands where it stood")
  func failure() async throws {
    let phone = TestPhone()
    let example = ExampleViewController()
    example.activationHelper = phone.appOnMain()
    await play(1, example)
    #if !canImport(UIKit)
      #expect(example.presented?.title == "Error 1001" && example.presented?.message == "Token Empty")
    #endif
    #expect(example.stages == [.initializedSDK])
  }
}
