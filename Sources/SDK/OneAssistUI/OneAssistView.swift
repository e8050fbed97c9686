// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import GatehouseUI

  /// The whole activation. The secure screen is the SDK's own, and is opened over it.
  public typealias OneAssistView = ScreenFlowView<OneAssistScreens>
#endif
