// SPDX-License-Identifier: Apache-2.0

import CryptoPrimitives

/// RSA keys and the padding of RSA encryption are drawn by the platform's cryptography, which takes no other source.
public typealias Randomness = CryptoPrimitives.Randomness
public typealias Redacted = CryptoPrimitives.Redacted
