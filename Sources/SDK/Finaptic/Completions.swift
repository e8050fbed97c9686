// SPDX-License-Identifier: Apache-2.0

/// How a call with an answer calls back: on the main queue, once.
public typealias FinapticCompletion<T> = (Result<T, FinapticError>) -> Void

/// How a call without an answer calls back: nil is success.
public typealias FinapticVoidCompletion = (FinapticError?) -> Void
