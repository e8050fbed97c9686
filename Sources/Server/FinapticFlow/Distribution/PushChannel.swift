import Delivery
import Kit

/// A device of a customer that pushes go to (finaptic §8.9).
struct PushChannel: Sendable, Equatable {
  typealias ID = Identifier<PushChannel>

  let id: ID
  let tenant: Int
  let customer: String
  /// Whose service delivers there.
  let platform: PushMessage.Platform
  /// What that service knows the device by. As good as an address: sealed, never in a log.
  let registration: String
}

extension PushMessage.Platform {
  /// The call does not say whose device it is: tokens of Apple's are nothing but hexadecimal digits, those of Google's
  /// are longer and have other letters, too.
  init(registration: String) {
    self = registration.wholeMatch(of: #/(?:[0-9A-Fa-f]{2}){32,100}/#) == nil ? .google : .apple
  }
}
