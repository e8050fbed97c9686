// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Kit
import OneAssistCore
import OneAssistWire
import Testing

/// What the SDK does on the phone that is to be covered: a token, an order, and the calls of §8.
struct InsuredPhone: Sendable {
  let app: OneAssistTestApp
  let order: String
  let code: String
  let activity: String
  let customer: String
  var token: String

  /// Sells a plan and hands the app its token.
  init(
    _ app: OneAssistTestApp, application: String = "A-1", mobile: String = "9876543210",
    plan: Int64 = OneAssistTestApp.planNow, change: (String) -> String = { $0 }
  ) async throws {
    self.app = app
    let sold = try await app.sell(application: application, mobile: mobile, plan: plan, change: change).view()
    order = try #require(sold["orderUUID"] as? String)
    code = try #require(sold["activationCode"] as? String)
    let pending = try #require((sold["pendingCustomerInfo"] as? [[String: Any]])?.first)
    activity = try #require(pending["activityReferenceId"] as? String)
    customer = try #require(pending["customerTempId"] as? String)
    token = ""
    token = try await newToken()
  }

  /// The same phone, calling another process.
  func at(_ app: OneAssistTestApp) -> InsuredPhone {
    InsuredPhone(app: app, order: order, code: code, activity: activity, customer: customer, token: token)
  }

  private init(
    app: OneAssistTestApp, order: String, code: String, activity: String, customer: String, token: String
  ) {
    (self.app, self.order, self.code) = (app, order, code)
    (self.activity, self.customer, self.token) = (activity, customer, token)
  }

  func newToken() async throws -> String {
    let answer = try await app.server(.post, "/partner/v1/generateToken", #"{"orderUUID":"\#(order)"}"#).view()
    return try #require(answer["token"] as? String)
  }

  func call(
    _ method: HTTPRequest.Method, _ path: String, _ body: Data = Data(), _ headers: [String: String] = [:]
  ) async throws -> OneAssistTestApp.Answer {
    try await app.call(
      method, "/apigateway/\(path)", headers: ["token": token, "App-Id": "mobileApp"].merging(headers) { $1 },
      body: body)
  }

  func info(of order: String? = nil) async throws -> OneAssistTestApp.Answer {
    try await call(.get, "subscription-service/order/info?orderUUID=\(order ?? code)")
  }

  func status() async throws -> String? { try await info().data(OneAssist.OrderInfo.self).taskInfo?.status }

  func documents() async throws -> [String: String] {
    let answer = try await call(.get, "subscription-service/lead/activation/documents?orderUUID=\(order)")
      .data(OneAssist.RequiredDocuments.self)
    let list = try #require(answer.deviceDetails?.first?.verificationDocuments)
    return Dictionary(uniqueKeysWithValues: list.map { ($0.name ?? "", $0.status ?? "") })
  }

  func lead(
    imei: String? = OneAssistTestApp.imei, imei2: String? = nil, pinCode: String? = "560001",
    address: String? = "12 Lake Road, Bengaluru"
  ) async throws -> OneAssistTestApp.Answer {
    let asked = OneAssist.LeadRequest(
      orderUUID: order, address: pinCode == nil && address == nil ? nil : .init(addrLine1: address, pinCode: pinCode),
      deviceDetail: .init(deviceModel: "iPhone 14", imei: imei, imei2: imei2))
    return try await call(.post, "subscription-service/lead", WireJSON.encode(asked))
  }

  func link(to number: String = "9123456780", key: String? = nil) async throws -> OneAssistTestApp.Answer {
    let asked = OneAssist.LinkRequest(orderUUID: order, verificationNo: number)
    return try await call(
      .post, "subscription-service/lead/asset/document/link", WireJSON.encode(asked),
      key.map { ["Idempotency-Key": $0] } ?? [:])
  }

  func upload(_ name: String, _ photo: String) async throws -> OneAssistTestApp.Answer {
    let (type, body) = Self.form([("activityReferenceId", activity), ("name", name), ("file", photo)])
    return try await call(
      .post, "subscription-service/lead/activation/asset/document", body, ["Content-Type": type])
  }

  func screenKey() async throws -> OneAssistTestApp.Answer {
    try await call(.get, "subscription-service/order/hash-key/\(activity)")
  }

  /// The screen as the phone shows it.
  func screen(imei: String = OneAssistTestApp.imei) async throws -> RollingCode {
    let key = try await screenKey().data(OneAssist.ScreenKey.self)
    let imei = try #require(IMEI(imei))
    return try #require(
      RollingCode(
        key: Data(base64Encoded: key.hashKey ?? "") ?? Data(), sessionID: key.sessionId ?? "",
        imei: imei, issuedAt: key.issuedAt ?? 0,
        stepMilliseconds: key.stepMillis ?? 0))
  }

  static func form(_ parts: [(String, String)]) -> (type: String, body: Data) {
    let body =
      parts.map { name, value in
        "--limit\r\nContent-Disposition: form-data; name=\"\(name)\"\(name == "file" ? "; filename=\"a.jpg\"" : "")\r\n"
          + (name == "file" ? "Content-Type: image/jpeg\r\n" : "") + "\r\n\(value)\r\n"
      }.joined() + "--limit--\r\n"
    return ("multipart/form-data; boundary=limit", Data(body.utf8))
  }

  /// Texts, then one file.
  static func form(_ parts: [(String, String)], file name: String, _ bytes: Data) -> (type: String, body: Data) {
    var (type, body) = form(parts)
    body.removeLast(Data("--limit--\r\n".utf8).count)
    body += Data(
      "--limit\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"a.jpg\"\r\n\r\n".utf8)
    return (type, body + bytes + Data("\r\n--limit--\r\n".utf8))
  }

  /// Details are there: photos are next.
  func detailed(imei: String = OneAssistTestApp.imei) async throws {
    #expect(try await lead(imei: imei).data(OneAssist.TaskStatus.self).taskInfo?.status == "POSTDTLCOMPLETE")
  }

  /// What a sent link's token is.
  func linkToken() throws -> String {
    let text = try #require(app.outside.messages.last?.body)
    return try #require(text.split(separator: "/u/").last.map(String.init))
  }

  /// Everything is in: a review is next.
  func pending(imei: String = OneAssistTestApp.imei) async throws {
    try await detailed(imei: imei)
    _ = try await link()
    try await app.settle()
    let code = try await screen(imei: imei)
    app.outside.change { $0.code = code.code(at: app.clock.now.milliseconds)?.digits }
    #expect(try await upload("SCREEN_IMAGE", "front").status == 200)
    #expect(try await upload("BACK_IMAGE", "back").status == 200)
    #expect(try await status() == "PENDING")
  }

  func membership() async throws -> String {
    try #require(try await info().data(OneAssist.OrderInfo.self).membershipInfo?.memUUID)
  }
}
