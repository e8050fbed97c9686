// SPDX-License-Identifier: Apache-2.0

public import SaltEdgeAuthenticator

/// What the waiting twins of the published calls throw: the error class that closures get, and how far it came.
public typealias SEAuthenticatorError = AuthenticatorError
