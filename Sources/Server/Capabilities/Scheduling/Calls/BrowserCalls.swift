// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// The flow whose customers have calls: it finds the call of a party, and refuses those who may not have it.
package protocol CallAdmitter: Sendable {
  /// - Throws: `Problem` not-found and forbidden, as the flow has it.
  func admit(_ party: CallParty, in tx: any SQLTransaction) throws -> BrowserCalls.Admission
}

/// Calls on our own pages: who sits in them, and the notes by which the two browsers find each other.
///
/// Pictures and voices go from browser to browser and never through this server. Each verb is one transaction, with its
/// line in the audit of the customer's case; a call begins when both browsers say that they are connected.
package struct BrowserCalls: Sendable {
  /// How often one side may join a call: pages are loaded anew, and lines break.
  static let joinsMax: Int64 = 60
  /// Notes of one sitting: an attempt to connect takes about ten, and a bad line makes many attempts.
  static let signalsMax = 400
  /// How long after its time a call on our pages can be joined, also one that runs.
  static let openMax = Duration.hours(4)

  /// The call of a party that may have it.
  package struct Admission: Sendable {
    package let call: Appointment
    package let calendar: Appointments
    /// As customers know it.
    package let institution: String
    /// As the audit names the party.
    package let actor: String

    package init(_ call: Appointment, _ calendar: Appointments, institution: String, actor: String) {
      (self.call, self.calendar, self.institution, self.actor) = (call, calendar, institution, actor)
    }

    /// When the call can be joined first.
    package var opensAt: Instant { call.callTime - calendar.policy.joinWindow }

    func isOpen(at now: Instant) -> Bool { calendar.isJoinable(call) && now < call.callTime + openMax }
  }

  /// What a browser that joined goes on with.
  package struct Joined: Sendable, Equatable {
    /// Names this sitting in what follows.
    package let seat: Int64
    /// Changes come after it.
    package let position: Int64
    package let isOtherThere: Bool
  }

  /// How a call stands for those who look at its page.
  package struct PageState: Sendable {
    package let admission: Admission
    /// Whether it can be joined now.
    package let isOpen: Bool
    /// Whether it can be joined later.
    package let isToCome: Bool
    /// Whether the institution's recorder is told of it: by the settings, or as it records the call until its end.
    package let isRecorded: Bool
    /// What each side did so far.
    package let seats: [CallSeat]
  }

  private let core: CoreDependencies
  private let live: LiveEvents
  private let admitter: any CallAdmitter
  /// Whether the institution's recorder is told of calls that begin, so that customers are asked when they join.
  private let isRecorded: Bool

  package init(_ core: CoreDependencies, isRecorded: Bool = false, admitter: any CallAdmitter) {
    (self.core, self.isRecorded, self.admitter) = (core, isRecorded, admitter)
    live = LiveEvents(database: core.database, world: core.world)
  }

  /// Whether the recorder was told that a call begins, and not yet that it ended.
  package static func isBeingRecorded(_ call: Appointment.ID, in tx: any SQLTransaction) throws -> Bool {
    try CallSeatStore(tx).all(of: call).contains(where: \.isBeingRecorded)
  }

  package func look(_ party: CallParty) async throws -> PageState {
    try await core.database.read { tx in
      let admission = try admitter.admit(party, in: tx)
      let (isOpen, call) = (admission.isOpen(at: core.world.now()), admission.call)
      let seats = try CallSeatStore(tx).all(of: call.id)
      return PageState(
        admission: admission, isOpen: isOpen,
        isToCome: !isOpen && call.status == .scheduled && core.world.now() < admission.opensAt,
        isRecorded: isRecorded || seats.contains(where: \.isBeingRecorded), seats: seats)
    }
  }

  /// Takes the seat of the party's side, and tells the other one.
  /// - Parameter agreesToRecording: what the customer answered, where calls are recorded.
  /// - Throws: `Problem` not-found; step-out-of-order where the call cannot be joined now; rate-limited;
  ///   validation-failed for a customer who does not agree to a recording.
  package func join(_ party: CallParty, agreesToRecording: Bool = false) async throws -> Joined {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let admission = try open(party, in: tx)
      let isAsked = try party.side == .customer && (isRecorded || Self.isBeingRecorded(party.call, in: tx))
      guard !isAsked || agreesToRecording else {
        throw Problem.validation([.init("/recording", "required", "This call is recorded: agree, or telephone.")])
      }
      guard
        let seat = try CallSeatStore(tx).take(
          party, proof: digest(party), at: core.world.now(), joinsMax: Self.joinsMax)
      else { throw Problem.rateLimited(retryAfterSeconds: 3600) }
      if isAsked { try CallSeatStore(tx).setRecordingAgreed(party.call, at: core.world.now()) }
      // Each one: a colleague who takes the seat over, and a page that was loaded anew.
      let facts = isAsked ? ["seat": "\(seat.number)", "recording": "agreed"] : ["seat": "\(seat.number)"]
      try note("call.joined", admission, party, facts: facts, in: tx)
      let position = try publish(Envelope(from: party.side, seat: seat.number, change: .joined), to: party.call, in: tx)
      let other = try CallSeatStore(tx).all(of: party.call).first { $0.side == party.side.other }
      return Joined(seat: seat.number, position: position, isOtherThere: other != nil && other?.endedAt == nil)
    }
  }

  /// Passes a note to the other side.
  /// - Throws: `Problem` as `join`; validation-failed; conflict `seat-taken` for a page that another one replaced.
  package func signal(_ kind: CallSignal, _ body: String, by party: CallParty, seat: Int64) async throws {
    guard body.utf8.count <= kind.bodyMax else {
      throw Problem.validation([.init("/body", "too-long", "At most \(kind.bodyMax) bytes.")])
    }
    try await core.database.write(retrying: .outdated) { tx in
      _ = try open(party, in: tx)
      try require(party, seat, in: tx)
      guard try CallSeatStore(tx).countSignal(party, seat, signalsMax: Self.signalsMax) else {
        throw Problem.rateLimited(retryAfterSeconds: 60)
      }
      _ = try publish(
        Envelope(from: party.side, seat: seat, change: .signal, kind: kind, body: body), to: party.call, in: tx)
    }
  }

  /// A browser says that it is connected with the other one. When both do, the call has begun. Where it is recorded,
  /// the recorder is told each time that both sit there anew, no matter who began the call, and also after the agent
  /// ended it by mistake.
  /// - Throws: `Problem` as `signal`.
  package func connected(_ party: CallParty, seat: Int64) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      let admission = try open(party, in: tx)
      try require(party, seat, in: tx)
      let store = CallSeatStore(tx)
      if try store.setConnected(party, at: core.world.now()) { try note("call.connected", admission, party, in: tx) }
      let seats = try store.all(of: party.call)
      guard seats.count == 2, seats.allSatisfy({ $0.connectedAt != nil }) else { return }
      if admission.call.status == .scheduled {
        _ = try admission.calendar.begin(admission.call, in: tx)
        try note("call.started", admission, party, in: tx)
      }
      guard isRecorded, seats.allSatisfy({ $0.endedAt == nil }),
        let begun = try store.beginRecording(party.call, at: core.world.now())
      else { return }
      try note("call.recording_begun", admission, party, in: tx)
      try CallRecorder.owe(.begun, of: party.call, at: begun, core, in: tx)
    }
  }

  /// The page of one side was left; it may come back. A recording ends with the last page.
  package func leave(_ party: CallParty, seat: Int64) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      let (admission, store) = (try admitter.admit(party, in: tx), CallSeatStore(tx))
      guard try store.holds(party, seat, proof: digest(party)) else { return }
      try store.setEnded(party.call, party.side, at: core.world.now())
      if try store.all(of: party.call).allSatisfy({ $0.endedAt != nil }) {
        try Self.endRecording(of: admission.call, by: admission.actor, core, in: tx)
      }
      // After the audit line, as everywhere: the other order could wait for a join that waits for this one.
      _ = try publish(Envelope(from: party.side, seat: seat, change: .left), to: party.call, in: tx)
    }
  }

  /// The agent ends the call for both sides. A call for help is done then; a verification waits for its verdict.
  /// - Throws: `Problem` not-found.
  package func end(_ party: CallParty) async throws {
    precondition(party.side == .agent, "The agent ends a call.")
    try await core.database.write(retrying: .outdated) { tx in
      let admission = try admitter.admit(party, in: tx)
      try Self.finish(admission.call, by: admission.actor, core, in: tx)
      if admission.call.reason == .help, admission.call.status == .inCall {
        _ = try admission.calendar.advance(party.call, on: .callEnded, in: tx)
      }
    }
  }

  /// Ends a call for both sides in the transaction that ends, decides or calls off its appointment: a side that sits
  /// there is told, and the notes are deleted. Of a call that no side joined on our pages there is nothing to end.
  /// - Returns: whether a side sat there; the audit of the case has a line `call.ended` then.
  @discardableResult
  package static func finish(
    _ call: Appointment, by actor: String, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws -> Bool {
    let (store, live) = (CallSeatStore(tx), LiveEvents(database: core.database, world: core.world))
    guard try !store.all(of: call.id).isEmpty else { return false }
    let isLeft = try store.setEnded(call.id, nil, at: core.world.now()) == 0
    if !isLeft {
      try core.audit.append(
        "call.ended", to: call.customerID, by: actor, facts: ["appointment": call.id.rawValue], in: tx)
    }
    try endRecording(of: call, by: actor, core, in: tx)
    // Readers find that the topic is gone, and its notes with it: also those who had read all others.
    try live.publish("ended", to: topic(call.id), in: tx)
    try live.forget(topic(call.id), in: tx)
    return !isLeft
  }

  /// What the other side did after a position, as soon as there is something.
  /// - Throws: `Problem` not-found; seat-taken.
  package func changes(
    for party: CallParty, seat: Int64, after position: Int64, atMost limit: Duration
  ) async throws -> (changes: [(number: Int64, CallEvent)], position: Int64) {
    let page = try await live.wait(Self.topic(party.call), after: position, atMost: limit)
    guard case .events(let events) = page else { return ([(position, .ended)], position) }
    let changes = try events.compactMap { event -> (number: Int64, CallEvent)? in
      let envelope = try core.vault.open(event.payload, as: Envelope.self, context: Self.context(party.call))
      return envelope.told(to: party.side, seat: seat).map { (event.sequence, $0) }
    }
    // What came after the other page had joined is for that page.
    let last = changes.firstIndex { $0.1.isLast } ?? changes.endIndex
    return (Array(changes.prefix(last + 1)), events.last?.sequence ?? position)
  }

  /// Whether the browser still sits there; asked before changes are given out.
  /// - Throws: `Problem` as `signal`.
  package func requireSeat(_ party: CallParty, _ seat: Int64) async throws {
    try await core.database.read { tx in
      _ = try open(party, in: tx)
      try require(party, seat, in: tx)
    }
  }

  // MARK: Parts

  /// Has the recorder told once that a call which it records has ended.
  private static func endRecording(
    of call: Appointment, by actor: String, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws {
    guard let ended = try CallSeatStore(tx).endRecording(call.id, at: core.world.now()) else { return }
    try core.audit.append(
      "call.recording_ended", to: call.customerID, by: actor, facts: ["appointment": call.id.rawValue], in: tx)
    try CallRecorder.owe(.ended, of: call.id, at: ended, core, in: tx)
  }

  /// A note as it is kept, sealed, until the call ends, and a day at most.
  private struct Envelope: Codable {
    enum Change: String, Codable { case joined, left, signal }

    private enum CodingKeys: String, CodingKey {
      case from, seat, kind, body
      // As it is stored.
      case change = "news"
    }

    let from: CallSeat.Side
    let seat: Int64
    let change: Change
    var kind: CallSignal?
    var body: String?

    func told(to side: CallSeat.Side, seat: Int64) -> CallEvent? {
      guard from != side else { return change == .joined && self.seat > seat ? .replaced : nil }
      return switch (change, kind, body) {
      case (.joined, _, _): .joined
      case (.left, _, _): .left
      case (.signal, let kind?, let body?): .signal(kind, body: body)
      case (.signal, _, _): nil
      }
    }
  }

  private static func topic(_ call: Appointment.ID) -> String { "call:\(call)" }
  private static func context(_ call: Appointment.ID) -> String { "call.note:\(call)" }

  private func digest(_ party: CallParty) -> String { core.vault.digest(party.proof, for: "call seat") }

  private func open(_ party: CallParty, in tx: any SQLTransaction) throws -> Admission {
    let admission = try admitter.admit(party, in: tx)
    guard admission.isOpen(at: core.world.now()) else {
      throw Problem(.conflict, "step-out-of-order", "The call cannot be joined now.")
    }
    return admission
  }

  private func require(_ party: CallParty, _ seat: Int64, in tx: any SQLTransaction) throws {
    guard try CallSeatStore(tx).holds(party, seat, proof: digest(party)) else { throw Problem.seatTaken }
  }

  private func publish(_ envelope: Envelope, to call: Appointment.ID, in tx: any SQLTransaction) throws -> Int64 {
    try live.publish(
      envelope.change.rawValue, payload: try core.vault.seal(envelope, as: Self.context(call)), to: Self.topic(call),
      in: tx)
  }

  private func note(
    _ action: String, _ admission: Admission, _ party: CallParty, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    let common = ["appointment": party.call.rawValue, "side": party.side.rawValue]
    try core.audit.append(
      action, to: admission.call.customerID, by: admission.actor, facts: common.merging(facts) { $1 }, in: tx)
  }
}

extension CallSeat.Side: Codable {}

extension Problem {
  static let seatTaken = Problem(
    .conflict, "seat-taken", "The call is open on another page, or has ended. Join again to go on here.")
}
