// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseApp
import GatehouseTransport
import Identity
import Kit
import OneAssistFlow
import Synchronization

/// A partner's backend in a demonstration: it sells plans, hands tokens to its app, hears of changes; and a person who
/// reviews photos.
final class DemoShop: Sendable {
  static let (code, unit, plan): (Int64, Int64, Int64) = (853, 1552, 729)
  /// The partner of a sandbox's samples: none that an operator would add by the documentation.
  static let sampleCode: Int64 = 90_853
  /// What the plan covers, and its price.
  static let cover = Plan(
    code: plan, name: "Mobile protection", price: 1199, tax: 183, coverAmount: 20_000, months: 12, startsAfterDays: 0,
    invoiceDaysMax: 30, invoiceValues: 1000...100_000, productCode: "MP01")
  static let hookPath = "/hooks/oneassist"
  private static let (looksMax, lookDelay) = (100, Duration.milliseconds(50))

  let address: URL
  private let partner: Int64
  private let seller: IssuedSecret
  private let reviewer: IssuedSecret
  /// Nil for a shop that hears nothing.
  private let secret: WebhookSecret?
  private let clock: DemoClock
  private let transport = HTTPTransport.live()
  private let heard = Mutex<[String: StatusEvent]>([:])

  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  init(
    address: URL, partner: Int64 = DemoShop.code, seller: IssuedSecret, reviewer: IssuedSecret, secret: WebhookSecret?,
    clock: DemoClock
  ) {
    (self.address, self.partner, self.seller, self.reviewer) = (address, partner, seller, reviewer)
    (self.secret, self.clock) = (secret, clock)
  }

  // MARK: What it sells

  struct Sold: Decodable, Sendable {
    let orderUUID: String
    let activationCode: String
  }

  /// A plan for a phone that was bought yesterday.
  func sell(_ application: String, make: String, model: String, mobile: String) async throws -> Sold {
    let day = "\(WireDay(clock.now - .days(1)))"
    let body = """
      {"initiatingSystem":12,"customerInfo":[{"firstName":"Asha","lastName":"Rao","emailId":"asha@mail.example",\
      "mobileNumber":"\(mobile)","gender":"F","relationship":"self","customerdob":"01-Feb-1990","assetInfo":[\
      {"productCode":"MP01","assetMake":"\(make)","assetModel":"\(model)","invoiceDate":"\(day)",\
      "invoiceValue":60000}]}],"orderInfo":{"planCode":\(Self.plan),"partnerCode":\(partner),\
      "partnerBUCode":\(Self.unit),"applicationNo":"\(application)","applicationDate":"\(WireDay(clock.now))"},\
      "paymentInfo":{"paymentMode":"COD"}}
      """
    return try await call("POST", "OASYS/webservice/rest/customer/onboardCustomer", body, as: seller)
  }

  func token(for order: String) async throws -> String {
    struct Answer: Decodable { let token: String }
    let answer: Answer = try await call("POST", "partner/v1/generateToken", #"{"orderUUID":"\#(order)"}"#, as: seller)
    return answer.token
  }

  struct Membership: Decodable, Sendable {
    let memUUID: String
    let status: String
    let nextActionOwner: String
  }

  func membership(_ order: String) async throws -> Membership {
    struct List: Decodable { let memberships: [Membership] }
    let list: List = try await call("GET", "partner/v1/memberships?orderUUID=\(order)", nil, as: seller)
    guard let membership = list.memberships.first else { throw Refused(description: "there is no such membership") }
    return membership
  }

  // MARK: What it hears

  /// - Returns: whether it is the other end's word, of now.
  func hear(_ body: Data, id: String?, timestamp: String?, signatures: String?) -> Bool {
    guard let secret, secret.accepts(body, id: id, timestamp: timestamp, signatures: signatures, at: clock.now),
      let event = try? JSONDecoder().decode(StatusEvent.self, from: body), event.id == id
    else { return false }
    heard.withLock { $0[event.id] = event }
    return true
  }

  /// Statuses in the order in which they came about, once there are so many.
  func statuses(_ count: Int) async throws -> [String] {
    for _ in 0..<Self.looksMax {
      let events = heard.withLock { Array($0.values) }
      if events.count >= count {
        func number(_ event: StatusEvent) -> Int { Int(event.id.split(separator: "_").last ?? "") ?? 0 }
        return events.sorted { number($0) < number($1) }.map(\.data.status)
      }
      try await ClientClock.live.pause(for: Self.lookDelay)
    }
    throw Refused(description: "too few webhooks came")
  }

  // MARK: Reviews

  /// What the server found of the code in the photo of the front.
  func codeVerdict(_ membership: String) async throws -> String {
    struct Detail: Decodable {
      struct Review: Decodable {
        struct Photo: Decodable {
          let name: String
          let code: String?
        }
        let documents: [Photo]
      }
      let review: Review
    }
    let detail: Detail = try await call("GET", "api/v1/oneassist/memberships/\(membership)", nil, as: reviewer)
    return detail.review.documents.first { $0.name == "SCREEN_IMAGE" }?.code ?? "none"
  }

  /// A person types the code that stands in the photo.
  func type(code digits: String, _ membership: String) async throws -> String {
    struct Answer: Decodable { let verdict: String }
    let answer: Answer = try await call(
      "POST", "api/v1/oneassist/memberships/\(membership)/documents/SCREEN_IMAGE/code", #"{"digits":"\#(digits)"}"#,
      as: reviewer)
    return answer.verdict
  }

  func decide(_ photo: String, accepts: Bool, _ membership: String) async throws {
    let body =
      accepts ? #"{"verdict":"accept"}"# : #"{"verdict":"refuse","reason":"The case is still on. Take it off."}"#
    _ = try await send(
      "POST", "api/v1/oneassist/memberships/\(membership)/documents/\(photo)/decision", body, as: reviewer)
  }

  func decide(_ verdict: String, _ membership: String) async throws -> String {
    struct Answer: Decodable { let status: String }
    let answer: Answer = try await call(
      "POST", "api/v1/oneassist/memberships/\(membership)/verdict", #"{"verdict":"\#(verdict)"}"#, as: reviewer)
    return answer.status
  }

  // MARK: Calls

  private func call<Answer: Decodable>(
    _ method: String, _ path: String, _ body: String?, as client: IssuedSecret
  ) async throws -> Answer {
    try JSONDecoder().decode(Answer.self, from: await send(method, path, body, as: client))
  }

  private func send(
    _ method: String, _ path: String, _ body: String?, as client: IssuedSecret
  ) async throws -> Data {
    guard let url = URL(string: "\(address.absoluteString)/\(path)") else { throw Refused(description: "no address") }
    var request = TransportRequest(method: method, url: url, body: body.map { Data($0.utf8) })
    request.headers["content-type"] = "application/json"
    request.headers["authorization"] =
      "Basic \(Data("\(client.client.id):\(client.secret)".utf8).base64EncodedString())"
    let answer = try await transport.send(request)
    guard answer.isSuccess else {
      throw Refused(description: "\(answer.status) \(String(decoding: answer.body, as: UTF8.self).prefix(200))")
    }
    return answer.body
  }
}

/// A day of the calendar in UTC, `YYYY-MM-DD`.
private struct WireDay: CustomStringConvertible {
  let description: String
  init(_ instant: Instant) { description = String(instant.rfc3339.prefix(10)) }
}
