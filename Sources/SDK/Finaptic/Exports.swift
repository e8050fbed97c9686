// SPDX-License-Identifier: Apache-2.0

// An app imports one module: publishers and the seam to the device come with it.
#if canImport(Combine)
  @_exported public import Combine
#else
  @_exported public import OpenCombine
#endif
@_exported public import GatehouseTransport
