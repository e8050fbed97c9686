// SPDX-License-Identifier: Apache-2.0

import Foundation
import HummingbirdTesting
import Identity
import Kit
import Scheduling
import TestSupport
import Testing

@testable import Console
@testable import GatehouseApp
@testable import RubixFlow

@Suite(
  "Journey: a call between two browsers", .serialized, .onOneEngine,
  .enabled(if: Chromium.isInstalled, "\(Chromium.missing)"))
struct CallJourneyTests {
  @Test(
    "two browsers with cameras hold a call, one comes back, a picture is kept, the verdict ends it",
    .enabled(if: !TurnServer.isInstalled, "the same is tried by a TURN server, and then without it"))
  @MainActor
  func direct() async throws { try await Self.play(CallStage(), Pair()) }

  @Test(
    "the same, with every picture and sound by a TURN server that each browser has its own password for; then directly",
    .enabled(if: TurnServer.isInstalled, "\(TurnServer.missing)"))
  @MainActor
  func relayed() async throws {
    let turn = try TurnServer(secret: "north")
    defer { turn.stop() }
    let pair = try Pair()
    try await Self.play(CallStage(by: turn), pair)
    try await Self.meet(CallStage(), pair)
  }

  /// The browsers of an agent and of a customer. Starting them takes longer than a call does.
  @MainActor
  private final class Pair {
    let agent: ChromiumTab
    let guest: ChromiumTab
    /// They go after the browsers.
    private let folders: [TestFolder]

    init() throws {
      let (one, two) = (try TestFolder(), try TestFolder())
      agent = try CallJourneyTests.tab(in: one)
      guest = try CallJourneyTests.tab(in: two)
      folders = [one, two]
    }
  }

  @MainActor
  private static func signIn(_ agent: ChromiumTab, at address: String) throws {
    try agent.open("\(address)/console/sign-in")
    try agent.evaluate(
      """
      (() => {
        const form = document.querySelector("main form");
        form.elements.email.value = "\(CallStage.email)";
        form.elements.password.value = "\(CallStage.password)";
        form.requestSubmit();
      })()
      """)
    try agent.wait(for: "location.pathname === '/console/queue' && document.readyState === 'complete'")
  }

  /// They find each other, and no more.
  private static func meet(_ stage: CallStage, _ pair: Pair) async throws {
    try await stage.app.server().serve { @MainActor client in
      let address = "http://localhost:\(try #require(client.port))"
      let (agent, guest) = (pair.agent, pair.guest)
      try Self.signIn(agent, at: address)
      try agent.open(address + AgentCallRoutes.path(of: stage.call))
      try agent.evaluate(Self.remembersPeers)
      try Self.join(agent, until: "waiting")
      try guest.open("\(address)/call/\(CallLink.token(of: stage.call, stage.app.vault))")
      try Self.join(guest, until: "connected")
      try Self.seeEachOther(agent, guest)
      #expect(try agent.evaluate(Self.ways).contains("host"))
      // A page that listens would hold the server up.
      for tab in [agent, guest] {
        try tab.evaluate("location.replace('about:blank')")
        try tab.wait(for: "location.href === 'about:blank'")
      }
    }
  }

  private static func play(_ stage: CallStage, _ pair: Pair) async throws {
    try await stage.app.server().serve { @MainActor client in
      let address = "http://localhost:\(try #require(client.port))"
      let (agent, guest) = (pair.agent, pair.guest)
      try Self.signIn(agent, at: address)
      #expect(try agent.evaluate("document.featurePolicy.allowsFeature('camera')") == "false")
      try agent.open("\(address)/console/calls")
      #expect(try agent.evaluate("document.querySelector('tbody a').pathname") == AgentCallRoutes.path(of: stage.call))
      try agent.open(address + AgentCallRoutes.path(of: stage.call))
      // What no page of ours posted changes nothing, no matter who is signed in.
      #expect(try agent.evaluate(Self.post("\(AgentCallRoutes.path(of: stage.call))/join", "{}")) == "403")
      // Joining is use of the session, of which the other tabs learn.
      #expect(try agent.evaluate("document.getElementById('idle') !== null") == "true")
      try agent.evaluate("localStorage.removeItem('gatehouse-used')")
      try agent.evaluate(Self.remembersPeers)
      try agent.evaluate(Self.remembersUse)
      try Self.join(agent, until: "waiting")
      #expect(try agent.evaluate("Number(localStorage.getItem('gatehouse-used')) > 0") == "true")
      // Who waits for a customer may have left the desk.
      #expect(try agent.evaluate(Self.isUse) == "false")

      let link = "/call/\(CallLink.token(of: stage.call, stage.app.vault))"
      try guest.open(address + link)
      // The link alone, without joining, allows nothing.
      #expect(try guest.evaluate(Self.post("\(link)/connected", #"{"seat":1}"#)) == "404")
      #expect(try guest.evaluate("document.documentElement.scrollWidth") == "390")
      #expect(try guest.evaluate("document.body.textContent").contains("may keep a picture of you"))
      try Self.join(guest, until: "connected")
      try Self.seeEachOther(agent, guest)
      #expect(try await stage.status() == .inCall)
      // At once: an agent who had waited for long lost the session before the four minutes were over.
      try agent.wait(for: "localStorage.getItem('gatehouse-used') !== null")
      #expect(try agent.evaluate(Self.isUse) == "true")
      let ways = try agent.evaluate(Self.ways)
      #expect(stage.isRelayed ? ways == "relay" : ways.contains("host"))
      try Self.click(guest, "mute")
      #expect(try guest.evaluate("document.querySelector('[data-mute]').ariaPressed") == "true")

      // The page is loaded anew, as a phone does with one that was in the background.
      try agent.evaluate("delete document.getElementById('call').dataset.told")
      try guest.evaluate("location.reload()")
      try guest.wait(for: "document.readyState === 'complete' && !document.querySelector('[data-join]').hidden")
      try Self.join(guest, until: "connected")
      try Self.seeEachOther(agent, guest)

      try Self.click(agent, "snapshot")
      try agent.wait(for: "document.querySelector('[data-taken]').textContent !== ''")
      #expect(try agent.evaluate("document.querySelector('[data-taken]').textContent").contains("is kept"))
      #expect(try await stage.pictures() == ["CALL_SNAPSHOT"])

      try agent.evaluate(
        """
        (() => {
          for (const answer of document.querySelectorAll("input[type=radio][value=yes]")) answer.checked = true;
          document.querySelector("button[value=FAILED]").click();
        })()
        """)
      // Without a reason it is refused, and the call goes on with what was answered.
      try agent.wait(for: "document.querySelector('[data-fault]').checkVisibility()")
      #expect(try agent.evaluate("document.querySelector('[data-fault]').innerText").contains("Choose the reason"))
      #expect(try agent.evaluate("document.getElementById('call').dataset.state") == "connected")
      #expect(try await stage.status() == .inCall)
      try agent.evaluate("document.querySelector('button[value=SUCCESSFUL]').click()")
      try agent.wait(for: "location.pathname === '/console/calls'")
      try guest.wait(for: "document.getElementById('call').dataset.state === 'ended'")
      #expect(try await stage.status() == .done)
      #expect(try await stage.application().phase == .completed)
      let story = try await stage.story()
      #expect(
        story == [
          "call.joined", "call.joined", "call.connected", "call.connected", "call.started", "call.joined",
          "call.snapshot", "call.ended",
        ])
    }
  }

  @MainActor
  private static func tab(in folder: TestFolder) throws -> ChromiumTab {
    try ChromiumTab(width: 390, height: 844, flags: ChromiumTab.fakeCamera, in: folder)
  }

  /// The page's connections are kept where a test finds them.
  private static let remembersPeers = """
    (() => {
      window.peers = [];
      const Given = RTCPeerConnection;
      window.RTCPeerConnection = class extends Given {
        constructor(way) { super(way); window.peers.push(this); }
      };
    })()
    """

  /// What the page does every four minutes is kept where a test finds it.
  private static let remembersUse = """
    (() => {
      const given = window.setInterval;
      window.setInterval = (act, time) => {
        if (time === 240_000) window.everyFourMinutes = act;
        return given(act, time);
      };
    })()
    """

  /// Whether four minutes as they are now count as use of the session.
  private static let isUse = """
    (async () => {
      localStorage.removeItem("gatehouse-used");
      await window.everyFourMinutes();
      return localStorage.getItem("gatehouse-used") !== null;
    })()
    """

  /// The kinds of the addresses that the page tried by itself (`RTCIceCandidateType`).
  private static let ways = """
    (async () => {
      const seen = new Set();
      for (const peer of window.peers.filter((peer) => peer.connectionState === "connected")) {
        (await peer.getStats()).forEach((line) => line.type === "local-candidate" && seen.add(line.candidateType));
      }
      return [...seen].sort().join(" ");
    })()
    """

  /// Posts JSON by hand.
  private static func post(_ path: String, _ body: String) -> String {
    """
    fetch("\(path)", { method: "POST", headers: { "content-type": "application/json" }, body: '\(body)' })
      .then(({ status }) => status)
    """
  }

  @MainActor
  private static func click(_ tab: ChromiumTab, _ name: String) throws {
    try tab.evaluate("document.querySelector('[data-\(name)]').click()")
  }

  @MainActor
  private static func join(_ tab: ChromiumTab, until state: String) throws {
    try click(tab, "join")
    do { try tab.wait(for: "document.getElementById('call').dataset.state === '\(state)'") } catch {
      let seen = try tab.evaluate("document.getElementById('call').dataset.state + ' ' + document.body.innerText")
      Issue.record("\(error), but \(seen.prefix(600))")
      throw error
    }
  }

  /// Each plays the other's picture, and told the server.
  @MainActor
  private static func seeEachOther(_ tabs: ChromiumTab...) throws {
    for tab in tabs {
      try tab.wait(for: "document.getElementById('call').dataset.told === 'true'")
      for fact in ["videoWidth > 0", "currentTime > 0"] {
        try tab.wait(for: "document.querySelector('[data-far]').\(fact)")
      }
    }
  }
}

/// The product with one agent and one customer, whose call is now.
struct CallStage: Sendable {
  static let (email, password) = ("agent@bank.example", "utopia lies westward 9")

  /// Its file goes when it does.
  private let store: TestDatabase
  let app: App
  /// Of the server.
  let folder: TestFolder
  let call: Appointment.ID
  let isRelayed: Bool
  private let (customer, tenant): (RubixFlow.Application.ID, Tenant)

  /// - Parameter turn: by which alone the browsers reach each other.
  init(by turn: TurnServer? = nil) async throws {
    // A TURN server asks the machine's clock whether a password still counts.
    let clock = TestWorld(now: turn == nil ? TestWorld().now : World.live.now())
    let (folder, log) = (try TestFolder(), LogRecorder())
    isRelayed = turn != nil
    var settings = Settings()
    if let turn {
      settings.calls.ice = ICEServers(stun: [], turn: [turn.address], secret: turn.secret, isRelayOnly: true)
    }
    settings.dataFolder = folder.file("data")
    let made = try await TestDatabase.make(.current, Schema.migrations)
    let app = try await App.open(
      settings, database: made.database, world: clock.world, logger: log.logger,
      passwordCost: PasswordCost(memory: 8, passes: 1))
    let member = try await app.staff.add(
      NewStaffMember(
        tenant: "default", email: Self.email, name: "Ada Agent", gender: .female, languages: ["en"],
        permissions: [.attendVideo, .readCustomers], password: Self.password), by: "operator")
    let (tenant, now) = (try app.tenants.find(nil), clock.now)
    let roster = AgentRoster(agents: [.init(id: member.id.rawValue, gender: "F", languages: ["en"])])
    let start = Instant(milliseconds: (now.milliseconds / 3_600_000 + 24) * 3_600_000)
    let (application, booked) = try await Self.book(1, at: start, roster: roster, app)
    call = booked
    clock.set(start)
    (store, self.app, self.folder, customer, self.tenant) = (made, app, folder, application, tenant)
  }

  /// Makes a customer who has booked a call.
  /// - Parameter number: 0 to 9, sets them apart.
  static func book(
    _ number: Int, at start: Instant, roster: AgentRoster, _ app: App
  ) async throws -> (RubixFlow.Application.ID, Appointment.ID) {
    let (core, now) = (app.core, app.world.now())
    let application = Self.application(number, core: core, at: now)
    let calendar = try app.rubix.applications.appointments(of: app.tenants.find(nil))
    let call = try await core.database.write { tx in
      let store = ApplicationStore(tx, vault: core.vault)
      try store.insert(application)
      // Inserting begins at the beginning; the rest of the row follows.
      _ = try store.update(application, at: now)
      try ImageStore(tx, vault: core.vault).insert(
        CaptureSession(id: .init(core.world), application: application.id, createdAt: now))
      return try calendar.book(
        .init(callTime: start), for: application.id.rawValue, roster: roster, in: tx
      ).id
    }
    return (application.id, call)
  }

  private static func application(_ number: Int, core: CoreDependencies, at now: Instant) -> RubixFlow.Application {
    var applicant = Applicant(
      deviceID: "device-012345678\(number)", platform: "ios", contactNo: "+9655000123\(number)",
      email: "erika\(number)@example.com", consents: [])
    applicant.firstName = "Erika"
    return RubixFlow.Application(
      id: .init(core.world), tenant: "default", phase: .awaitingCall, lastStep: .agentVerificationScheduled,
      completedSteps: [.registrationInitiated], sms: .confirmed, email: .confirmed, evaluation: .matched,
      verificationAttempts: 0, undeterminedCount: 0, callRequired: false, agentAccepted: false, screenedAt: nil,
      reviewReason: nil, retake: [], applicant: applicant, createdAt: now, updatedAt: now,
      expiresAt: now + .days(90), version: 1)
  }

  func status() async throws -> Appointment.Status? {
    let calendar = try app.rubix.applications.appointments(of: tenant)
    return try await app.database.read { [call] in try calendar.find(call, in: $0)?.status }
  }

  func application() async throws -> RubixFlow.Application {
    try await app.database.read { [self] in
      try ApplicationStore($0, vault: app.vault).find(customer, tenant: tenant.id)
    }
  }

  func pictures() async throws -> [String] {
    try await app.database.read { [self] in
      try ImageStore($0, vault: app.vault).current(of: customer).map(\.type.rawValue)
    }
  }

  func story() async throws -> [String] {
    try await app.database.read { [customer] in
      try AuditStore($0).lines(of: customer.rawValue).map(\.action).filter { $0.hasPrefix("call.") }
    }
  }
}
