/// Why an object could not be stored, read or listed. Says nothing about contents, addresses or credentials.
package enum BlobError: Error, Sendable, Equatable {
  /// The key is not one of ours.
  case badKey
  /// There are more bytes than the caller wants to hold or to store.
  case tooLarge(bytesMax: Int)
  /// What arrived is not what was sent, also after repetition.
  case damaged
  /// The object was replaced or deleted while it was read.
  case replaced
  /// The store does not answer, is overloaded or out of room, also after repetition.
  case unavailable
  /// The store said no, with its code, such as `AccessDenied` or `NoSuchBucket`.
  case refused(code: String)
}
