// SPDX-License-Identifier: Apache-2.0

/// What `Problem` names of the limits, so that it compiles without the store.
package struct RateLimit {
  package struct Usage: Sendable, Equatable {}
}
