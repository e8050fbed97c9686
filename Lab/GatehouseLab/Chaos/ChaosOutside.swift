// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport

/// The others, as `scripts/chaos-outside` plays them: an SMS gateway, a mail server and the weather before S3.
struct ChaosOutside: Sendable {
  struct Ports: Decodable, Sendable {
    let control: Int
    let sms: Int
    let mail: Int
    let s3: Int
  }

  struct Message: Decodable, Sendable {
    let key: String
    let text: String
  }

  struct Report: Codable, Sendable {
    let counts: [String: Int]
    /// What the sender did wrong.
    let faults: [String]
  }

  let ports: Ports
  private let transport = HTTPTransport.live()

  /// - Parameter s3: port of the real S3 server behind the weather.
  static func start(_ children: Children, script: String, s3: Int) throws -> ChaosOutside {
    let output = Pipe()
    // It serves until this pipe ends, which is with us.
    _ = try children.start("/usr/bin/env", ["python3", script, "\(s3)"], log: "outside", output: output, input: Pipe())
    var line = Data()
    while !line.contains(10) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw Children.NotStarted(description: "chaos-outside ended") }
      line += more
    }
    return ChaosOutside(ports: try JSONDecoder().decode(Ports.self, from: line))
  }

  private init(ports: Ports) { self.ports = ports }

  /// What a recipient was sent, oldest first.
  func messages(to recipient: String) async throws -> [Message] {
    let to = recipient.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? recipient
    return try await ask("GET", "messages?to=\(to)")
  }

  func report() async throws -> Report { try await ask("GET", "report") }

  /// - Parameters: shares of requests that go wrong, 0 to 1.
  func setWeather(s3: Double, gateways: Double) async throws {
    let _: [String: Double] = try await ask("POST", "weather", ["s3": s3, "gateways": gateways])
  }

  private func ask<Answer: Decodable>(_ method: String, _ path: String, _ body: [String: Double]? = nil) async throws
    -> Answer
  {
    guard let url = URL(string: "http://127.0.0.1:\(ports.control)/\(path)") else { throw TransportError(.other) }
    let answer = try await transport.send(
      TransportRequest(method: method, url: url, body: try body.map { try JSONEncoder().encode($0) }))
    return try JSONDecoder().decode(Answer.self, from: answer.body)
  }
}
