// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import HTTPTypes
import Kit
import OneAssistSDK
import Testing

/// The partner's app on the phone that is to be covered: the real SDK, calling the router. What the device keeps
/// outlives the app.
struct InsuredApp: Sendable {
  let phone: InsuredPhone
  let store: MemorySecureStore

  init(_ phone: InsuredPhone, store: MemorySecureStore = MemorySecureStore()) {
    (self.phone, self.store) = (phone, store)
  }

  /// The same phone, calling another process.
  func at(_ app: OneAssistTestApp) -> InsuredApp { InsuredApp(phone.at(app), store: store) }

  /// The app as it is after a start of its process, set up.
  func launched() async throws -> OAActivation {
    let phoneApp = activation()
    try await phoneApp.initializeSDK(token: phone.token)
    return phoneApp
  }

  /// Before it is set up.
  func activation() -> OAActivation {
    let configuration = OAConfiguration(apiEndPoint: "https://cover.example/apigateway", textRecognizer: .server)
    return OAActivation(configuration: configuration, ports: ports) { $0() }
  }

  /// And started.
  func started() async throws -> OAActivation {
    let phoneApp = try await launched()
    try await phoneApp.startActivation(for: phone.code)
    return phoneApp
  }

  private var ports: ActivationPorts {
    let app = phone.app
    var ports = ActivationPorts(
      transport: { _ in Self.transport(app) }, store: store, photos: PhotoPermission { .full },
      sheet: IdentifierSheet { true },
      screenshots: ScreenshotWatcher {
        // What the system's sheet says, as a picture; the server's reader is a fake that reads texts.
        let time = Double(app.clock.now.milliseconds) / 1000
        return AsyncStream {
          $0.yield(.taken(Screenshot(takenAt: time) { Data("EID 89\nIMEI \(OneAssistTestApp.imei)".utf8) }))
        }
      }, device: DeviceInfo(model: "iPhone 14", system: "iOS 18"))
    ports.clock = ClientClock(
      wallTime: { Double(app.clock.now.milliseconds) / 1000 },
      uptime: { .milliseconds(app.clock.now.milliseconds) },
      pause: { (_) async throws(CancellationError) in
        // Until it is cancelled: nothing here needs time to pass.
        for await _ in AsyncStream<Void>(unfolding: { await Self.forever() }) {}
        throw CancellationError()
      })
    return ports
  }

  private static func forever() async -> Void? {
    let (stream, mouth) = AsyncStream.makeStream(of: Void.self)
    defer { mouth.finish() }
    for await _ in stream {}
    return nil
  }

  private static func transport(_ app: OneAssistTestApp) -> HTTPTransport {
    HTTPTransport { (request, _) async throws(TransportError) in
      do {
        let method = try #require(HTTPRequest.Method(rawValue: request.method))
        let query = request.url.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let answer = try await app.call(
          method, request.url.path(percentEncoded: true) + query,
          headers: Dictionary(request.headers.all.map { ($0.name, $0.value) }) { one, _ in one },
          body: request.body ?? Data())
        var headers = TransportHeaders()
        for field in answer.headers { headers[field.name.rawName] = field.value }
        return TransportResponse(status: answer.status, headers: headers, body: answer.body)
      } catch {
        throw TransportError(.unreachable)
      }
    }
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

/// The secure screen, as its user sees it.
@MainActor
final class SeenScreen: OASecureScreenHost {
  private let (shown, mouth) = AsyncStream.makeStream(of: String.self)
  private var events: (@Sendable (OASecureScreenEvent) -> Void)?

  nonisolated init() {}

  func present(_ content: OASecureScreenContent, events: @escaping @Sendable (OASecureScreenEvent) -> Void) {
    self.events = events
    update(content)
  }

  func update(_ content: OASecureScreenContent) { if let code = content.code { mouth.yield(code) } }
  func dismiss() async {}
  func close() { events?(.closed) }

  /// Eleven digits, as a photo of it shows them.
  func digits() async -> String? {
    for await code in shown { return code.filter { $0 != " " } }
    return nil
  }
}
