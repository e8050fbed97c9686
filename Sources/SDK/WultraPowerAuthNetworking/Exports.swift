// SPDX-License-Identifier: Apache-2.0

// Whoever posts to a server that knows PowerAuth needs these beside.
@_exported public import PowerAuth2
@_exported public import PowerAuthCore
