// SPDX-License-Identifier: Apache-2.0

// The names that the published surface gives to texts and closures (saltedge-authenticator §11). Closures that are
// called when a call has ended are sendable: they run on a queue.

public typealias ApiVersion = String
public typealias AccessToken = String
public typealias GUID = String
public typealias ID = String
public typealias PushToken = String
public typealias ConnectQuery = String
public typealias ApplicationLanguage = String
/// What a key is kept under.
public typealias KeyTag = String

public typealias SuccessBlock = @Sendable () -> Void
public typealias SuccessClosure = SuccessBlock
/// Gets the server's `error_class`, or one of this side's (§6).
public typealias FailureBlock = @Sendable (String) -> Void
public typealias SimpleFailureClosure = FailureBlock
public typealias FullFailureClosure = ([String: Any]) -> Void
public typealias RequestSuccessBlock = ([String: Any]?) -> Void
public typealias RequestSuccessClosure = RequestSuccessBlock
/// Gets the answer; nil when the caller does not need it.
public typealias SEHTTPResponse<T: Decodable> = (@Sendable (T) -> Void)?

/// Both halves of a key pair.
public typealias KeyPair = (publicKey: SEKey, privateKey: SEKey)
