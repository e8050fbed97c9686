import Kit

/// How long and how often: the bounds of webhooks.
package struct WebhookPolicy: Sendable {
  /// The pauses between tries: eleven tries in a little more than a day.
  package var delays: [Duration] = [
    .seconds(5), .seconds(30), .minutes(2), .minutes(10), .minutes(30), .hours(1), .hours(2), .hours(4), .hours(8),
    .hours(8),
  ]
  /// How long a try that found its endpoint busy with others waits, at least; four times as long at most.
  package var turnPause = Duration.seconds(5)
  /// Tries of one endpoint at a time and node: one that hangs leaves room for the others.
  package var turnsMax = 2
  /// How long the secret before a new one goes on signing, unless told otherwise.
  package var overlap = Duration.days(1)
  /// How long messages that reached their end can be sent again.
  package var retention = Duration.days(30)
  /// Whether addresses that are not public are called, and over HTTP: for development.
  package var allowsPrivate = false

  package static let overlapMax = Duration.days(30)
  package static let endpointsMax = 32
  /// Bytes of a message.
  package static let bodyMax = 256 * 1024

  package init() {}

  /// - Parameter tries: how many there were; the first pause comes after the first.
  func pause(after tries: Int) -> Duration? { (1...delays.count).contains(tries) ? delays[tries - 1] : nil }
}
