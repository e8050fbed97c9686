// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import GatehouseWire
import JWTKit
import Kit
import Storage
import Synchronization

/// Who a checked access token speaks for.
package struct AccessIdentity: Sendable, Equatable {
  package let subject: String
  package let family: SessionFamily.ID
  package let tenant: String
  package let scope: String
  /// What the token shows; nil where its subject is sealed.
  package var grant: AccessGrant?

  package init(subject: String, family: SessionFamily.ID, tenant: String, scope: String, grant: AccessGrant? = nil) {
    (self.subject, self.family, self.tenant, self.scope, self.grant) = (subject, family, tenant, scope, grant)
  }

  /// Who speaks in a session of the console, whose pages carry a cookie in the place of a token.
  package init(_ session: SessionFamily, scope: String) {
    self.init(subject: session.subject, family: session.id, tenant: session.tenant, scope: scope)
  }
}

/// Makes and checks access tokens: JWTs of type `at+jwt` (RFC 9068) signed with ES256, the subject sealed inside.
///
/// `cid` is base64url(`0x01` ‖ nonce (12) ‖ AES-256-GCM(subject UUID, 16 bytes; AAD `jti` ‖ `tid`) ‖ tag (16)), so that
/// a token does not show whose it is and a `cid` fits no other token. Where a published surface has a token that its
/// bearer can read, it has `sub`, `roles` and `customer_id` instead (`AccessGrant`).
package final class AccessTokenSigner: Sendable {
  /// A superseded key still verifies for this long.
  package static let overlap = Duration.hours(48)
  /// How long a new key waits before it signs, so that every node has read it by then.
  package static let activationDelay = Duration.seconds(60)
  static let type = "at+jwt"

  private let keys: Mutex<[SigningKey]>
  /// How often an unknown key may be looked up in a second, by all callers together: ids can be invented.
  private static let lookUpsMax = 20
  private let lookUps = Mutex<(second: Int64, count: Int)>((0, 0))
  private let collection = JWTKeyCollection()
  private let proven = ProvenTokens()
  private let database: any SQLDatabase
  private let vault: Vault
  private let world: World

  private init(database: any SQLDatabase, vault: Vault, world: World) {
    keys = Mutex([])
    self.database = database
    self.vault = vault
    self.world = world
  }

  /// Reads the signing keys, and makes the first one in an empty database.
  package static func open(_ database: any SQLDatabase, vault: Vault, world: World) async throws -> AccessTokenSigner {
    let signer = AccessTokenSigner(database: database, vault: vault, world: world)
    try await database.write(.serializable) { tx in
      let store = SigningKeyStore(tx)
      if try store.all(vault: vault).isEmpty {
        try store.insert(SigningKey.make(activeFrom: world.wall(), world: world), vault: vault)
      }
    }
    try await signer.refresh()
    return signer
  }

  /// Learns the keys that another process made since.
  package func refresh() async throws {
    let (vault, known) = (vault, keys.withLock { Set($0.map(\.id)) })
    let all = try await database.read { try SigningKeyStore($0).all(vault: vault) }
    for key in all where !known.contains(key.id) {
      await collection.add(ecdsa: try ES256PrivateKey(backing: key.signing), kid: JWKIdentifier(string: key.id))
    }
    // Of two overlapping reads the older one may end last: what is known stays known.
    keys.withLock { keys in
      let read = Set(all.map(\.id))
      keys = (all + keys.filter { !read.contains($0.id) }).sorted { ($0.activeFrom, $0.id) < ($1.activeFrom, $1.id) }
    }
  }

  /// Makes a new key that signs once every node knows it; tokens signed before stay good for their life.
  package func rotate() async throws {
    let key = try SigningKey.make(activeFrom: world.wall() + Self.activationDelay, world: world)
    let vault = vault
    try await database.write { try SigningKeyStore($0).insert(key, vault: vault) }
    try await refresh()
  }

  func sign(
    _ family: SessionFamily, policy: Sessions.Policy, showing grant: AccessGrant? = nil, lifetime: Duration? = nil,
    now: Instant
  ) async throws -> String {
    // On a clock that was set back behind the first key, that one signs: every node knows it.
    guard let key = keys.withLock({ keys in keys.last { $0.activeFrom <= now } ?? keys.first }),
      let subject = UUID(uuidString: family.subject)
    else { throw VaultError.noKey }
    let id = world.uuid()
    let payload = AccessClaims(
      iss: policy.issuer, aud: policy.audience, iat: now.seconds, nbf: now.seconds,
      exp: (now + (lifetime ?? policy.accessLifetime)).seconds, jti: id, sid: family.id.rawValue, tid: family.tenant,
      scope: grant?.scope ?? policy.scope,
      cid: grant == nil ? try key.seal(subject, binding: id + family.tenant, nonce: world.random(12)) : nil,
      sub: grant.map { _ in family.subject }, roles: grant?.roles, customer: grant?.customer)
    return try await collection.sign(
      payload, kid: JWKIdentifier(string: key.id), header: ["typ": .string(Self.type)])
  }

  func verify(
    _ token: String, policy: Sessions.Policy, tenant: String, now: Instant
  ) async throws -> AccessIdentity {
    let invalid = Problem.unauthenticated("token-invalid", "The access token is not valid.")
    guard token.utf8.count <= 4096 else { throw invalid }
    let digest = ProvenTokens.digest(token)
    let claims: ProvenTokens.Claims
    if let known = proven.find(digest) {
      guard try await key(known.keyID, at: now) != nil else { throw invalid }
      claims = known
    } else {
      guard let read = try await proved(token, at: now) else { throw invalid }
      proven.keep(read, digest)
      claims = read
    }
    let skew = policy.clockSkew.components.seconds
    let expirySkew = (policy.expirySkew ?? policy.clockSkew).components.seconds
    guard claims.issuer == policy.issuer, claims.audience == policy.audience, claims.tenant == tenant,
      claims.grant != nil || claims.scope == policy.scope, claims.notBefore <= now.seconds + skew
    else { throw invalid }
    guard now.seconds < claims.expires + expirySkew else {
      throw Problem.unauthenticated("token-expired", "The access token has expired.")
    }
    return AccessIdentity(
      subject: claims.subject, family: .init(rawValue: claims.family), tenant: claims.tenant, scope: claims.scope,
      grant: claims.grant)
  }

  /// What a token says, when it is ours: form, key, signature and sealed subject.
  private func proved(_ token: String, at now: Instant) async throws -> ProvenTokens.Claims? {
    guard Self.isCanonical(token), let header = AccessHeader(token: token), header.alg == "ES256",
      header.typ == Self.type, let key = try await key(header.kid, at: now),
      let claims = try? await collection.verify(token, as: AccessClaims.self),
      let subject = claims.subject(sealedBy: key)
    else { return nil }
    return ProvenTokens.Claims(
      keyID: header.kid, issuer: claims.iss, audience: claims.aud, tenant: claims.tid, scope: claims.scope,
      family: claims.sid, subject: subject.uuidString.lowercased(), notBefore: claims.nbf, expires: claims.exp,
      grant: claims.grant)
  }

  /// Whether its three parts are written as they were made: base64url without padding (RFC 7515 §2), and nothing in
  /// bits that stand for no byte (RFC 4648 §3.5). Else one signature would be that of many texts.
  private static func isCanonical(_ token: String) -> Bool {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 3 && parts.allSatisfy { Data(base64URL: $0)?.base64URL == $0 }
  }

  /// The key of that id while it may verify. An unknown id is looked up once: another node may have just made it.
  private func key(_ id: String, at now: Instant) async throws -> SigningKey? {
    func known() -> (key: SigningKey, supersededAt: Instant?)? {
      keys.withLock { keys in
        guard let index = keys.firstIndex(where: { $0.id == id }) else { return nil }
        return (keys[index], index + 1 < keys.count ? keys[index + 1].activeFrom : nil)
      }
    }
    // Only ids of our own form reach the database.
    if known() == nil, UUID(uuidString: id) != nil {
      // The key was not looked up, so the token is not known to be wrong; an app would take a refusal for final.
      guard mayLookUp(at: now) else { throw Problem.unavailable.with { $0.retryAfterSeconds = 1 } }
      try await refresh()
    }
    guard let (key, supersededAt) = known() else { return nil }
    if let supersededAt, now - supersededAt > Self.overlap { return nil }
    return key
  }
}

extension AccessTokenSigner {
  private func mayLookUp(at now: Instant) -> Bool {
    lookUps.withLock { used in
      used = used.second == now.seconds ? (used.second, used.count + 1) : (now.seconds, 1)
      return used.count <= Self.lookUpsMax
    }
  }
}

/// Access tokens whose signature was checked before: an app that asks often is not computed anew each time.
///
/// Kept is only what never changes about a token: that we signed it, and what it says. Whether it still counts is asked
/// at every use: the clock for its times, the ring for its key, the store for its session. Tokens are known by their
/// digest.
final class ProvenTokens: Sendable {
  /// Tokens remembered at once, at most.
  static let countMax = 20_000

  /// What a token says.
  struct Claims: Sendable {
    let keyID: String
    let issuer: String
    let audience: String
    let tenant: String
    let scope: String
    let family: String
    let subject: String
    /// Seconds since 1970.
    let notBefore: Int64
    let expires: Int64
    /// Of a readable token.
    var grant: AccessGrant?
  }

  private let recent = RecentValues<SHA256Digest, Claims>(countMax: countMax)

  static func digest(_ token: String) -> SHA256Digest {
    var token = token
    return token.withUTF8 { bytes in
      var hash = SHA256()
      hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
      return hash.finalize()
    }
  }

  func find(_ digest: SHA256Digest) -> Claims? { recent.find(digest) }

  func keep(_ claims: Claims, _ digest: SHA256Digest) { recent.keep(claims, for: digest) }
}

/// The claims of an access token (RFC 7519 §4.1, RFC 9068 §2.2).
private struct AccessClaims: JWTPayload {
  let iss: String
  let aud: String
  let iat: Int64
  let nbf: Int64
  let exp: Int64
  let jti: String
  let sid: String
  let tid: String
  let scope: String
  /// The sealed subject, or the three of a readable token.
  let cid: String?
  let sub: String?
  let roles: [String]?
  let customer: String?

  enum CodingKeys: String, CodingKey {
    case iss, aud, iat, nbf, exp, jti, sid, tid, scope, cid, sub, roles
    case customer = "customer_id"
  }

  func subject(sealedBy key: SigningKey) -> UUID? {
    if let cid { return sub == nil ? key.open(cid, binding: jti + tid) : nil }
    return sub.flatMap { UUID(uuidString: $0) }
  }

  var grant: AccessGrant? {
    roles.map { AccessGrant(roles: $0, customer: customer, scope: scope) }
  }

  /// Claims are checked by the signer, against the injected clock.
  func verify(using algorithm: some JWTAlgorithm) throws {}
}

private struct AccessHeader: Decodable {
  let alg: String
  let kid: String
  let typ: String

  init?(token: String) {
    guard let end = token.firstIndex(of: "."), let data = Data(base64URL: String(token[..<end])),
      let header = try? WireJSON.decode(Self.self, from: data)
    else { return nil }
    self = header
  }
}

/// What an access token shows of its bearer, where a published surface has it readable (finaptic §8.1).
package struct AccessGrant: Sendable, Equatable {
  package let roles: [String]
  /// Id of the customer that the bearer became; nil before that.
  package let customer: String?
  /// Rights that were stepped up to, a space between two; empty for none.
  package let scope: String
  /// Nil is the policy's, which is also the most.
  package let lifetime: Duration?

  package init(roles: [String], customer: String?, scope: String = "", lifetime: Duration? = nil) {
    (self.roles, self.customer, self.scope, self.lifetime) = (roles, customer, scope, lifetime)
  }
}
