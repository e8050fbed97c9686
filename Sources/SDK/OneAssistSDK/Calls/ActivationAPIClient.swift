// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import GatehouseWire
internal import OneAssistWire

/// The calls of the activation API (specification §8).
struct ActivationAPIClient: Sendable {
  /// As servers see this version: the one of the document that the names are from.
  static let version = "0.0.1"
  private static let uploadDeadline = Duration.seconds(90)

  let base: URL
  let token: String
  let transport: HTTPTransport
  let randomness: ClientRandomness
  let userAgent: String
  let log: ActivationLog

  func orderInfo(_ code: String) async throws(CallFailure) -> OneAssist.OrderInfo {
    try await get(.orderInfo, "subscription-service/order/info", ["orderUUID": code])
  }

  func documents(_ code: String) async throws(CallFailure) -> OneAssist.RequiredDocuments {
    try await get(.documents, "subscription-service/lead/activation/documents", ["orderUUID": code])
  }

  func submit(_ lead: OneAssist.LeadRequest) async throws(CallFailure) -> OneAssist.TaskStatus {
    try await post(.details, "subscription-service/lead", lead)
  }

  func sendLink(_ link: OneAssist.LinkRequest) async throws(CallFailure) -> OneAssist.LinkAnswer {
    try await post(.link, "subscription-service/lead/asset/document/link", link)
  }

  func upload(_ form: FormBody) async throws(CallFailure) -> OneAssist.DocumentAnswer {
    try await send(.upload, "subscription-service/lead/activation/asset/document", form)
  }

  /// The text of a picture.
  func recognise(_ picture: Data) async throws(CallFailure) -> String {
    let form = FormBody(
      fields: [("features", #"[{"type":"TEXT_DETECTION","maxResults":1}]"#)], fileField: "imageFile",
      fileName: "image", file: picture, boundary: randomness.uuid().uuidString)
    let answer: OneAssist.TextAnswer = try await send(.recognition, "pandora-ws/api/v1/image-data", form)
    return answer.anyText ?? ""
  }

  func screenKey(_ reference: String) async throws(CallFailure) -> OneAssist.ScreenKey {
    try await get(.screenKey, "subscription-service/order/hash-key/\(Self.escaped(reference))")
  }

  func report(_ event: OneAssist.ScreenEvent, _ reference: String) async throws(CallFailure) -> OneAssist.TaskStatus {
    try await post(.screenEvent, "subscription-service/order/hash-key/\(Self.escaped(reference))/events", event)
  }

  // MARK: One exchange

  private func get<Answer: Codable & Sendable & Equatable>(
    _ step: CallStep, _ path: String, _ query: [String: String] = [:]
  ) async throws(CallFailure) -> Answer {
    try await send(step, TransportRequest(method: "GET", url: url(path, query)))
  }

  private func post<Answer: Codable & Sendable & Equatable>(
    _ step: CallStep, _ path: String, _ body: some Encodable
  ) async throws(CallFailure) -> Answer {
    guard let bytes = try? WireJSON.encode(body) else { throw CallFailure(error: step.failure) }
    var request = TransportRequest(method: "POST", url: url(path), body: bytes)
    request.headers["Content-Type"] = "application/json"
    return try await send(step, request)
  }

  private func send<Answer: Codable & Sendable & Equatable>(
    _ step: CallStep, _ path: String, _ form: FormBody
  ) async throws(CallFailure) -> Answer {
    var request = TransportRequest(method: "POST", url: url(path), body: form.bytes, deadline: Self.uploadDeadline)
    request.headers["Content-Type"] = form.type
    return try await send(step, request)
  }

  private func send<Answer: Codable & Sendable & Equatable>(
    _ step: CallStep, _ unsigned: TransportRequest
  ) async throws(CallFailure) -> Answer {
    var request = unsigned
    request.headers["token"] = token
    request.headers["App-Id"] = "mobileApp"
    request.headers["apkVersion"] = Self.version
    request.headers["User-Agent"] = userAgent
    request.headers["Accept"] = "application/json"
    request.headers["X-Request-Id"] = randomness.uuid().uuidString
    // The same call sent again by a shaky network is one call.
    if request.method == "POST" { request.headers["Idempotency-Key"] = randomness.uuid().uuidString }
    let response: TransportResponse
    do throws(TransportError) { response = try await transport.send(request) } catch {
      log.exchange(step, error)
      throw step.failure(error)
    }
    log.exchange(step, response.status)
    return try step.read(response, as: Answer.self)
  }

  private func url(_ path: String, _ query: [String: String] = [:]) -> URL {
    let pairs = query.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }
    let text = "\(base.absoluteString)/\(path)" + (pairs.isEmpty ? "" : "?\(pairs.joined(separator: "&"))")
    return URL(string: text) ?? base
  }

  /// Everything but what RFC 3986 §2.3 leaves alone.
  private static func escaped(_ text: String) -> String {
    let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
    return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}
