// SPDX-License-Identifier: Apache-2.0

public import SaltEdgeAuthenticator

/// Shows a bank's sign-in page for an enrolment, and tells the enrolment at which address the page ended. One page at a
/// time.
public actor SignInPresenter {
  private var listener: (@Sendable (SignInRequest) async -> Void)?
  private var waiting: CheckedContinuation<String?, Never>?
  /// Whether the user left before the page came.
  private var isLeft = false

  /// For one app.
  public init() {}

  /// What an app gives to `AuthenticatorSetup`.
  public nonisolated var page: SignInPage { SignInPage { await self.show($0) } }

  /// A new enrolment begins; an earlier one is left.
  /// - Parameter listener: shows a page.
  func begin(_ listener: @escaping @Sendable (SignInRequest) async -> Void) {
    resume(nil)
    (self.listener, isLeft) = (listener, false)
  }

  /// The page ended there; nil when the user left it, or left before there was one.
  func end(_ address: String?) {
    isLeft = address == nil
    resume(address)
  }

  private func show(_ request: SignInRequest) async -> String? {
    // An enrolment that was left must not show its page in the next one.
    guard !Task.isCancelled, let listener, !isLeft else { return nil }
    resume(nil)
    async let told: Void = listener(request)
    let end = await withCheckedContinuation { waiting = $0 }
    await told
    return end
  }

  private func resume(_ address: String?) {
    waiting?.resume(returning: address)
    waiting = nil
  }
}
