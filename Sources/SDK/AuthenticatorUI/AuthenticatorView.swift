// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import GatehouseUI

  /// The whole Authenticator.
  public typealias AuthenticatorView = ScreenFlowView<AuthenticatorScreens>
#endif
