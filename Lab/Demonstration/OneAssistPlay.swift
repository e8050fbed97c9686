// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import GatehouseApp
import GatehouseTransport
import Kit
import OneAssistCore
import OneAssistSDK
import Specimens
import Synchronization

/// A customer of the demonstration's phone shop: the phone that is to be covered, with the SDK in the shop's app, and the
/// second phone with its browser.
struct OneAssistPlay: Sendable {
  static let (make, model) = ("Apple", "iPhone 14")

  let shop: DemoShop
  let sold: DemoShop.Sold
  let phone: OAActivation
  let screen: DemoPhoneScreen
  let seed: UInt64
  /// Of the purchase, and of the phone that takes the pictures.
  let (mobile, secondMobile): (String, String)
  /// What the system's sheet says.
  let numbers: PhoneNumbers
  /// Texts to the second phone, the newest first.
  private let texts: @Sendable () async throws -> [String]
  private let transport = HTTPTransport.live()

  /// - Parameters:
  ///   - number: of the customer, 0 to 9: each has phones of their own.
  ///   - folder: where the phone keeps what it keeps, sealed.
  ///   - texts: what was texted, the newest first.
  @MainActor
  init(
    shop: DemoShop, sold: DemoShop.Sold, number: Int = 0, folder: URL, seed: UInt64, clock: DemoClock,
    texts: @escaping @Sendable () async throws -> [String]
  ) throws {
    (self.shop, self.sold, self.seed, self.texts) = (shop, sold, seed, texts)
    (mobile, secondMobile) = Self.mobiles(of: number)
    let imei = "35900011000\(number)01"
    let check = (0...9).first { IMEI("\(imei)\($0)") != nil } ?? 0
    let numbers = PhoneNumbers(imei: "\(imei)\(check)", imei2: nil, seed: seed)
    (self.numbers, screen) = (numbers, DemoPhoneScreen())
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let sheet = try IMEIScreenshot.draw(numbers, seed: seed).picture.data
    var ports = ActivationPorts(
      transport: ActivationPorts.network,
      store: try SealedFileStore(file: folder.appending(path: "app"), keyFile: folder.appending(path: "key")),
      photos: PhotoPermission { .full }, sheet: IdentifierSheet { true },
      screenshots: ScreenshotWatcher {
        // The user takes it at once.
        let time = Double(clock.now.milliseconds) / 1000
        return AsyncStream { $0.yield(.taken(Screenshot(takenAt: time) { sheet })) }
      },
      device: DeviceInfo(model: Self.model, system: "iOS 18"))
    ports.clock = ClientClock(
      wallTime: { Double(clock.now.milliseconds) / 1000 },
      pause: { (duration) async throws(CancellationError) in try await ClientClock.live.pause(for: duration) })
    // The phone reads its own sheet: what a recogniser on the device makes of the picture.
    let configuration = OAConfiguration(textRecognizer: .device { _ in "IMEI \(numbers.imei)" })
    phone = OAActivation(configuration: configuration, ports: ports) { answer in answer() }
  }

  /// Of the purchase, and of the phone that takes the pictures.
  static func mobiles(of number: Int) -> (own: String, second: String) {
    ("987654321\(number)", "912345678\(number)")
  }

  /// The app is opened with a token of the shop's.
  func launch() async throws {
    try await phone.initializeSDK(
      token: try await shop.token(for: sold.orderUUID), isDebugMode: true,
      apiEndPoint: "\(shop.address.absoluteString)/apigateway")
  }

  // MARK: The second phone

  struct Missing: Error, CustomStringConvertible {
    let description: String
  }

  /// The link in the newest text.
  func link() async throws -> String {
    for _ in 0..<100 {
      if let text = try await texts().first, let found = text.firstMatch(of: #/\/u\/\S+/#) {
        // The text may name an address that does not answer yet, such as the one of the next start.
        return "\(shop.address.absoluteString)\(found.output)"
      }
      try await ClientClock.live.pause(for: .milliseconds(50))
    }
    throw Missing(description: "no text came")
  }

  /// What the page says first of all that it says.
  func open(_ link: String) async throws -> String {
    guard let url = URL(string: link) else { throw Missing(description: "the link is invalid") }
    let answer = try await transport.send(TransportRequest(method: "GET", url: url))
    return Self.gist(of: String(decoding: answer.body, as: UTF8.self))
  }

  /// Sends a photo as the page's form does, without script.
  func send(_ name: String, _ photo: Data, by link: String) async throws -> String {
    guard let url = URL(string: "\(link)/\(name)") else { throw Missing(description: "the link is invalid") }
    let limit = "photo-of-the-demonstration"
    var body = Data(
      """
      --\(limit)\r\nContent-Disposition: form-data; name="photo"; filename="photo.jpg"\r\n\
      Content-Type: image/jpeg\r\n\r\n
      """.utf8)
    body.append(photo)
    body.append(contentsOf: Data("\r\n--\(limit)--\r\n".utf8))
    var request = TransportRequest(method: "POST", url: url, body: body, deadline: .seconds(60))
    request.headers["content-type"] = "multipart/form-data; boundary=\(limit)"
    let answer = try await transport.send(request)
    // Taken: the browser follows to the page.
    if answer.status == 303 { return try await open(link) }
    let page = String(decoding: answer.body, as: UTF8.self)
    let alert = page.firstMatch(of: #/role="alert">([^<]*)</#).map { String($0.1) }
    return "\(answer.status) \(alert ?? Self.gist(of: page))"
  }

  static func gist(of page: String) -> String {
    if let done = page.firstMatch(of: #/role="status"><h2>([^<]*)</#) { return String(done.1) }
    if let steps = page.firstMatch(of: #/<span>(\d+ of \d+)</#) { return String(steps.1) }
    return page.firstMatch(of: #/<h1>([^<]*)</#).map { String($0.1) } ?? "no page"
  }

  // MARK: Photos

  /// The phone with its secure screen, photographed.
  func front(_ code: String, hint: Int) throws -> Data {
    try SecureScreenPhoto.draw(
      .init(imei: numbers.imei, code: code, hint: hint), degrade: [Degradation(.rotate), Degradation(.jpeg)],
      seed: seed
    ).picture.data
  }

  /// Something in focus, or out of it. What a back looks like is not read.
  func back(_ number: UInt64) throws -> Data {
    try SecureScreenPhoto.draw(degrade: [Degradation(.jpeg)], seed: seed &+ number).picture.data
  }

  /// A photo in which nothing can be made out.
  func blurred(on day: CalendarDate) throws -> Data {
    let drawn = try Specimen.draw(.idCard, seed: seed, reference: day, degrade: DemoPapers.blurred)
    return drawn.images.first?.picture.data ?? Data()
  }
}

/// The secure screen of the demonstration's phone: what a person before it sees.
@MainActor
final class DemoPhoneScreen: OASecureScreenHost {
  private var events: (@Sendable (OASecureScreenEvent) -> Void)?
  private let (contents, mouth) = AsyncStream.makeStream(of: OASecureScreenContent.self)

  func present(_ content: OASecureScreenContent, events: @escaping @Sendable (OASecureScreenEvent) -> Void) {
    self.events = events
    mouth.yield(content)
  }

  func update(_ content: OASecureScreenContent) { mouth.yield(content) }
  func dismiss() async { events = nil }
  func close() { events?(.closed) }

  /// Eleven digits, and the two beside them.
  func code() async -> (digits: String, hint: Int)? {
    for await content in contents {
      if let code = content.code { return (code.filter { $0 != " " }, Int(content.hint ?? "") ?? 0) }
    }
    return nil
  }
}
