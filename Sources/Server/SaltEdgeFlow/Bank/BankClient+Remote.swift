// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseWire
import Kit
import SaltEdgeCore
import SaltEdgeWire

extension BankClient {
  /// A bank's own server, over HTTP: every call is signed with the service's key and holds for two minutes
  /// (saltedge-authenticator §7.1). Attempts are the outbox's: this client calls once.
  /// - Parameter waited: for calls that a customer waits for, with threads of its own; nil is the same.
  package static func remote(
    _ http: PeerHTTP, waited: PeerHTTP? = nil, keys: ServiceKeys, policy: SaltEdgePolicy, world: World
  ) -> BankClient {
    func bank(_ http: PeerHTTP) -> RemoteBank {
      RemoteBank(
        http: http, callLimit: BankCallLimit(most: policy.bankCallsMax), keys: keys, policy: policy, world: world)
    }
    let (caller, asker) = (bank(http), bank(waited ?? http))
    return BankClient(
      connect: { try await asker.call($0, "POST", "connections", $1) },
      decide: { try await caller.decide($0, "actions/\($1)/\($2 ? "confirm" : "deny")", $3) },
      submit: { try await asker.call($0, "POST", "actions/\($1)", $2) },
      revokeConnection: { try await caller.tell($0, "connections/\($1)/revoke") },
      revokeConsent: { try await caller.tell($0, "consents/\($1)/revoke") })
  }
}

private struct RemoteBank: Sendable {
  let http: PeerHTTP
  let callLimit: BankCallLimit
  let keys: ServiceKeys
  let policy: SaltEdgePolicy
  let world: World

  func call<Content: Codable & Sendable, Answer: Codable & Sendable>(
    _ provider: SaltEdgeProvider, _ method: String, _ path: String, _ content: Content
  ) async throws -> Answer {
    let answer = try await send(provider, method, path, content)
    guard let body = try? WireJSON.decode(SaltEdge.Body<Answer>.self, from: answer) else {
      throw BankFailure.unintelligible
    }
    return body.data
  }

  /// A bank that answers with success took the decision (§5.7), whatever else it says; that no other device may decide,
  /// it
  /// has to say.
  func decide(
    _ provider: SaltEdgeProvider, _ path: String, _ decision: SaltEdgeBank.Decision
  ) async throws -> SaltEdgeBank.Decided {
    let answer = try await send(provider, "PUT", path, decision)
    let body = try? WireJSON.decode(SaltEdge.Body<SaltEdgeBank.Decided>.self, from: answer)
    return body?.data ?? .init(closesAction: false)
  }

  /// What a bank answers to it is of no use.
  func tell(_ provider: SaltEdgeProvider, _ path: String) async throws {
    _ = try await send(provider, "PUT", path, EmptyBody())
  }

  private func send(
    _ provider: SaltEdgeProvider, _ method: String, _ path: String, _ content: some Codable & Sendable
  ) async throws -> Data {
    guard var base = provider.baseURL else { throw BankFailure.unintelligible }
    while base.hasSuffix("/") { base.removeLast() }
    let key = try await keys.current()
    let expiry = (world.wall() + policy.signatureLifetime).seconds
    let body = try WireJSON.encode(SaltEdge.SignedBody(data: content, exp: expiry))
    let headers = [
      "Accept": "application/json", "Content-Type": "application/json",
      DetachedJWS.header: try DetachedJWS.sign(body, with: key),
    ]
    let answer: PeerHTTP.Answer
    do {
      let call = PeerHTTP.Call(method, "\(base)/api/sca/v1/\(path)", headers: headers, body: body)
      answer = try await callLimit.run(provider.id) { try await http.send(call) }
    } catch let failure as PeerHTTP.Failure {
      switch failure {
      case .misconfigured: throw BankFailure.unintelligible
      case .crowded: throw BankFailure.crowded
      default: throw BankFailure.unavailable
      }
    }
    switch answer.status {
    case 200...299: return answer.body
    case 500...: throw BankFailure.unavailable
    default:
      let error = try? WireJSON.decode(SaltEdge.ErrorBody.self, from: answer.body)
      let isNotThere = answer.status == 404 || answer.status == 410
      throw BankFailure.refused(error?.errorClass ?? (isNotThere ? BankFailure.notThere : .wrongRequestFormat))
    }
  }
}
