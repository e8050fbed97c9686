// SPDX-License-Identifier: Apache-2.0

// What the platform is made of comes with the surface.
@_exported public import GatehouseTransport
