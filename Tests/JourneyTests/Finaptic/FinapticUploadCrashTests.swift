// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseTransport
import GatehouseWire
import FinapticWire
import Glibc
import Kit
import TestSupport
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

/// The program in a process of its own, killed while a picture is on its way.
@Suite(
  "Finaptic: kill -9 under an upload", .ownFile,
  .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"))
struct FinapticUploadCrashTests {
  private static let picture = GreyPicture.jpeg + Data(repeating: 7, count: 1_000_000)

  @Test("its address takes the picture afterwards, and then says that it has it", .timeLimit(.minutes(2)))
  func brokenOff() async throws {
    let folder = try TestFolder()
    let data = folder.file("data")
    let sdkKey = try await Self.prepare(data)
    let program = LiveProgram(data: data)
    try program.start()
    let sdk = try await FinapticSDK.make(
      sdkKey: sdkKey,
      options: FinapticOptions(
        store: MemorySecureStore(), queue: .global(), transport: program.transport, log: { _ in }))
    let id = try await sdk.onboardingClient.initiateApplication(request: InitiateApplicationRequest(bundleId: "kycV1"))
      .basicDetails.applicationId
    let place = try await sdk.onboardingClient.createFileUploadURL(
      request: CreateFileUploadUrlRequest(onboardingApplicationId: id))
    let url = try #require(URL(string: place.uploadUrl))
    let half = try Self.sendHalf(to: url.path, at: program.listening)
    program.kill()
    try half.close()
    #expect(try await Self.kept(data, id) == [nil])

    try program.start()
    #expect(try await Self.put(url, by: program).status == 200)
    program.kill()
    #expect(try await Self.kept(data, id) == [Self.picture])

    // An app that did not hear of it.
    try program.start()
    let again = try await Self.put(url, by: program)
    let refusal = try WireJSON.decode(FinapticAPI.ErrorBody.self, from: again.body)
    #expect(again.status == 403 && refusal.details?.errorCode == "ALREADY_EXISTS")
    program.kill()
  }

  private static func put(_ url: URL, by program: LiveProgram) async throws -> TransportResponse {
    try await program.transport.send(
      TransportRequest(method: "PUT", url: url, headers: ["content-type": "image/jpeg"], body: picture))
  }

  /// Half a picture on a connection that stays open.
  private static func sendHalf(to path: String, at port: UInt16) throws -> FileHandle {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(socket >= 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, size) }
    }
    try #require(status == 0)
    let head = """
      PUT \(path) HTTP/1.1\r
      Host: 127.0.0.1\r
      Content-Type: image/jpeg\r
      Content-Length: \(picture.count)\r
      \r\n
      """
    let bytes = Data(head.utf8) + picture.prefix(picture.count / 2)
    let handle = FileHandle(fileDescriptor: socket, closeOnDealloc: true)
    try handle.write(contentsOf: bytes)
    return handle
  }

  private static func prepare(_ data: String) async throws -> String {
    let app = try await open(data)
    let tenants = app.finaptic.dependencies.tenants
    try await tenants.add(7, name: "Crash", kind: .sandbox, by: "test")
    let key = try await tenants.issueKey("app", tenant: 7, by: "test").sdkKey.text
    try app.database.close()
    return key
  }

  /// The picture of each file of an application; nil for a place that is empty.
  private static func kept(_ data: String, _ application: String) async throws -> [Data?] {
    let app = try await open(data)
    let id = OnboardingApplication.ID(rawValue: application)
    let files = try await app.database.read { try FileStore($0).all(of: id, besides: [], limit: 10) }
    var pictures: [Data?] = []
    for file in files { pictures.append(try await app.finaptic.dependencies.files.picture(file)) }
    try app.database.close()
    return pictures
  }

  private static func open(_ data: String) async throws -> App {
    var settings = Settings()
    settings.dataFolder = data
    settings.logLevel = "error"
    try await settings.putSchema()
    return try await App.open(settings, logger: settings.logger("test"))
  }
}
