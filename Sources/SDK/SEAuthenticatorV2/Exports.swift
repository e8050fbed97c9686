// SPDX-License-Identifier: Apache-2.0

// An app imports this module alone: links, keys and requests come with it.
@_exported public import SEAuthenticatorCore
