// SPDX-License-Identifier: Apache-2.0

/// A topic as its reader sees it from a position on: events in order, without end, read in pages as fast as the reader
/// takes them. Throws when the store fails; the reader follows again after the last event that it saw.
package struct LiveSubscription: AsyncSequence, Sendable {
  package enum Element: Sendable, Equatable {
    case event(LiveEvent)
    /// The last element: the events after the position are not kept any more. Load the state and follow from there.
    case expired
  }

  let events: LiveEvents
  let topic: String
  let after: Int64?

  package init(events: LiveEvents, topic: String, after: Int64?) {
    self.events = events
    self.topic = topic
    self.after = after
  }

  package func makeAsyncIterator() -> Iterator { Iterator(events: events, topic: topic, position: after) }

  package struct Iterator: AsyncIteratorProtocol {
    let events: LiveEvents
    let topic: String
    /// The last number that was read.
    private var position: Int64?
    private var buffer: ArraySlice<LiveEvent> = []
    private var hasExpired = false
    /// Made when there is nothing to read for the first time: who only catches up never listens.
    private var listener: SignalListener?

    init(events: LiveEvents, topic: String, position: Int64?) {
      self.events = events
      self.topic = topic
      self.position = position
    }

    /// - Returns: nil after `expired`, and when the task is cancelled.
    package mutating func next() async throws -> Element? {
      if let event = buffer.popFirst() { return .event(event) }
      switch try await nextPage() {
      case .events(let page):
        buffer = page[...]
        return buffer.popFirst().map(Element.event)
      case .expired: return .expired
      case nil: return nil
      }
    }

    /// Waits for the next page.
    /// - Returns: a page that is not empty; nil after `expired`, and when the task is cancelled.
    mutating func nextPage() async throws -> LivePage? {
      while !hasExpired, !Task.isCancelled {
        let page: LivePage
        do {
          let read = try await events.page(topic, after: position)
          (page, position) = (read.page, read.position)
        } catch is CancellationError { return nil }
        switch page {
        case .expired:
          hasExpired = true
          return page
        case .events(let found): if !found.isEmpty { return page }
        }
        if let listener {
          await listener.notifier.wait(atMost: events.pollInterval)
        } else {
          // Listens first and looks again: what was published in between would be missed.
          listener = SignalListener(events.database, LiveEvents.signal(topic))
        }
      }
      return nil
    }
  }
}
