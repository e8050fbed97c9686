import TestSupport
import Testing

extension Trait where Self == ConditionTrait {
  /// For suites of which the outcome is how a page looks in a browser: that is the same whichever engine keeps the rows.
  static var onOneEngine: Self {
    .enabled(if: Engine.current == .sqlite, "Pages look the same on every engine, so they are looked at on SQLite only.")
  }
}
