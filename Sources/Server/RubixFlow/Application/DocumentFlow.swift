import Kit
import Storage

/// How far an image has come. The names on the wire are the upper-case ones of rubix-onboarding §6.7.
package enum ImageState: String, Sendable, CaseIterable, SQLConvertible {
  case pending = "PENDING"
  case processing = "PROCESSING"
  case processed = "PROCESSED"
  case failed = "FAILED"
  case archived = "ARCHIVED"
}

package enum ImageEvent: String, Sendable, CaseIterable { case taken, accepted, refused, replaced }

package enum ImageEffect: String, Sendable, CaseIterable { case readDocument }

/// One image of a document side, a selfie or a liveness capture.
package let imageFlow = TransitionTable<ImageState, ImageEvent, ImageEffect>([
  .init(.pending, on: .taken, to: .processing, do: .readDocument),
  .init(.pending, on: .accepted, to: .processed),
  .init(.pending, on: .refused, to: .failed),
  .init(.processing, on: .accepted, to: .processed),
  .init(.processing, on: .refused, to: .failed),
  .init(.processing, on: .replaced, to: .archived),
  .init(.processed, on: .replaced, to: .archived),
  .init(.failed, on: .replaced, to: .archived),
])
