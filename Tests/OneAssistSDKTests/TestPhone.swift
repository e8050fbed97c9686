// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import OneAssistSDK
import Synchronization
import Testing

/// A phone on which everything that an activation asks of it is scripted.
final class TestPhone: Sendable {
  struct State {
    var permission = PhotoPermission.Answer.full
    var canDial = true
    /// Whether the system says when its sheet is shown.
    var opensSheet = true
    var sheets: [CheckedContinuation<Void, Never>] = []
    var isCaptured = false
    var isMirrored = false
    var lampChanges: [String] = []
    var installation = "first"
    var log: [String] = []
    var watches = 0
    /// What the user picks where the app may see chosen photos only.
    var picks: Screenshot?
    var choices = 0
    var events: AsyncStream<ScreenshotWatcher.Event>.Continuation?
    var changes: AsyncStream<Void>.Continuation?
    /// What happens when the sheet opens; by itself the user takes a screenshot.
    var onSheet: (@Sendable (TestPhone) -> Void)? = { $0.takeScreenshot() }
  }

  static let (imei, otherIMEI) = ("359000110000012", "490154203237518")
  static let address = "12 Lake Road, Bengaluru"

  let clock = SteppedClock()
  let server: FakeServer
  let store: any SecureStore
  private let state = Mutex(State())
  private let configuration: OAConfiguration

  /// The phone of an app that names its servers in its configuration.
  static let configuration = OAConfiguration(
    apiEndPoint: "https://cover.example/apigateway", debugAPIEndPoint: "http://[::1]:9", textRecognizer: .server)

  init(store: any SecureStore = MemorySecureStore(), configuration: OAConfiguration = TestPhone.configuration) {
    server = FakeServer(clock)
    (self.store, self.configuration) = (store, configuration)
  }

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }
  func read<Value: Sendable>(_ body: (State) -> Value) -> Value { state.withLock { body($0) } }

  /// The app, as it is after every start of the process: nothing is left but the store.
  func app() -> OAActivation { OAActivation(configuration: configuration, ports: ports) { $0() } }

  /// One that answers where apps in the field are answered.
  func appOnMain() -> OAActivation {
    OAActivation(configuration: configuration, ports: ports) { answer in DispatchQueue.main.async { answer() } }
  }

  /// An app that is set up.
  func ready() async throws -> OAActivation {
    let app = app()
    try await app.initializeSDK(token: "token", isDebugMode: true, apiEndPoint: "http://127.0.0.1:9/apigateway")
    return app
  }

  /// An app whose activation stands where the server says.
  func started(_ status: String? = nil) async throws -> OAActivation {
    if let status { server.change { $0.status = status } }
    let app = try await ready()
    try await app.startActivation(for: FakeServer.code)
    return app
  }

  /// An app that knows the phone's number, photos next.
  func numbered(_ status: String = "POSTDTLCOMPLETE", linked: Bool = false) async throws -> OAActivation {
    let app = try await started("POSTDTLPENDING")
    try await app.fetchDeviceId(pincode: "560001", address: Self.address)
    server.change { state in
      state.status = status
      if linked { state.linkSentAt = "2026-11-22T08:00:00Z" }
    }
    try await app.startActivation(for: FakeServer.code)
    return app
  }

  func takeScreenshot(secondsAgo: Double = 0, _ bytes: Data? = Data("screenshot".utf8)) {
    tell(.taken(Screenshot(takenAt: clock.wall - secondsAgo) { bytes }))
  }

  /// Sheets that never said so are shown in the end.
  func closeSheets() {
    let sheets = state.withLock { state in
      defer { (state.sheets, state.opensSheet) = ([], true) }
      return state.sheets
    }
    for shown in sheets { shown.resume() }
  }

  func tell(_ event: ScreenshotWatcher.Event) { read { $0.events }?.yield(event) }

  /// Begins or ends a recording of the screen, which the system reports.
  func capture(_ isCaptured: Bool, told: Bool = true) {
    change { $0.isCaptured = isCaptured }
    if told { read { $0.changes }?.yield() }
  }

  /// Connects or removes another screen, which the system reports.
  func mirror(_ isMirrored: Bool, told: Bool = true) {
    change { $0.isMirrored = isMirrored }
    if told { read { $0.changes }?.yield() }
  }

  private var ports: ActivationPorts {
    var ports = ActivationPorts(
      transport: { _ in self.server.transport }, store: store,
      installation: { self.read { $0.installation } },
      photos: PhotoPermission { self.read { $0.permission } },
      sheet: IdentifierSheet {
        guard self.read({ $0.canDial }) else { return false }
        if !self.read({ $0.opensSheet }) {
          await withCheckedContinuation { shown in self.change { $0.sheets.append(shown) } }
        }
        self.read { $0.onSheet }?(self)
        return true
      },
      screenshots: ScreenshotWatcher(
        watch: {
          let (stream, mouth) = AsyncStream.makeStream(of: ScreenshotWatcher.Event.self)
          self.change { state in (state.events, state.watches) = (mouth, state.watches + 1) }
          return stream
        },
        choose: {
          self.change { $0.choices += 1 }
          return self.read { $0.picks }
        }),
      capture: ScreenCaptureMonitor(
        isRecorded: { self.read { $0.isCaptured } }, isMirrored: { self.read { $0.isMirrored } },
        changes: {
          let (stream, mouth) = AsyncStream.makeStream(of: Void.self)
          self.change { $0.changes = mouth }
          return stream
        }),
      lamp: ScreenLamp {
        self.change { $0.lampChanges.append("bright") }
        return { self.change { $0.lampChanges.append("as before") } }
      },
      device: DeviceInfo(model: "iPhone 14", system: "iOS 18"),
      log: ActivationLog { line in self.change { $0.log.append(line) } })
    ports.clock = clock.client
    return ports
  }
}

/// What a call threw; nil when it threw nothing.
func thrown(by call: @Sendable () async throws -> OAAction) async -> OAError? {
  do {
    _ = try await call()
    return nil
  } catch {
    guard let error = error as? OAError else {
      Issue.record("\(error) is not an error of the SDK")
      return nil
    }
    return error
  }
}
