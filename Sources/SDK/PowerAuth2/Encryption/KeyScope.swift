// SPDX-License-Identifier: Apache-2.0

internal import PowerAuthCore

/// Whose keys a request is encrypted with (powerauth.md §4.1).
enum KeyScope: Hashable, Sendable {
  case application
  case activation(ActivationIdentifier)
}
