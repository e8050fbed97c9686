// SPDX-License-Identifier: Apache-2.0

#if canImport(SwiftUI)
  public import GatehouseUI

  /// The whole app of a bank's customer.
  public typealias FinapticView = ScreenFlowView<FinapticScreens>
#endif
