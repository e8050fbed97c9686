// SPDX-License-Identifier: Apache-2.0

import OneAssistSDK
import Synchronization

/// A secure screen whose every content can be waited for.
final class ShownHost: OASecureScreenHost {
  private let screen: OATextScreenHost
  private let contents: AsyncStream<OASecureScreenContent?>
  private let mouth: AsyncStream<OASecureScreenContent?>.Continuation
  private(set) var dismissals = 0

  init() {
    (contents, mouth) = AsyncStream.makeStream(of: OASecureScreenContent?.self)
    screen = OATextScreenHost { _ in }
  }

  func present(_ content: OASecureScreenContent, events: @escaping @Sendable (OASecureScreenEvent) -> Void) {
    screen.present(content, events: events)
    mouth.yield(content)
  }

  func update(_ content: OASecureScreenContent) {
    screen.update(content)
    mouth.yield(content)
  }

  func dismiss() async {
    dismissals += 1
    await screen.dismiss()
    mouth.yield(nil)
  }

  func close() { screen.close() }
  func happened(_ event: OASecureScreenEvent) { screen.happened(event) }

  /// The next content that was not waited for yet; nil when the screen went away.
  func next() async -> OASecureScreenContent? {
    for await content in contents { return content }
    return nil
  }

  /// The next content with a code, of this screen or of one that is opened later.
  func nextCode() async -> OASecureScreenContent? {
    for await content in contents where content?.code != nil { return content }
    return nil
  }
}
