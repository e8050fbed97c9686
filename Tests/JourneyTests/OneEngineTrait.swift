// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// For suites that ask what lies above the stores: how a page looks in a browser, what a sample application says, how a
  /// call is refused. The suites of each flow ask the same stores on both engines, and so do the other journeys.
  static var onOneEngine: Self {
    .enabled(if: Engine.current == .sqlite, "What it asks lies above the stores, so it runs on SQLite only.")
  }
}
