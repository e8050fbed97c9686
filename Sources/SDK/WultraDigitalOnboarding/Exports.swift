// SPDX-License-Identifier: Apache-2.0

// An app imports this module alone: PowerAuth and the configuration of the network come with it.
@_exported public import PowerAuth2
@_exported public import WultraPowerAuthNetworking
