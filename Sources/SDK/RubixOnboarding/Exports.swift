// SPDX-License-Identifier: Apache-2.0

// An app that integrates in ten lines imports one module: requests, views and the seam to the device come with it.
@_exported public import GatehouseTransport
@_exported public import GatehouseWire
@_exported public import RubixWire
