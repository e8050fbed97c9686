// SPDX-License-Identifier: Apache-2.0

/// What the network that asks has cost this node lately, for what a request sets going.
package enum CallerStanding {
  /// Whether it cost much while others asked, so that what it asks for gives way to what they ask for.
  @TaskLocal package static var costsMuch = false
}
