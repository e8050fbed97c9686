import CryptoPrimitives

/// As in the modules' own files beside their randomness, which a target does not need.
public typealias Redacted = CryptoPrimitives.Redacted
