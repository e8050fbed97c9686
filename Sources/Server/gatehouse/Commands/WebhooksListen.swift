// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Delivery
import Foundation
import GatehouseApp
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import Logging

/// A receiver for development: checks signatures and prints what came.
struct WebhooksListen: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "listen", abstract: "Receive webhooks on this machine, check their signatures and print them.",
    discussion: "The server calls this machine only when webhooks.allowPrivate is set, as for development.")

  @Option(help: "Port to listen on (default: 8090).")
  var port = 8090
  @Option(help: "The endpoint's secret, whsec_…; repeatable while it is being turned over.")
  var secret: [String]
  @Option(help: "Answer every message with this status (default: 204).")
  var answer = 204

  func validate() throws {
    guard (200...599).contains(answer) else { throw ValidationError("--answer is a status between 200 and 599") }
    guard !secret.isEmpty, secret.allSatisfy({ WebhookSecret($0) != nil }) else {
      throw ValidationError("--secret is whsec_ and the Base64 of 24 to 64 bytes")
    }
  }

  func run() async throws {
    let receiver = WebhookReceiver(secrets: secret.compactMap { WebhookSecret($0) }, world: .live)
    let router = Router(context: PublicContext.self)
    let status = answer
    @Sendable func hear(_ request: Request, _ context: PublicContext) async throws -> Response {
      let content = try await RequestContent(request, limit: WebhookPolicy.bodyMax)
      func field(_ name: String) -> String? { HTTPField.Name(name).flatMap { request.headers[$0] } }
      let verified = receiver.verify(
        content.bytes, id: field("webhook-id"), timestamp: field("webhook-timestamp"),
        signatures: field("webhook-signature"))
      print(verified.text)
      return Response(status: verified.isGenuine ? .init(code: status) : .unauthorized)
    }
    // The wildcard stands for one part of a path at least.
    router.post("/", use: hear)
    router.post("**", use: hear)
    var logger = Logger(label: "gatehouse.webhooks")
    logger.logLevel = .error
    print("Listening at http://127.0.0.1:\(port)/")
    try await Application(
      router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: logger
    ).runService()
  }
}

/// What a receiver makes of a call.
struct WebhookReceiver: Sendable {
  struct Verification: Sendable {
    let isGenuine: Bool
    /// For a terminal.
    let text: String
  }

  let secrets: [WebhookSecret]
  let world: World

  func verify(_ body: Data, id: String?, timestamp: String?, signatures: String?) -> Verification {
    let now = world.now()
    let isGenuine = secrets.contains {
      $0.accepts(body, id: id, timestamp: timestamp, signatures: signatures, at: now)
    }
    // What came from outside must not move the cursor of a terminal.
    func printable(_ text: String) -> String {
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.filter { $0 == "\n" || $0.properties.generalCategory != .control }))
    }
    let said = isGenuine ? "genuine" : "REFUSED: the signature is not of this secret, or not of now"
    return Verification(
      isGenuine: isGenuine,
      text: "\(now.rfc3339)  \(printable(id ?? "(no id)"))  \(said)\n"
        + printable(String(decoding: body, as: UTF8.self)))
  }
}
