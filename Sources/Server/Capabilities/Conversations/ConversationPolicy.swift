// SPDX-License-Identifier: Apache-2.0

import Kit

/// The numbers of conversations.
package struct ConversationPolicy: Sendable {
  /// Characters of a message (finaptic §3.6).
  package static let textMax = 1024
  /// Entries of a page of threads or messages (finaptic §10.4).
  package static let pageMax = 50
  /// How many messages a customer who resumes a conversation gets at once.
  package static let historyMax = 200
  /// Entries that a reader gets at once.
  package static let updatesMax = 100
  /// Conversations that agents are shown at once.
  package static let queueMax = 200
  /// Conversations that one customer follows at once on one node: a few devices, some connections of which are dead and
  /// have not been noticed yet.
  package static let customerReadersMax = 16
  /// Conversations that one system of agents follows at once on one node.
  package static let agentReadersMax = 2000

  /// How long something that does not last is kept: long enough for every node to have told it.
  package var passingLifetime = Duration.minutes(2)
  /// How old a sign of typing may be that is still told.
  package var typingLifetime = Duration.seconds(10)
  /// Signs of typing that come sooner are dropped.
  package var typingSpacing = Duration.seconds(3)
  /// How long a contact can be used.
  package var contactLifetime = Duration.days(30)
  /// How long what was said is kept after the last word, as other correspondence of a bank.
  package var retention = Duration.days(7 * 365)
  /// How long an unheld conversation without messages is kept: its customer could not connect.
  package var emptyLifetime = Duration.days(1)
  /// How long a reader waits without a signal, where another process cannot send one.
  package var pollInterval = Duration.seconds(2)
  /// The same where every process wakes the readers of all, and each look is a trip to the store: only what a process
  /// said last before it was killed, or while its connection for signals was broken, is found by looking.
  package var tripInterval = Duration.seconds(10)

  package init() {}
}
