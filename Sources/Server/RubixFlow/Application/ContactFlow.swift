import Kit
import Storage

/// Whether a phone number or an e-mail address is confirmed.
package enum ContactState: String, Sendable, CaseIterable, SQLConvertible {
  case unconfirmed, codeSent, confirmed
}

package enum ContactEvent: String, Sendable, CaseIterable { case codeRequested, codeAccepted, contactChanged }

package enum ContactEffect: String, Sendable, CaseIterable { case sendPasscode }

/// One contact of an application; both contacts run through the same table, beside the main one.
package let contactFlow = TransitionTable<ContactState, ContactEvent, ContactEffect>([
  .init(.unconfirmed, on: .codeRequested, to: .codeSent, do: .sendPasscode),
  .init(.codeSent, on: .codeRequested, to: .codeSent, do: .sendPasscode),
  .init(.codeSent, on: .codeAccepted, to: .confirmed),
  .init(.unconfirmed, on: .contactChanged, to: .unconfirmed),
  .init(.codeSent, on: .contactChanged, to: .unconfirmed),
])
