import Foundation

/// Text of a customer or an agent that may be markup: what is kept of it is kept again.
func fuzz(_ bytes: Data) {
  let once = SafeHTML.sanitized(text(bytes))
  precondition(SafeHTML.sanitized(once) == once)
  precondition(!once.lowercased().contains("<script"))
  _ = SafeHTML.sanitized(text(bytes), keepsLinks: false)
}
