// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import OneAssistSDK
import Specimens
import TestSupport
import Testing

@testable import GatehouseApp

/// A partner, a customer with two phones and a reviewer, around a program that is killed and started again. What outlives
/// a kill is the installation's folder, and the phone's.
@MainActor
final class ServedShop {
  struct Failed: Error, CustomStringConvertible {
    let description: String
  }

  nonisolated static let imei = "359000110000012"

  let folder: TestFolder
  private let data: String
  private var process: ServedProcess?
  private var credentials = ""
  private let transport = HTTPTransport.live()
  private(set) var address = ""
  private var token = ""
  private(set) var (order, activationCode, membership) = ("", "", "")

  init() async throws {
    folder = try TestFolder()
    data = folder.file("data")
    var settings = Settings()
    settings.dataFolder = data
    try await settings.putSchema()
    let partner = try command(["add-partner", "853", "--name", "Shop", "--units", "1552"])
    func line(_ name: String) throws -> String {
      let found = partner.split(separator: "\n").first { $0.hasPrefix("\(name): ") }
      return String(try #require(found, "\(partner)").dropFirst(name.count + 2))
    }
    credentials = try "\(line("Client")):\(line("Secret"))"
    _ = try command([
      "add-plan", "853", "729", "--name", "Mobile protection", "--price", "1199", "--cover", "20000", "--value-max",
      "100000",
    ])
    try addReviewer()
  }

  /// Who reviews, as operators add them.
  static let reviewer = "ada@bank.example"

  private func addReviewer() throws {
    let (process, input) = (ChildProcess(), Pipe())
    process.executableURL = try #require(ServedProcess.program)
    process.arguments = [
      "staff", "add", "--data", data, "--log", "error", "--email", Self.reviewer, "--name", "Ada", "--gender", "F",
    ]
    (process.standardInput, process.standardOutput) = (input, FileHandle.nullDevice)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data("utopia lies westward 9\n".utf8))
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(description: "staff add") }
  }

  /// Ends the program as a power cut does, and starts another one on what is left.
  func restart() throws {
    process?.kill()
    _ = process?.wait()
    let next = try ServedProcess(graceSeconds: 0, data: data)
    process = next
    address = "http://127.0.0.1:\(try next.port("listening"))"
    next.drain()
  }

  func stop() {
    process?.kill()
    _ = process?.wait()
    process = nil
  }

  /// What an operator or a reviewer types.
  @discardableResult
  func command(_ arguments: [String]) throws -> String {
    let (process, output) = (ChildProcess(), Pipe())
    process.executableURL = try #require(ServedProcess.program)
    process.arguments = ["oneassist", arguments[0], "--data", data, "--log", "error"] + arguments.dropFirst()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failed(description: "\(arguments[0]): \(text)") }
    return text
  }

  // MARK: The partner

  func sell() async throws {
    // The program goes by the machine's clock.
    let yesterday = Date(timeIntervalSince1970: ClientClock.live.wallTime() - 86_400).ISO8601Format().prefix(10)
    let body = """
      {"initiatingSystem":12,"customerInfo":[{"firstName":"Asha","lastName":"Rao","emailId":"asha@mail.example",\
      "mobileNumber":"9876543210","gender":"F","relationship":"self","customerdob":"01-Feb-1990","assetInfo":[\
      {"productCode":"MP01","assetMake":"Apple","assetModel":"iPhone 14","invoiceDate":"\(yesterday)",\
      "invoiceValue":60000}]}],"orderInfo":\
      {"planCode":729,"partnerCode":853,"partnerBUCode":1552,"applicationNo":"A-1","applicationDate":"\(yesterday)"},\
      "paymentInfo":{"paymentMode":"COD"}}
      """
    let sold = try await call("POST", "/OASYS/webservice/rest/customer/onboardCustomer", body)
    order = try #require(sold["orderUUID"] as? String, "\(sold)")
    activationCode = try #require(sold["activationCode"] as? String)
    let answer = try await call("POST", "/partner/v1/generateToken", #"{"orderUUID":"\#(order)"}"#)
    token = try #require(answer["token"] as? String)
    membership = try #require(try await details()["memUUID"] as? String)
  }

  func status() async throws -> String { try #require(try await details()["status"] as? String) }

  private func details() async throws -> [String: Any] {
    let list = try await call("GET", "/partner/v1/memberships?orderUUID=\(order)", nil)
    return try #require((list["memberships"] as? [[String: Any]])?.first)
  }

  private func call(_ method: String, _ path: String, _ body: String?) async throws -> [String: Any] {
    var request = TransportRequest(
      method: method, url: try #require(URL(string: address + path)), body: body.map { Data($0.utf8) })
    request.headers["content-type"] = "application/json"
    request.headers["authorization"] = "Basic \(Data(credentials.utf8).base64EncodedString())"
    let answer = try await transport.send(request)
    guard answer.isSuccess else { throw Failed(description: String(decoding: answer.body, as: UTF8.self)) }
    return try #require(try JSONSerialization.jsonObject(with: answer.body) as? [String: Any])
  }

  // MARK: The phone that is to be covered

  /// The app, as it is after a start of its process.
  func app() async throws -> OAActivation {
    let sheet = try IMEIScreenshot.draw(.init(imei: Self.imei, imei2: nil, seed: 1), seed: 1).picture.data
    let ports = ActivationPorts(
      transport: ActivationPorts.network,
      store: try SealedFileStore(
        file: URL(fileURLWithPath: folder.file("app")), keyFile: URL(fileURLWithPath: folder.file("key"))),
      photos: PhotoPermission { .full }, sheet: IdentifierSheet { true },
      screenshots: ScreenshotWatcher {
        AsyncStream { $0.yield(.taken(Screenshot(takenAt: ClientClock.live.wallTime()) { sheet })) }
      }, device: DeviceInfo(model: "iPhone 14", system: "iOS 18"))
    let configuration = OAConfiguration(textRecognizer: .device { _ in "IMEI \(Self.imei)" })
    let app = OAActivation(configuration: configuration, ports: ports) { $0() }
    try await app.initializeSDK(token: token, isDebugMode: true, apiEndPoint: "\(address)/apigateway")
    return app
  }

  /// A photo of the phone's front, its secure screen open for that long.
  func front(_ app: OAActivation) async throws -> Data {
    let screen = OATextScreenHost { _ in }
    async let closed = app.openSecureScreen(onViewController: screen)
    try await waitUntil("the secure screen shows a code") { screen.content?.code != nil }
    let shown = screen.content
    screen.close()
    _ = try await closed
    return try Self.photo(shown)
  }

  static func photo(_ shown: OASecureScreenContent?) throws -> Data {
    let code = try #require(shown?.code).filter { $0 != " " }
    return try SecureScreenPhoto.draw(.init(imei: imei, code: code, hint: Int(shown?.hint ?? "") ?? 0), seed: 1)
      .picture.data
  }

  // MARK: The second phone

  /// The path of the newest link that was texted; looked for until it is there. A program that was killed while it sent
  /// the text has it in its hands for a quarter of a minute, and then the next one sends it.
  func link() async throws -> String {
    for _ in 0..<1600 {
      let answer = try await transport.send(
        TransportRequest(method: "GET", url: try #require(URL(string: "\(address)/dev/outbox.json"))))
      if let match = String(decoding: answer.body, as: UTF8.self).firstMatch(of: #/u\\?/([A-Za-z0-9_-]{43})/#) {
        return "/u/\(match.1)"
      }
      try await ClientClock.live.pause(for: .milliseconds(25))
    }
    throw Failed(description: "no text came")
  }

  func page(_ path: String) async throws -> String {
    let answer = try await transport.send(
      TransportRequest(method: "GET", url: try #require(URL(string: address + path))))
    return String(decoding: answer.body, as: UTF8.self)
  }

  /// - Returns: the HTTP status.
  func send(_ name: String, _ photo: Data, _ path: String) async throws -> Int {
    var body = Data("--limit\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"a.jpg\"\r\n\r\n".utf8)
    body.append(photo)
    body.append(Data("\r\n--limit--\r\n".utf8))
    var request = TransportRequest(
      method: "POST", url: try #require(URL(string: "\(address)\(path)/\(name)")), body: body)
    request.headers["content-type"] = "multipart/form-data; boundary=limit"
    return try await transport.send(request).status
  }
}
