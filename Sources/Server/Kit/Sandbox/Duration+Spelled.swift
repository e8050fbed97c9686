// SPDX-License-Identifier: Apache-2.0

extension Duration {
  /// A span of time as people write it: a whole number and a unit, `45s`, `90m`, `36h`, `91d`, `2w`.
  /// - Returns: nil for anything else, for nothing, and for more than `max`.
  package init?(spelled text: String, atMost max: Duration) {
    guard let match = text.wholeMatch(of: /([0-9]{1,9})([smhdw])/), let count = Int(match.1) else { return nil }
    let unit =
      switch match.2 {
      case "s": 1
      case "m": 60
      case "h": 3600
      case "d": 86_400
      default: 604_800
      }
    let duration = Duration.seconds(count * unit)
    guard duration > .zero, duration <= max else { return nil }
    self = duration
  }
}
