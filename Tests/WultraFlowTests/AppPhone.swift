import Foundation
import GatehouseTransport
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import PowerAuth2
import PowerAuthCore
import PowerAuthHTTP
import WultraDigitalOnboarding
import WultraPowerAuthNetworking

@testable import WultraFlow

/// A phone with our SDK, whose network is the server's router. The app can be killed at any time: `start` begins anew on
/// what is stored.
final class AppPhone: Sendable {
  struct Credentials: Codable {
    var clientNumber = "1"
    var birthDate = "1990-01-01"
  }

  static let pin = "1357"

  let house: WultraHouse
  let store = MemorySecureStore()
  private let client: any TestClientProtocol

  private init(_ house: WultraHouse, _ client: any TestClientProtocol) {
    self.house = house
    self.client = client
  }

  /// Plays on a router with both base URLs.
  static func run(_ house: WultraHouse, _ play: @escaping @Sendable (AppPhone) async throws -> Void) async throws {
    let router = Router(context: PublicContext.self)
    router.add(middleware: CorrelationMiddleware(world: house.clock.world))
    router.add(middleware: ProblemMiddleware(dialect: DeviceDialect(own: Problem.wultraNames)))
    WultraRoutes(runner: house.runner, activations: house.activations)
      .add(to: router.group(RouterPath(WultraPhone.onboarding)))
    PowerAuthRoutes(
      activations: house.activations, world: house.clock.world,
      limits: PowerAuthLimits(database: house.database, vault: house.vault, world: house.clock.world, factor: 100),
      server: .init(name: "gatehouse")
    ).add(to: router.group(RouterPath(WultraPhone.powerAuth)))
    try await Application(router: router).test(.router) { client in try await play(AppPhone(house, client)) }
  }

  // MARK: The app

  func start() -> PowerAuthSDK {
    let clock = house.clock
    return PowerAuthSDK(
      configuration: PowerAuthConfiguration(
        instanceId: "app", baseEndpointUrl: "https://bank.example\(WultraPhone.powerAuth)",
        configuration: house.release.configuration.text),
      platform: PowerAuthPlatform(
        store: store, transport: transport,
        clock: ClientClock(
          wallTime: { Double(clock.now.milliseconds) / 1000 },
          uptime: { .milliseconds(clock.now.milliseconds) },
          pause: { (_) async throws(CancellationError) in }),
        device: PowerAuthDevice(platform: "iOS", model: "iPhone12,3")))
  }

  func activation() -> WDOActivationService { WDOActivationService(networking: networking(start())) }
  func verification() -> WDOVerificationService { WDOVerificationService(networking: networking(start())) }

  func networking(_ sdk: PowerAuthSDK) -> WPNNetworkingService {
    WPNNetworkingService(
      powerAuth: sdk, config: WPNConfig(baseUrl: "https://bank.example\(WultraPhone.onboarding)"),
      serviceName: "app", transport: transport)
  }

  /// A verification whose status is known, in an app that was just started.
  func informed() async throws(WDOVerificationService.Fail) -> WDOVerificationService {
    let service = verification()
    _ = try await service.status()
    return service
  }

  /// What is shown after a fresh start, when the server has done what it owes.
  func shown() async throws -> String {
    try await house.settle()
    return Self.name(try await verification().status())
  }

  static func name(_ state: WDOVerificationState?) -> String {
    let name = (state?.description ?? "none").split(separator: ".").last.map(String.init) ?? ""
    return switch state {
    case .otp(let left): "otp \(left.map(String.init) ?? "-")"
    case .endstate(let reason): "endstate \(reason)".replacing("WDOVerificationState.EndstateReason.", with: "")
    default: name
    }
  }

  // MARK: The way

  /// As far as an activation with a PIN.
  func onboard(_ clientNumber: String = "1") async throws {
    try await activation().start(credentials: Credentials(clientNumber: clientNumber))
    try await house.settle()
    let sdk = start()
    let service = WDOActivationService(networking: networking(sdk))
    _ = try await service.activate(otp: try house.lastCode())
    try sdk.persistActivation(withPassword: Self.pin)
  }

  /// As far as the choice of documents.
  func consent(_ types: [WDODocumentType] = [.idCard, .driversLicense]) async throws {
    _ = try await informed().consentGet()
    _ = try await informed().consentApprove()
    _ = try await verification().documentsSetSelectedTypes(types: types)
  }

  /// Sends a card and a licence.
  func submit(front: Data = FakePicture.good, back: Data = FakePicture.good) async throws {
    _ = try await informed().documentsSubmit(files: [
      file(.idCard, .front, front), file(.idCard, .back, back), file(.driversLicense, .front, FakePicture.good),
    ])
    try await house.settle()
  }

  func file(_ type: WDODocumentType, _ side: WDODocumentSide, _ picture: Data) -> WDODocumentFile {
    WDODocumentFile(data: picture, type: type, side: side, originalDocumentId: nil)
  }

  /// As far as the code; without a picture the check fails.
  func checkPresence(_ picture: Data? = FakePicture.good) async throws {
    let session = try await informed().presenceCheckInit()
    if let picture, let token = session["sessionToken"] as? String { try await capture(picture, token) }
    _ = try await informed().presenceCheckSubmit()
    try await house.settle()
  }

  struct NotCaptured: Error {}

  /// What the library of the presence check does.
  private func capture(_ picture: Data, _ token: String) async throws {
    let response = try await client.execute(
      uri: WultraPhone.onboarding + Wultra.Endpoint.capturePresence.rawValue, method: .post,
      headers: [.authorization: "Bearer \(token)"], body: ByteBuffer(bytes: picture))
    guard response.status == .ok else { throw NotCaptured() }
  }

  private var transport: HTTPTransport {
    let client = client
    return HTTPTransport { (request, progress) async throws(TransportError) in
      var fields = HTTPFields()
      for (name, value) in request.headers.all {
        if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
      }
      let size = Int64(request.body?.count ?? 0)
      for part in 1...4 { progress?(UploadProgress(bytesSent: size * Int64(part) / 4, bytesTotal: size)) }
      do {
        let response = try await client.execute(
          uri: request.url.path, method: .post, headers: fields, body: ByteBuffer(bytes: request.body ?? Data()))
        return TransportResponse(status: response.status.code, body: Data(response.body.readableBytesView))
      } catch {
        throw TransportError(.other)
      }
    }
  }
}
