// SPDX-License-Identifier: Apache-2.0

// An app that posts to a server that knows PowerAuth needs these too.
@_exported public import PowerAuth2
@_exported public import PowerAuthCore
