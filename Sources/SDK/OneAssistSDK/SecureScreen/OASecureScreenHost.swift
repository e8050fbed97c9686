// SPDX-License-Identifier: Apache-2.0

#if canImport(UIKit)
  public import UIKit

  /// What the secure screen is opened on.
  public typealias OAViewController = UIViewController
#else
  /// What the secure screen is opened on.
  public typealias OAViewController = any OASecureScreenHost
#endif

/// Shows the secure screen (specification §7.6): a view controller where there are such things, anything that can show
/// text elsewhere.
@MainActor
public protocol OASecureScreenHost: AnyObject, Sendable {
  /// Shows the screen.
  /// - Parameter events: to be called with whatever happens to it, until it is dismissed.
  func present(_ content: OASecureScreenContent, events: @escaping @Sendable (OASecureScreenEvent) -> Void)

  /// Shows something else on it.
  func update(_ content: OASecureScreenContent)

  /// Takes the screen away. Called once, also after the user closed it.
  func dismiss() async
}
