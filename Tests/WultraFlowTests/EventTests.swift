// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import GatehouseWire
import WultraWire
import Hummingbird
import Logging
import PowerAuth2
import ServiceLifecycle
import Synchronization
import Testing
import WultraDigitalOnboarding
import WultraStories

@testable import WultraFlow

@Suite("Wultra events: the app is told what to show", .timeLimit(.minutes(2)))
struct EventTests {
  @Test("each change comes once, in order, under numbers without a gap, also after the connection broke")
  func resumed() async throws {
    try await AppPhone.serve(WultraTestApp()) { phoneApp in
      let phone = try await Self.activated(phoneApp)
      var first = try await EventReader(phone)
      #expect(try await first.read(to: "NONE/NOT_INITIALIZED") == ["NONE/NOT_INITIALIZED"])
      try await Self.consent(phone)
      #expect(try await first.read(to: "DOCUMENT_UPLOAD/IN_PROGRESS").last == "DOCUMENT_UPLOAD/IN_PROGRESS")
      let seen = first.numbers
      first.close()

      try await Self.handIn(phone)
      var second = try await EventReader(phone, after: seen.last)
      let states = try await second.read(to: "PRESENCE_CHECK/NOT_INITIALIZED")
      #expect(
        states.filter { $0 != "DOCUMENT_UPLOAD/IN_PROGRESS" } == [
          "DOCUMENT_UPLOAD/VERIFICATION_PENDING", "DOCUMENT_VERIFICATION_FINAL/IN_PROGRESS",
          "DOCUMENT_VERIFICATION_FINAL/ACCEPTED",
          "CLIENT_EVALUATION/IN_PROGRESS", "CLIENT_EVALUATION/ACCEPTED", "PRESENCE_CHECK/NOT_INITIALIZED",
        ])
      let numbers = seen + second.numbers
      #expect(numbers == Array((numbers.first ?? 0)..<((numbers.first ?? 0) + numbers.count)))
    }
  }

  @Test("an app that comes back after events that are not kept any more is told how things stand")
  func expired() async throws {
    try await AppPhone.serve(WultraTestApp()) { phoneApp in
      let phone = try await Self.activated(phoneApp)
      try await Self.consent(phone)
      phoneApp.app.clock.advance(by: .hours(25))
      try await phoneApp.app.dossiers.live.sweep()
      for position in [0, 1_000_000] {
        var reader = try await EventReader(phone, after: position)
        // The process has lapsed with the day; the sweep of processes has not run.
        #expect(try await reader.read(to: "DOCUMENT_UPLOAD/IN_PROGRESS").count == 1)
      }
    }
  }

  @Test("only the device's own verification is told, to so many readers at a time")
  func proved() async throws {
    try await AppPhone.serve(WultraTestApp()) { phoneApp in
      let stranger = URL(string: phoneApp.stage.onboarding + Wultra.eventsPath)
      let naked = try await phoneApp.stage.transport.open(
        TransportRequest(method: "GET", url: try #require(stranger), headers: ["X-PowerAuth-Token": "PowerAuth"]))
      #expect(naked.status == 401)

      let phone = try await Self.activated(phoneApp)
      var readers: [EventReader] = []
      for _ in 0..<4 {
        var reader = try await EventReader(phone)
        #expect(try await reader.read(to: "NONE/NOT_INITIALIZED").count == 1)
        readers.append(reader)
      }
      let sdk = phone.powerAuth()
      let fifth = try await phone.networking(sdk).open(
        Wultra.eventsPath, tokenName: Wultra.tokenName, signedWith: .possession(), silenceMax: 20)
      #expect(fifth?.status == 503 && fifth?.headers["retry-after"] == "30")
      readers.removeAll()
    }
  }

  @Test("nothing is told to a device whose activation was removed, and its answer ends")
  func removed() async throws {
    try await AppPhone.serve(WultraTestApp()) { phoneApp in
      let (phone, app) = (try await Self.activated(phoneApp), phoneApp.app)
      var reader = try await EventReader(phone)
      #expect(try await reader.read(to: "NONE/NOT_INITIALIZED").count == 1)
      let process = try await app.database.read { [vault = app.vault] tx in
        try ProcessStore(tx, vault: vault).ids(ofUser: "user-1", tenant: "acme", limit: 2)
      }
      let (id, activation) = (try #require(process.first), try await app.process(process[0].rawValue).activation)
      _ = try await app.activations.remove(.init(rawValue: try #require(activation)), by: .system)
      try await app.processes.cleanUp(id.rawValue, by: app.caller)
      #expect(try await reader.read(to: "nothing") == [])
    }
  }

  @Test("a node that leaves ends the connections of those who follow, and they go on at another one")
  func leaving() async throws {
    let app = try await WultraTestApp()
    let first = try await Node(app)
    let reader = try await Self.following(first)
    var (events, phone) = reader
    await first.leave()
    #expect(try await events.read(to: "nothing").isEmpty)

    let second = try await Node(app)
    phone = phone.moved(to: second.stage)
    try await Self.consent(phone)
    var again = try await EventReader(phone, after: events.numbers.last)
    #expect(try await again.read(to: "DOCUMENT_UPLOAD/IN_PROGRESS") == ["DOCUMENT_UPLOAD/IN_PROGRESS"])
    again.close()
    await second.leave()
  }

  @Test("the SDK shows what other calls lead to without asking again and again, and across a broken connection")
  func states() async throws {
    let network = CuttableNetwork()
    try await AppPhone.serve(WultraTestApp(), through: network.transport) { phoneApp in
      let phone = try await Self.activated(phoneApp)
      // A caller that polled would wait for an hour.
      let policy = WDOPollingPolicy(delayFirst: .milliseconds(20), delayMax: .seconds(3600))
      let (lines, told) = AsyncStream<String>.makeStream()
      let watcher = Task {
        defer { told.finish() }
        for try await state in phone.verification().states(policy: policy) { told.yield(state.line) }
      }
      var shown = ShownLines(lines)
      #expect(await shown.until("intro") == ["intro"])
      try await network.opened()
      try await Self.consent(phone)
      #expect(await shown.until("documentsToScanSelect") == ["documentsToScanSelect"])
      network.cut()
      try await Self.handIn(phone)
      #expect(await shown.until("presenceCheck").last == "presenceCheck")
      let service = try await phone.informed()
      try await phone.takeFace(try await service.presenceCheckInit())
      _ = try await service.presenceCheckSubmit()
      try await phoneApp.app.settle()
      #expect(try await phoneApp.stage.staff.decide(true))
      try await phoneApp.app.settle()
      #expect(await shown.until("otp 5 left").last == "otp 5 left")
      let code = try await phone.code()
      _ = try await phone.informed().verifyOTP(otp: code)
      #expect(await shown.until("success").last == "success")
      try await watcher.value
      #expect(zip(shown.all, shown.all.dropFirst()).allSatisfy { $0 != $1 }, "\(shown.all)")
      #expect(network.opens >= 2)
    }
  }

  // MARK: The way

  private static func activated(_ phoneApp: AppPhone) async throws -> StoryPhone {
    let phone = phoneApp.phone()
    try await activate(phone)
    return phone
  }

  private static func activate(_ phone: StoryPhone) async throws {
    try await phone.start()
    try await phone.activate(phone.code())
  }

  private static func consent(_ phone: StoryPhone) async throws {
    _ = try await phone.informed().consentGet()
    _ = try await phone.informed().consentApprove()
  }

  private static func handIn(_ phone: StoryPhone) async throws {
    _ = try await phone.verification().documentsSetSelectedTypes(types: [.idCard, .driversLicense])
    _ = try await phone.informed().documentsSubmit(files: [
      phone.file(.idCard, .front, .cardFront), phone.file(.idCard, .back, .cardBack),
      phone.file(.driversLicense, .front, .licence),
    ])
    try await phone.stage.wait()
  }

  private static func following(_ node: Node) async throws -> (EventReader, StoryPhone) {
    let phone = StoryPhone(node.stage, clientNumber: "1")
    try await activate(phone)
    var reader = try await EventReader(phone)
    _ = try await reader.read(to: "NONE/NOT_INITIALIZED")
    return (reader, phone)
  }
}

/// What a device hears.
private struct EventReader {
  private var body: TransportBody?
  private var events = ServerSentEventReader()
  private(set) var numbers: [Int] = []

  init(_ phone: StoryPhone, after number: Int? = nil) async throws {
    let headers = number.map { ["Last-Event-ID": "\($0)"] } ?? [:]
    let stream = try #require(
      try await phone.networking(phone.powerAuth()).open(
        Wultra.eventsPath, tokenName: Wultra.tokenName, signedWith: .possession(), with: headers, silenceMax: 60))
    #expect(stream.status == 200 && stream.mediaType == "text/event-stream")
    #expect(stream.headers["cache-control"] != "public")
    body = stream.body
  }

  /// The states up to one, `PHASE/STATUS`; all that come before the end when it does not.
  mutating func read(to last: String) async throws -> [String] {
    var states: [String] = []
    while let part = try await body?.next() {
      for event in try events.read(part) {
        #expect(event.kind == "verification")
        let status = try WireJSON.decode(Wultra.IdentityEvent.self, from: Data(event.data.utf8))
        states.append("\(status.identityVerificationPhase?.rawValue ?? "NONE")/\(status.identityVerificationStatus)")
        numbers.append(try #require(event.id.flatMap { Int($0) }))
      }
      if states.last == last { break }
    }
    return states
  }

  mutating func close() { body = nil }
}

/// A node of the installation, with a socket of its own.
private struct Node: Sendable {
  let stage: StoryStage
  private let group: ServiceGroup
  private let running: Task<Void, any Error>

  init(_ app: WultraTestApp) async throws {
    let (ports, bound) = AsyncStream.makeStream(of: Int.self)
    let server = Application(
      router: AppPhone.router(app), configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { bound.yield($0.localAddress?.port ?? 0) })
    let group = ServiceGroup(
      configuration: .init(
        services: [.init(service: server)], logger: Logger(label: "node") { _ in SwiftLogNoOpLogHandler() }))
    self.group = group
    running = Task { try await group.run() }
    let port = try #require(await ports.first { _ in true })
    stage = AppPhone.stage(app, "http://127.0.0.1:\(port)", .live(), ClientClock.live.pause)
  }

  func leave() async {
    await group.triggerGracefulShutdown()
    _ = await running.result
  }
}

/// A network whose long answers break when told to.
private final class CuttableNetwork: Sendable {
  private struct Relay: Sendable {
    var sources: [TransportBody.Source] = []
    var opens = 0
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let relay = Mutex(Relay())
  private let live = HTTPTransport.live()

  var opens: Int { relay.withLock { $0.opens } }

  var transport: HTTPTransport {
    HTTPTransport(
      send: { (request, progress) async throws(TransportError) in
        try await self.live.send(request, progress: progress)
      },
      open: { (request) async throws(TransportError) in
        let stream = try await self.live.open(request)
        return TransportStream(
          status: stream.status, headers: stream.headers, body: self.relayed(stream.body))
      })
  }

  /// Returns when an answer was begun.
  func opened() async throws {
    await withCheckedContinuation { continuation in
      let isOpen = relay.withLock { relay in
        if relay.opens == 0 { relay.waiter = continuation }
        return relay.opens > 0
      }
      if isOpen { continuation.resume() }
    }
  }

  func cut() {
    let sources = relay.withLock { relay in
      defer { relay.sources = [] }
      return relay.sources
    }
    for source in sources { source.end(TransportError(.connectionLost)) }
  }

  private func relayed(_ body: TransportBody) -> TransportBody {
    let (relayed, source) = TransportBody.make()
    let waiter = relay.withLock { relay in
      relay.sources.append(source)
      relay.opens += 1
      defer { relay.waiter = nil }
      return relay.waiter
    }
    Task {
      do {
        while let part = try await body.next(), source.add(part) {}
        source.end()
      } catch { source.end(TransportError(.connectionLost)) }
    }
    waiter?.resume()
    return relayed
  }
}

/// What an app shows, line by line.
private struct ShownLines {
  private var lines: AsyncStream<String>.Iterator
  private(set) var all: [String] = []

  init(_ lines: AsyncStream<String>) { self.lines = lines.makeAsyncIterator() }

  /// What comes up to a line.
  mutating func until(_ last: String) async -> [String] {
    var read: [String] = []
    while let line = await lines.next() {
      read.append(line)
      all.append(line)
      if line == last { break }
    }
    return read
  }
}
