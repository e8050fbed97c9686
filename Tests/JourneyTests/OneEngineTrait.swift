// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// For suites that ask what lies above the stores: what a page shows, what a sample application says, how a call is
  /// refused. The suites of each flow ask the same stores on both engines, and so do the journeys without this mark;
  /// decision 206 names the suite for each that carries it. `ConsoleDoorsTests` asks for every page on both engines.
  static var onOneEngine: Self {
    .enabled(if: Engine.current == .sqlite, "What it asks lies above the stores, so it runs on SQLite only.")
  }
}
