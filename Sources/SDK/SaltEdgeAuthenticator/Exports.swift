// SPDX-License-Identifier: Apache-2.0

// An app that embeds the authenticator imports one module: links, words of the wire and the seam to the device come
// with it.
@_exported public import GatehouseTransport
@_exported public import GatehouseWire
@_exported public import SaltEdgeWire
@_exported public import SaltEdgeCore
